concrete @NAME@Eng of @NAME@ = {
  lincat
    Sentence, Animal, Place = Str ;
  lin
    -- `++` puts words side by side; `variants` is a choice, `|` another way to write it.
    XSleepsOnY x y = variants {
      now ++ x ++ "is sleeping" ++ y ;
      x ++ "is" ++ now ++ "sleeping" ++ y ;
      x ++ "is sleeping" ++ y ++ now
    } ;
    XIsAsleepOnY x y = x ++ "is" ++ now ++ "asleep" ++ y ;
    -- OnYSleepsX has no lin: English does not say it that way.

    -- Give values of the source several words: one that recurs in all sentences
    -- would be one error that counts many times.
    SemVar1aCat = "the" ++ ("cat" | "kitty") ;
    SemVar1bDog = "the" ++ ("dog" | "doggy") ;
    SemVar2aSofa = "on the" ++ ("sofa" | "couch") ;
    SemVar2bArmchair = "in the" ++ ("armchair" | "easy chair") ;
  oper
    -- A helper, used above.
    now : Str = "now" | "at the moment" ;
}
