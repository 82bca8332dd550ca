--# -path=.:../common
-- SPDX-License-Identifier: Apache-2.0
concrete SnowEng of Snow = open CommonEng in {
  lincat
    Template = Str ;
    -- The place as a subject; "in" before it or, at the beginning, a comma after it.
    Place = {subject, s, front : Str ; n : Number} ;
    -- After "snow", after "fall", and before a noun.
    Degree = {adv, thick, adj : Str} ;
    -- With most verbs, and with "last".
    Duration = {s, last : Str} ;
    Tense = {snow, fall, be, last : Str ; have : Number => Str} ;
  lin
    ItSnows p d u t =
      variants {
        "it" ++ t.snow ++ d.adv ++ p.s ++ u.s ;
        p.front ++ "it" ++ t.snow ++ d.adv ++ u.s } ;
    SnowFalls p d u t = "snow" ++ t.fall ++ d.thick ++ p.s ++ u.s ;
    ThereIs p d u t =
      variants {
        "there" ++ t.be ++ d.adj ++ "snowfall" ++ p.s ++ u.s ;
        p.front ++ "there" ++ t.be ++ d.adj ++ "snowfall" ++ u.s } ;
    Lasts p d u t = "the" ++ d.adj ++ "snowfall" ++ p.s ++ t.last ++ u.last ;
    PlaceHas p d u t = p.subject ++ t.have ! p.n ++ d.adj ++ "snowfall" ++ u.s ;

    SemVar1aMountains = place "the mountains" Pl | place "the mountain region" Sg ;
    SemVar1bNorthEstonia =
      place "northern Estonia" Sg | place "the north of Estonia" Sg ;
    SemVar1cCapital = place ("the capital" ++ optional "city") Sg ;
    SemVar2aHeavily = {adv = "heavily" | "hard" ; thick = "heavily" | "thickly" ; adj = "heavy"} ;
    Somehow = {adv = [] ; thick = [] ; adj = []} ;
    SemVar3aTwoDays = {s = "for two days" ; last = optional "for" ++ "two days"} ;
    SemVar3bWeeks =
      {s = "for weeks" ++ optional "on end" ; last = optional "for" ++ "weeks"} ;
    SemVar3cAllNight =
      {s = "all night" ++ optional "long" | "throughout the night" ;
       last = "all night" ++ optional "long" | "throughout the night"} ;
    SemVar4aPerfect = {
      snow = "has snowed" | "has been snowing" ;
      fall = "has fallen" | "has been falling" ;
      be = "has been" ;
      last = "has lasted" ;
      have = \\n => has ! n ++ ("had" | "seen")} ;
    SemVar4bPast = {
      snow = "snowed" | "kept snowing" ;
      fall = "fell" | "kept falling" ;
      be = "was" ;
      last = "lasted" ;
      have = \\_ => "had" | "saw"} ;
  oper
    place : Str -> Number -> {subject, s, front : Str ; n : Number} = \name, n ->
      {subject = name ; s = "in" ++ name ; front = "in" ++ name ++ comma ; n = n} ;
}
