--# -path=.:../common
-- SPDX-License-Identifier: Apache-2.0
concrete VesselFin of Vessel = open Predef, CommonFin in {
  lincat
    Template, Place = Str ;
    -- The vessel, after "väriltään", and its colour.
    Subject = {s, after, colour : Str} ;
    Vessel, Colour = {s : Number => Case => Str} ;
  lin
    Is v c = v.s ++ "on" ++ c.s ! Sg ! Nom ;
    InColour v c =
      variants {
        v.s ++ "on" ++ eitherWay "väriltään" (c.s ! Sg ! Nom) ;
        "väriltään" ++ v.after ++ "on" ++ c.s ! Sg ! Nom } ;
    ColourIs v c = v.colour ++ "on" ++ c.s ! Sg ! Nom ;
    OfColour v c = v.s ++ "on" ++ c.s ! Sg ! Gen ++ varinen.s ! Sg ! Nom ;

    Alone v =
      {s = v.s ! Sg ! Nom ; after = v.s ! Sg ! Nom ;
       colour = v.s ! Sg ! Gen ++ vari.s ! Sg ! Nom} ;
    -- The place can follow the nominative, but not the genitive before "väri".
    On v p =
      {s = v.s ! Sg ! Nom ++ p ; after = v.s ! Sg ! Nom ++ p ; colour = nonExist} ;
    Standing v p =
      {s = p ++ (oleva | seisova).s ! Sg ! Nom ++ v.s ! Sg ! Nom ;
       after = p ++ (oleva | seisova).s ! Sg ! Nom ++ v.s ! Sg ! Nom ;
       colour =
         p ++ (oleva | seisova).s ! Sg ! Gen ++ v.s ! Sg ! Gen ++ vari.s ! Sg ! Nom} ;
    -- "joka" would belong to the colour in "kannun väri, joka".
    WhichStands v p =
      {s = optional "se" ++ v.s ! Sg ! Nom ++ "," ++ "joka" ++ ("on" | "seisoo") ++ p
         ++ "," ;
       after = nonExist ; colour = nonExist} ;

    SemVar1aJug = kannu ;
    SemVar1bVase = maljakko | kukkamaljakko ;
    SemVar1cFruitBowl = hedelmakulho | hedelmavati ;
    SemVar1dBucket = ampari | sanko ;
    SemVar2aWindowsill = ikkunalauta.s ! Sg ! Ade ;
    SemVar2bTopShelf = (ylahylly | agreeing ylin hylly).s ! Sg ! Ade ;
    SemVar2cSteps = (porras | rappunen).s ! Pl ! Ade ;
    SemVar3aDarkGreen = tummanvihrea | syvanvihrea ;
    SemVar3bLightGrey = vaaleanharmaa ;
    SemVar3cViolet = violetti | sinipunainen | liila ;
    SemVar3dBrightRed = kirkkaanpunainen | helakanpunainen | heleanpunainen ;
  oper
    kannu : {s : Number => Case => Str} = likeTalo "a" "kann" "kann" "u" ;
    maljakko : {s : Number => Case => Str} =
      nominal "a" "maljakko" "maljako" "maljakko" "maljakkoa" "maljakkoon"
        ("maljakoiden" | "maljakoitten" | "maljakkojen") ("maljakoita" | "maljakkoja")
        "maljakoi" "maljakkoi" ("maljakoihin" | "maljakkoihin") ;
    kukkamaljakko : {s : Number => Case => Str} = compound "kukka" maljakko ;
    hedelmakulho : {s : Number => Case => Str} =
      compound "hedelmä" (likeTalo "a" "kulh" "kulh" "o") ;
    hedelmavati : {s : Number => Case => Str} =
      compound "hedelmä" (likeRisti "a" "vat" "vad") ;
    ampari : {s : Number => Case => Str} = likeMestari "ä" "ämpär" ;
    sanko : {s : Number => Case => Str} = likeTalo "a" "sank" "sang" "o" ;
    ikkunalauta : {s : Number => Case => Str} =
      compound "ikkuna" (likeKala "laut" "laud") ;
    hylly : {s : Number => Case => Str} = likeTalo "ä" "hyll" "hyll" "y" ;
    ylahylly : {s : Number => Case => Str} = compound "ylä" hylly ;
    ylin : {s : Number => Case => Str} =
      nominal "ä" "ylin" "ylimmä" "ylimpä" "ylintä" "ylimpään"
        "ylimpien" "ylimpiä" "ylimmi" "ylimpi" "ylimpiin" ;
    porras : {s : Number => Case => Str} =
      likeRikas "a" "porras" "portaa" "portai" ;
    rappunen : {s : Number => Case => Str} = likeNainen "a" "rappu" ;
    vihrea : {s : Number => Case => Str} =
      nominal "ä" "vihreä" "vihreä" "vihreä" ("vihreää" | "vihreätä") "vihreään"
        ("vihreiden" | "vihreitten") "vihreitä" "vihrei" "vihrei"
        ("vihreisiin" | "vihreihin") ;
    tummanvihrea : {s : Number => Case => Str} = compound "tumman" vihrea ;
    syvanvihrea : {s : Number => Case => Str} = compound "syvän" vihrea ;
    vaaleanharmaa : {s : Number => Case => Str} =
      compound "vaalean"
        (nominal "a" "harmaa" "harmaa" "harmaa" "harmaata" "harmaaseen"
          ("harmaiden" | "harmaitten") "harmaita" "harmai" "harmai"
          ("harmaisiin" | "harmaihin")) ;
    violetti : {s : Number => Case => Str} = likeRisti "a" "violett" "violet" ;
    liila : {s : Number => Case => Str} = likeKala "liil" "liil" ;
    punainen : {s : Number => Case => Str} = likeNainen "a" "punai" ;
    sinipunainen : {s : Number => Case => Str} = compound "sini" punainen ;
    kirkkaanpunainen : {s : Number => Case => Str} = compound "kirkkaan" punainen ;
    helakanpunainen : {s : Number => Case => Str} = compound "helakan" punainen ;
    heleanpunainen : {s : Number => Case => Str} = compound "heleän" punainen ;
    vari : {s : Number => Case => Str} = likeRisti "ä" "vär" "vär" ;
    varinen : {s : Number => Case => Str} = likeNainen "ä" "väri" ;
    oleva : {s : Number => Case => Str} = likeKoira "a" "olev" "olev" ;
    seisova : {s : Number => Case => Str} = likeKoira "a" "seisov" "seisov" ;
}
