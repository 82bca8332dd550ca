--# -path=.:../common
-- SPDX-License-Identifier: Apache-2.0
concrete VesselCze of Vessel = open Predef, CommonCze in {
  lincat
    Template, Place = Str ;
    -- The vessel, the same where a relative clause would be too heavy, and its colour.
    Subject = {s, light, colour : Str ; g : Gender} ;
    Vessel = {s : Number => Case => Str ; g : Gender} ;
    Colour = {s : Number => Gender => Case => Str} ;
  lin
    Is v c = v.s ++ "je" ++ c.s ! Sg ! v.g ! Nom ;
    InColour v c = v.s ++ "je" ++ c.s ! Sg ! Fem ! Gen ++ barva.s ! Sg ! Gen ;
    ColourIs v c = v.colour ++ "je" ++ c.s ! Sg ! Fem ! Nom ;
    HasColour v c =
      variants {
        v.s ++ "má" ++ c.s ! Sg ! Fem ! Acc ++ barva.s ! Sg ! Acc ;
        barva.s ! Sg ! Acc ++ "má" ++ v.light ++ c.s ! Sg ! Fem ! Acc } ;

    Alone v =
      {s = v.s ! Sg ! Nom ; light = v.s ! Sg ! Nom ;
       colour = barva.s ! Sg ! Nom ++ v.s ! Sg ! Gen ; g = v.g} ;
    On v p =
      {s = v.s ! Sg ! Nom ++ p ; light = v.s ! Sg ! Nom ++ p ;
       colour = barva.s ! Sg ! Nom ++ v.s ! Sg ! Gen ++ p ; g = v.g} ;
    Standing v p =
      {s = v.s ! Sg ! Nom ++ stojici.s ! Sg ! v.g ! Nom ++ p ;
       light = nonExist ;
       colour =
         barva.s ! Sg ! Nom ++ v.s ! Sg ! Gen ++ stojici.s ! Sg ! v.g ! Gen ++ p ;
       g = v.g} ;
    WhichStands v p =
      let which : Str =
        "," ++ ktery.s ! Sg ! v.g ! Nom ++ ("stojí" | "je") ++ p ++ "," in
      {s = v.s ! Sg ! Nom ++ which ;
       light = nonExist ;
       colour = barva.s ! Sg ! Nom ++ v.s ! Sg ! Gen ++ which ;
       g = v.g} ;

    SemVar1aJug = dzban | dzbanek ;
    SemVar1bVase = vaza | followed vaza "na květiny" ;
    SemVar1cFruitBowl = followed misa "na ovoce" | agreeing ovocny misa ;
    SemVar1dBucket = kbelik | vedro ;
    SemVar2aWindowsill = "na" ++ (parapet | agreeing okenni parapet).s ! Sg ! Loc ;
    SemVar2bTopShelf = "na" ++ (agreeing (horni | nejvyssi) police).s ! Sg ! Loc ;
    SemVar2cSteps = "na" ++ schod.s ! Pl ! Loc | "na" ++ schodiste.s ! Sg ! Loc ;
    SemVar3aDarkGreen = before "tmavě" zeleny | tmavozeleny | before "sytě" zeleny ;
    SemVar3bLightGrey = before ("světle" | "bledě") sedy | svetlosedy ;
    SemVar3cViolet = fialovy ;
    SemVar3dBrightRed = before ("jasně" | "zářivě") cerveny ;
  oper
    dzban : {s : Number => Case => Str ; g : Gender} =
      likeHrad "džbán" ("džbánu" | "džbáně") "džbánech" ;
    dzbanek : {s : Number => Case => Str ; g : Gender} =
      noun "džbánek" "džbánku" "džbánku" "džbánek" "džbánku" "džbánkem"
        "džbánky" "džbánků" "džbánkům" "džbánky" "džbáncích" "džbánky" Masc ;
    vaza : {s : Number => Case => Str ; g : Gender} = likeZena "váz" "váze" "váz" ;
    misa : {s : Number => Case => Str ; g : Gender} = likeZena "mís" "míse" "mís" ;
    kbelik : {s : Number => Case => Str ; g : Gender} =
      likeHrad "kbelík" "kbelíku" "kbelících" ;
    vedro : {s : Number => Case => Str ; g : Gender} = likeMesto "vědr" "věder" ;
    parapet : {s : Number => Case => Str ; g : Gender} =
      likeHrad "parapet" ("parapetu" | "parapetě") "parapetech" ;
    police : {s : Number => Case => Str ; g : Gender} =
      noun "police" "police" "polici" "polici" "polici" "policí"
        "police" "polic" "policím" "police" "policích" "policemi" Fem ;
    schod : {s : Number => Case => Str ; g : Gender} =
      likeHrad "schod" ("schodu" | "schodě") "schodech" ;
    schodiste : {s : Number => Case => Str ; g : Gender} =
      noun "schodiště" "schodiště" "schodišti" "schodiště" "schodišti" "schodištěm"
        "schodiště" "schodišť" "schodištím" "schodiště" "schodištích" "schodišti" Neut ;
    barva : {s : Number => Case => Str ; g : Gender} = likeZena "barv" "barvě" "barev" ;

    ovocny : {s : Number => Gender => Case => Str} = hard "ovocn" ;
    okenni : {s : Number => Gender => Case => Str} = soft "okenn" ;
    horni : {s : Number => Gender => Case => Str} = soft "horn" ;
    nejvyssi : {s : Number => Gender => Case => Str} = soft "nejvyšš" ;
    stojici : {s : Number => Gender => Case => Str} = soft "stojíc" ;
    ktery : {s : Number => Gender => Case => Str} = hard "kter" ;
    zeleny : {s : Number => Gender => Case => Str} = hard "zelen" ;
    tmavozeleny : {s : Number => Gender => Case => Str} = hard "tmavozelen" ;
    sedy : {s : Number => Gender => Case => Str} = hard "šed" ;
    svetlosedy : {s : Number => Gender => Case => Str} = hard "světlošed" ;
    fialovy : {s : Number => Gender => Case => Str} = hard "fialov" ;
    cerveny : {s : Number => Gender => Case => Str} = hard "červen" ;
}
