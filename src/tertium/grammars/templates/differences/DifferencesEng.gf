--# -path=.:../common
-- SPDX-License-Identifier: Apache-2.0
concrete DifferencesEng of Differences = open CommonEng in {
  lincat
    Template, Countries = Str ;
    -- After "differences", after "agree" and after "at odds".
    Topic = {over, on, odds : Str} ;
    Despite = {s, front : Str} ;
  lin
    Have c t d = clause d (c ++ still ++ "have" ++ differences ++ t.over) ;
    ThereAre c t d =
      clause d ("there are" ++ still ++ differences ++ "between" ++ c ++ t.over) ;
    Disagree c t d = clause d (c ++ still ++ "disagree" ++ t.on) ;
    NotAgree c t d =
      clause d (c ++ still ++ ("do not agree" ++ t.on | "do not see eye to eye" ++ t.on)) ;
    Views c t d =
      clause d ("the" ++ ("views" | "opinions") ++ "of" ++ c ++ t.on
        ++ (still ++ ("differ" | "diverge") | "are" ++ still ++ "different")) ;
    Persist c t d =
      clause d ("the" ++ differences ++ "between" ++ c ++ t.over
        ++ ("persist" | "continue")) ;
    AtOdds c t d = clause d (c ++ "are" ++ still ++ "at odds" ++ t.odds) ;

    SemVar1aNorwayIceland = "Norway and Iceland" | "Iceland and Norway" ;
    SemVar1bPortugalMorocco = "Portugal and Morocco" | "Morocco and Portugal" ;
    SemVar1cNeighbours = "the neighbouring" ++ ("countries" | "states") ;
    SemVar2aQuotas = about (("fishing" | "catch") ++ "quotas") ;
    SemVar2bSeaBorder = about ("the" ++ ("maritime" | "sea") ++ ("border" | "boundary")) ;
    AnyTopic = {over = [] ; on = [] ; odds = []} ;
    SemVar3aTalks = despite ("the long" ++ ("talks" | "negotiations")) ;
    SemVar3bTreaty = despite ("the new" ++ ("treaty" | "agreement")) ;
  oper
    still : Str = optional "still" ;
    differences : Str = "differences" | "disagreements" | "differences of opinion" ;
    clause : {s, front : Str} -> Str -> Str = \d, rest ->
      variants { rest ++ d.s ; d.front ++ rest } ;
    about : Str -> {over, on, odds : Str} = \topic ->
      {over = ("about" | "over" | "concerning") ++ topic ;
       on = ("about" | "on") ++ topic ;
       odds = ("about" | "over") ++ topic} ;
    despite : Str -> {s, front : Str} = \what ->
      {s = ("despite" | "in spite of") ++ what ;
       front = ("despite" | "in spite of") ++ what ++ comma} ;
}
