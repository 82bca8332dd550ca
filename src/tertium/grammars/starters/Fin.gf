concrete @NAME@Fin of @NAME@ = {
  -- Finnish words have cases. A param lists them, a table holds a form for each.
  param
    Case = Nom | Ade ;
  lincat
    Sentence = Str ;
    Animal, Place = {s : Case => Str} ;
  lin
    -- `!` takes a form out of a table.
    XSleepsOnY x y = variants {
      x.s ! Nom ++ sleeps ++ now ++ y.s ! Ade ;
      x.s ! Nom ++ sleeps ++ y.s ! Ade ++ now ;
      now ++ x.s ! Nom ++ sleeps ++ y.s ! Ade
    } ;
    XIsAsleepOnY x y = x.s ! Nom ++ "on" ++ now ++ "unessa" ++ y.s ! Ade ;
    OnYSleepsX x y = y.s ! Ade ++ sleeps ++ now ++ x.s ! Nom ;

    -- Of two records one is taken as a whole, so that forms never mix.
    SemVar1aCat = word "kissa" "kissalla" | word "mirri" "mirrillä" ;
    SemVar1bDog = word "koira" "koiralla" | word "hauva" "hauvalla" ;
    SemVar2aSofa = word "sohva" "sohvalla" | word "divaani" "divaanilla" ;
    SemVar2bArmchair = word "nojatuoli" "nojatuolilla" | word "lepotuoli" "lepotuolilla" ;
  oper
    word : Str -> Str -> {s : Case => Str} = \nom,ade ->
      {s = table {Nom => nom ; Ade => ade}} ;
    sleeps : Str = "nukkuu" | "on nukkumassa" ;
    now : Str = "nyt" | "parhaillaan" ;
}
