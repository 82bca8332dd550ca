--# -path=.:../common
-- SPDX-License-Identifier: Apache-2.0
concrete VesselEng of Vessel = open Predef, CommonEng in {
  lincat
    Template, Vessel, Place, Colour = Str ;
    -- The vessel, and its colour.
    Subject = {s, colour : Str} ;
  lin
    Is v c = v.s ++ "is" ++ c ;
    InColour v c = v.s ++ "is" ++ c ++ "in" ++ colour ;
    ColourIs v c = v.colour ++ "is" ++ c ;
    HasColour v c = v.s ++ "has a" ++ c ++ colour ;
    One v c = v.s ++ "is a" ++ c ++ "one" ;

    Alone v = {
      s = "the" ++ v ;
      colour = "the" ++ colour ++ "of the" ++ v | "the" ++ v ++ BIND ++ "'s" ++ colour } ;
    On v p = subject (v ++ "on" ++ p) ;
    Standing v p = subject (v ++ "standing on" ++ p) ;
    WhichStands v p = subject (v ++ ("that" | "which") ++ ("is" | "stands") ++ "on" ++ p) ;

    SemVar1aJug = "jug" | "pitcher" ;
    SemVar1bVase = optional "flower" ++ "vase" ;
    SemVar1cFruitBowl = "fruit" ++ ("bowl" | "dish") ;
    SemVar1dBucket = "bucket" | "pail" ;
    SemVar2aWindowsill = "the" ++ ("windowsill" | "window ledge") ;
    SemVar2bTopShelf = "the" ++ ("top" | "topmost") ++ "shelf" ;
    SemVar2cSteps = "the" ++ ("steps" | "stairs") ;
    SemVar3aDarkGreen = ("dark" | "deep") ++ "green" ;
    SemVar3bLightGrey = ("light" | "pale") ++ ("grey" | "gray") ;
    SemVar3cViolet = "violet" | "purple" ;
    SemVar3dBrightRed = ("bright" | "vivid") ++ "red" ;
  oper
    colour : Str = "colour" | "color" ;
    subject : Str -> {s, colour : Str} = \text ->
      {s = "the" ++ text ; colour = "the" ++ colour ++ "of the" ++ text} ;
}
