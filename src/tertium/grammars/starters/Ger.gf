concrete @NAME@Ger of @NAME@ = {
  lincat
    Sentence, Animal, Place = Str ;
  lin
    -- `++` puts words side by side; `variants` is a choice, `|` another way to write it.
    XSleepsOnY x y = variants {
      x ++ "schläft" ++ now ++ y ;
      now ++ "schläft" ++ x ++ y
    } ;
    XIsAsleepOnY x y = x ++ "liegt" ++ now ++ "schlafend" ++ y ;
    OnYSleepsX x y = y ++ "schläft" ++ now ++ x ;

    SemVar1aCat = "die Katze" | "die Mieze" ;
    SemVar1bDog = "der Hund" | "der Vierbeiner" ;
    SemVar2aSofa = "auf dem Sofa" | "auf der Couch" ;
    SemVar2bArmchair = "im Sessel" | "auf dem Sessel" ;
  oper
    now : Str = "jetzt" | "gerade" ;
}
