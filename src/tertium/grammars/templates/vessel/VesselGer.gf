--# -path=.:../common
-- SPDX-License-Identifier: Apache-2.0
concrete VesselGer of Vessel = open CommonGer in {
  lincat
    Template, Place = Str ;
    -- The vessel, and its colour.
    Subject = {s, colour : Str} ;
    Vessel = {s : Number => Case => Str ; g : Gender} ;
    Colour = {pred : Str ; s : Declension => Number => Gender => Case => Str} ;
  lin
    Is v c = v.s ++ "ist" ++ c.pred ;
    InColour v c =
      v.s ++ "ist von" ++ c.s ! Strong ! Sg ! Fem ! Dat ++ farbe.s ! Sg ! Dat ;
    ColourIs v c = v.colour ++ "ist" ++ c.pred ;
    HasColour v c =
      v.s ++ "hat eine" ++ c.s ! Mixed ! Sg ! Fem ! Acc ++ farbe.s ! Sg ! Acc ;

    Alone v = subject (the v Nom) (the v Gen) ;
    On v p = subject (the v Nom ++ p) (the v Gen ++ p) ;
    -- der auf dem Fensterbrett stehende Krug
    Standing v p = subject (standing v p Nom) (standing v p Gen) ;
    WhichStands v p = subject (the v Nom ++ which v p) (the v Gen ++ which v p) ;

    SemVar1aJug = krug | kanne ;
    SemVar1bVase = vase | blumenvase ;
    SemVar1cFruitBowl = obstschale | obstschuessel ;
    SemVar1dBucket = eimer | kuebel ;
    SemVar2aWindowsill = on fensterbank | on fensterbrett | on fenstersims ;
    SemVar2bTopShelf =
      "auf dem" ++ oberst.s ! Weak ! Sg ! Neut ! Dat ++ regalbrett.s ! Sg ! Dat
      | "auf dem" ++ oberst.s ! Weak ! Sg ! Masc ! Dat ++ regalboden.s ! Sg ! Dat ;
    SemVar2cSteps = on treppe | "auf den" ++ (stufe | treppenstufe).s ! Pl ! Dat ;
    SemVar3aDarkGreen = dunkelgruen | tiefgruen ;
    SemVar3bLightGrey = hellgrau | blassgrau ;
    SemVar3cViolet = violett | lila ;
    SemVar3dBrightRed = before ("leuchtend" | "strahlend") rot | knallrot ;
  oper
    subject : Str -> Str -> {s, colour : Str} = \nom, gen ->
      {s = nom ; colour = "die" ++ farbe.s ! Sg ! Nom ++ gen} ;
    the : {s : Number => Case => Str ; g : Gender} -> Case -> Str = \v, c ->
      der ! Sg ! v.g ! c ++ v.s ! Sg ! c ;
    on : {s : Number => Case => Str ; g : Gender} -> Str = \place ->
      "auf" ++ der ! Sg ! place.g ! Dat ++ place.s ! Sg ! Dat ;
    standing : {s : Number => Case => Str ; g : Gender} -> Str -> Case -> Str =
      \v, p, c ->
        der ! Sg ! v.g ! c ++ p ++ stehend.s ! Weak ! Sg ! v.g ! c ++ v.s ! Sg ! c ;
    which : {s : Number => Case => Str ; g : Gender} -> Str -> Str = \v, p ->
      "," ++ der ! Sg ! v.g ! Nom ++ (p ++ "steht" | "sich" ++ p ++ "befindet") ++ "," ;

    krug : {s : Number => Case => Str ; g : Gender} =
      noun "Krug" ("Krugs" | "Kruges") "Krüge" "Krügen" Masc ;
    kanne : {s : Number => Case => Str ; g : Gender} = feminine "Kanne" "Kannen" ;
    vase : {s : Number => Case => Str ; g : Gender} = feminine "Vase" "Vasen" ;
    blumenvase : {s : Number => Case => Str ; g : Gender} =
      compound "Blumen" (feminine "vase" "vasen") ;
    obstschale : {s : Number => Case => Str ; g : Gender} =
      compound "Obst" (feminine "schale" "schalen") ;
    obstschuessel : {s : Number => Case => Str ; g : Gender} =
      compound "Obst" (feminine "schüssel" "schüsseln") ;
    eimer : {s : Number => Case => Str ; g : Gender} =
      noun "Eimer" "Eimers" "Eimer" "Eimern" Masc ;
    kuebel : {s : Number => Case => Str ; g : Gender} =
      noun "Kübel" "Kübels" "Kübel" "Kübeln" Masc ;
    fensterbank : {s : Number => Case => Str ; g : Gender} =
      compound "Fenster" (feminine "bank" "bänke") ;
    fensterbrett : {s : Number => Case => Str ; g : Gender} =
      compound "Fenster" (noun "brett" ("bretts" | "brettes") "bretter" "brettern" Neut) ;
    fenstersims : {s : Number => Case => Str ; g : Gender} =
      compound "Fenster" (noun "sims" "simses" "simse" "simsen" Masc) ;
    regalbrett : {s : Number => Case => Str ; g : Gender} =
      compound "Regal" (noun "brett" ("bretts" | "brettes") "bretter" "brettern" Neut) ;
    regalboden : {s : Number => Case => Str ; g : Gender} =
      compound "Regal" (noun "boden" "bodens" "böden" "böden" Masc) ;
    treppe : {s : Number => Case => Str ; g : Gender} = feminine "Treppe" "Treppen" ;
    stufe : {s : Number => Case => Str ; g : Gender} = feminine "Stufe" "Stufen" ;
    treppenstufe : {s : Number => Case => Str ; g : Gender} =
      compound "Treppen" (feminine "stufe" "stufen") ;
    farbe : {s : Number => Case => Str ; g : Gender} = feminine "Farbe" "Farben" ;

    dunkelgruen : {pred : Str ; s : Declension => Number => Gender => Case => Str} =
      regular "dunkelgrün" ;
    tiefgruen : {pred : Str ; s : Declension => Number => Gender => Case => Str} =
      regular "tiefgrün" ;
    hellgrau : {pred : Str ; s : Declension => Number => Gender => Case => Str} =
      regular "hellgrau" ;
    blassgrau : {pred : Str ; s : Declension => Number => Gender => Case => Str} =
      regular "blassgrau" ;
    violett : {pred : Str ; s : Declension => Number => Gender => Case => Str} =
      regular "violett" ;
    lila : {pred : Str ; s : Declension => Number => Gender => Case => Str} =
      unchanging "lila" ;
    rot : {pred : Str ; s : Declension => Number => Gender => Case => Str} =
      regular "rot" ;
    knallrot : {pred : Str ; s : Declension => Number => Gender => Case => Str} =
      regular "knallrot" ;
    -- "oberst" is never predicative.
    oberst : {pred : Str ; s : Declension => Number => Gender => Case => Str} =
      regular "oberst" ;
    stehend : {pred : Str ; s : Declension => Number => Gender => Case => Str} =
      regular "stehend" ;
}
