-- What can be said, in no language. Every file is also one of Grammatical Framework.
-- The concrete files say how each language says it.
abstract @NAME@ = {
  flags startcat = Sentence ;
  cat
    Sentence ; Animal ; Place ;
  fun
    -- Constructions: all that make a Sentence are paraphrases of each other. Write
    -- one function for each, also where only one of the languages has it.
    XSleepsOnY, XIsAsleepOnY, OnYSleepsX : Animal -> Place -> Sentence ;

    -- Semantic variables: SemVar, a number for the variable, a letter for its value,
    -- a name. An output is compared with references of the same values only. Two
    -- functions with the same number and letter are paraphrases of one value.
    SemVar1aCat, SemVar1bDog : Animal ;
    SemVar2aSofa, SemVar2bArmchair : Place ;
}
