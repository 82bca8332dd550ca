concrete @NAME@Cze of @NAME@ = {
  lincat
    Sentence, Animal, Place = Str ;
  lin
    -- `++` puts words side by side; `variants` is a choice, `|` another way to write it.
    XSleepsOnY x y = variants {
      x ++ now ++ "spí" ++ y ;
      now ++ "spí" ++ x ++ y ;
      now ++ x ++ "spí" ++ y
    } ;
    -- XIsAsleepOnY has no lin: Czech says it with the same verb.
    OnYSleepsX x y = y ++ now ++ "spí" ++ x ;

    SemVar1aCat = "kočka" | "kočička" ;
    SemVar1bDog = "pes" | "pejsek" ;
    SemVar2aSofa = "na pohovce" | "na gauči" ;
    SemVar2bArmchair = "v křesle" | "na křesle" ;
  oper
    now : Str = "teď" | "nyní" | "právě" ;
}
