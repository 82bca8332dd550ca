--# -path=.:../common
-- SPDX-License-Identifier: Apache-2.0
concrete ExerciseEng of Exercise = open CommonEng in {
  lincat
    Template = Str ;
    -- A noun, the gerund and the verb with a plural subject.
    Sport = {noun, ger, s : Str} ;
    Illness = {s, get : Str} ;
    -- "in older people", "older people" as the object and as the subject.
    People = {among, obj, subj : Str} ;
  lin
    Reduce s i p = sport s ++ ("reduces" | "lowers" | "decreases") ++ risk i p ;
    RiskFalls s i p =
      risk i p ++ ("decreases" | "falls" | "becomes smaller") ++ "with regular" ++ s.noun ;
    CanBeReduced s i p =
      risk i p ++ "can be" ++ ("reduced" | "lowered" | "decreased") ++ "by" ++ sport s ;
    HaveLowerRisk s i p =
      p.subj ++ "who" ++ s.s ++ "regularly" ++ "have a" ++ ("lower" | "smaller")
        ++ "risk of" ++ i.s ;
    LessLikely s i p =
      p.subj ++ "who" ++ s.s ++ "regularly" ++ "are less likely to" ++ i.get ;
    Protect s i p =
      sport s ++ "protects" ++ p.obj ++ ("from" | "against") ++ i.s ;
    Prevent s i p =
      sport s ++ "helps" ++ optional "to" ++ "prevent" ++ i.s ++ p.among ;
    IsReduced s i p =
      risk i p ++ "is" ++ ("reduced" | "lowered") ++ "by" ++ sport s ;

    SemVar1aSwimming =
      {noun = "swimming" ; ger = "swimming" | "going swimming" ;
       s = "swim" | "go swimming"} ;
    SemVar1bCycling =
      {noun = "cycling" ; ger = "cycling" | "riding a bicycle" ;
       s = "cycle" | "ride a bicycle"} ;
    SemVar1cWalking =
      {noun = "walking" ; ger = "walking" | "going for walks" ;
       s = "walk" | "go for walks"} ;
    SemVar2aHeartDisease = ill ("heart disease" | "cardiac disease") ;
    SemVar2bHypertension = ill ("high blood pressure" | "hypertension") ;
    SemVar2cBackPain =
      let pain : Str = "back pain" | "backache" in
      {s = pain ; get = ("get" | "have" | "suffer from") ++ pain} ;
    SemVar3aElderly = people ("older people" | "elderly people" | "senior citizens") ;
    SemVar3bOfficeWorkers = people ("office workers" | "office employees") ;
    Everybody = {among = [] ; obj = optional "people" ; subj = "people"} ;
  oper
    sport : {noun, ger, s : Str} -> Str = \s ->
      "regular" ++ s.noun | s.ger ++ "regularly" ;
    risk : {s, get : Str} -> {among, obj, subj : Str} -> Str = \i, p ->
      "the" ++ ("risk" | "chance") ++ "of" ++ i.s ++ p.among ;
    ill : Str -> {s, get : Str} = \name ->
      {s = name ; get = ("get" | "develop" | "suffer from") ++ name} ;
    people : Str -> {among, obj, subj : Str} = \who ->
      {among = ("in" | "among") ++ who ; obj = who ; subj = who} ;
}
