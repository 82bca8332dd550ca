-- SPDX-License-Identifier: Apache-2.0
-- A sport done regularly makes an illness less likely, of some people or of all.
abstract Exercise = {
  flags startcat = Template ;
  cat
    Template ; Sport ; Illness ; People ;
  fun
    -- regular swimming reduces the risk of heart disease
    Reduce : Sport -> Illness -> People -> Template ;
    -- the risk of heart disease decreases with regular swimming
    RiskFalls : Sport -> Illness -> People -> Template ;
    -- the risk of heart disease can be reduced by regular swimming
    CanBeReduced : Sport -> Illness -> People -> Template ;
    -- people who swim regularly have a lower risk of heart disease
    HaveLowerRisk : Sport -> Illness -> People -> Template ;
    -- people who swim regularly are less likely to develop heart disease
    LessLikely : Sport -> Illness -> People -> Template ;
    -- regular swimming protects people from heart disease
    Protect : Sport -> Illness -> People -> Template ;
    -- regular swimming helps to prevent heart disease
    Prevent : Sport -> Illness -> People -> Template ;
    -- the risk of heart disease is reduced by regular swimming: English only
    IsReduced : Sport -> Illness -> People -> Template ;
    -- uinnilla on riskiä pienentävä vaikutus: Finnish only
    Effect : Sport -> Illness -> People -> Template ;

    SemVar1aSwimming, SemVar1bCycling, SemVar1cWalking : Sport ;
    SemVar2aHeartDisease, SemVar2bHypertension, SemVar2cBackPain : Illness ;
    SemVar3aElderly, SemVar3bOfficeWorkers, Everybody : People ;
}
