-- SPDX-License-Identifier: Apache-2.0
-- Winning back the trust of some people will be hard, easy or laborious.
abstract Trust = {
  flags startcat = Template ;
  cat
    Template ; Holder ; Effort ; After ;
  fun
    -- it will be hard to regain the customers' trust
    ItWillBe : Holder -> Effort -> After -> Template ;
    -- the customers' trust will be hard to regain
    TrustWillBe : Holder -> Effort -> After -> Template ;
    -- regaining the customers' trust will be hard
    Regaining : Holder -> Effort -> After -> Template ;
    -- regaining the customers' trust will be a hard task
    Task : Holder -> Effort -> After -> Template ;
    -- regaining the customers' trust will prove hard
    Prove : Holder -> Effort -> After -> Template ;
    -- to regain the customers' trust will be hard: English only
    ToRegain : Holder -> Effort -> After -> Template ;
    -- luottamuksen palauttamisesta tulee vaikeaa: Finnish only
    Become : Holder -> Effort -> After -> Template ;

    SemVar1aCustomers, SemVar1bVoters, SemVar1cStaff : Holder ;
    SemVar2aHard, SemVar2bEasy, SemVar2cLaborious : Effort ;
    SemVar3aDataBreach, SemVar3bScandal, Whenever : After ;
}
