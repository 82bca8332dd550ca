--# -path=.:../common
-- SPDX-License-Identifier: Apache-2.0
concrete TrustEng of Trust = open CommonEng in {
  lincat
    Template = Str ;
    -- "the customers'" before a noun, "the customers" after "of".
    Holder = {poss, s : Str} ;
    Effort = {s : Str ; i : Init} ;
    -- At the end of a sentence, and at its beginning.
    After = {s, front : Str} ;
  lin
    ItWillBe h e a =
      variants {
        "it" ++ willBe ++ e.s ++ "to" ++ regain ++ trust h ++ a.s ;
        a.front ++ "it" ++ willBe ++ e.s ++ "to" ++ regain ++ trust h } ;
    TrustWillBe h e a =
      variants {
        trust h ++ willBe ++ e.s ++ "to" ++ regain ++ a.s ;
        a.front ++ trust h ++ willBe ++ e.s ++ "to" ++ regain } ;
    Regaining h e a =
      variants {
        regaining ++ trust h ++ willBe ++ e.s ++ a.s ;
        regaining ++ trust h ++ a.s ++ willBe ++ e.s ;
        a.front ++ regaining ++ trust h ++ willBe ++ e.s } ;
    Task h e a =
      variants {
        regaining ++ trust h ++ willBe ++ indefinite2 e "task" ++ a.s ;
        regaining ++ trust h ++ a.s ++ willBe ++ indefinite2 e "task" ;
        a.front ++ regaining ++ trust h ++ willBe ++ indefinite2 e "task" } ;
    Prove h e a =
      variants {
        regaining ++ trust h ++ prove ++ e.s ++ a.s ;
        a.front ++ regaining ++ trust h ++ prove ++ e.s } ;
    ToRegain h e a =
      "to" ++ regain ++ trust h ++ a.s ++ "will be" ++ e.s ;

    SemVar1aCustomers =
      variants { {poss = "the customers'" ; s = "the customers"} ;
                 {poss = "the clients'" ; s = "the clients"} } ;
    SemVar1bVoters =
      variants { {poss = "the voters'" ; s = "the voters"} ;
                 {poss = "the electorate's" ; s = "the electorate"} } ;
    SemVar1cStaff =
      variants { {poss = "the employees'" ; s = "the employees"} ;
                 {poss = "the staff's" ; s = "the staff"} } ;
    SemVar2aHard = cons ("hard" | "difficult") ;
    SemVar2bEasy = vow "easy" | cons "simple" ;
    SemVar2cLaborious = cons "laborious" | vow "arduous" ;
    SemVar3aDataBreach = after "the data" ("breach" | "leak") ;
    SemVar3bScandal = after "the" ("scandal" | "uproar") ;
    Whenever = {s = [] ; front = []} ;
  oper
    willBe : Str = "will be" | "is going to be" ;
    prove : Str = "will prove" ++ optional "to be" ;
    regain : Str = "regain" | "win back" | "rebuild" | "restore" ;
    regaining : Str = "regaining" | "winning back" | "rebuilding" | "restoring" ;
    trust : {poss, s : Str} -> Str = \h ->
      h.poss ++ ("trust" | "confidence")
      | "the" ++ ("trust" | "confidence") ++ "of" ++ h.s ;
    after : Str -> Str -> {s, front : Str} = \the, event ->
      {s = "after" ++ the ++ event ; front = "after" ++ the ++ event ++ comma} ;
}
