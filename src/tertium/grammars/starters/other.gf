-- The words are English: put those of your language in their place, and reorder.
concrete @NAME@@LANG@ of @NAME@ = {
  lincat
    Sentence, Animal, Place = Str ;
  lin
    -- `++` puts words side by side; `variants` is a choice, `|` another way to write it.
    XSleepsOnY x y = variants {
      now ++ x ++ "sleeps" ++ y ;
      x ++ now ++ "sleeps" ++ y ;
      x ++ "sleeps" ++ y ++ now
    } ;
    XIsAsleepOnY x y = x ++ "is" ++ now ++ "asleep" ++ y ;
    -- Leave out the lin of what the language does not say.
    OnYSleepsX x y = y ++ "sleeps" ++ now ++ x ;

    SemVar1aCat = "the cat" | "the kitty" ;
    SemVar1bDog = "the dog" | "the doggy" ;
    SemVar2aSofa = "on the sofa" | "on the couch" ;
    SemVar2bArmchair = "in the armchair" | "in the easy chair" ;
  oper
    now : Str = "now" | "at the moment" ;
}
