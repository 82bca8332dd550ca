--# -path=.:../common
-- SPDX-License-Identifier: Apache-2.0
concrete SnowFin of Snow = open Predef, CommonFin in {
  param
    -- Whether there can have been several snowfalls.
    Span = Short | Long ;
  lincat
    Template, Place = Str ;
    -- With a verb, before "lunta" and "lumentulo", with "pyryttää" and "lumisade".
    Degree = {adv, much, plenty, storm : Str ; adj : {s : Number => Case => Str}} ;
    -- With most verbs, without "jo", and with "kestää".
    Duration = {s, through, last : Str ; span : Span} ;
    -- The finite verb and the participle; "jo" with the perfect.
    Tense = {rain, be, last, continue, storm : {fin, part : Str} ; already : Str} ;
  lin
    ItSnows p d u t =
      let
        time : Str = t.already ++ u.s | u.through ;
        what : Str = variants {
          d.adv ++ lumi.s ! Sg ! Par ; lumi.s ! Sg ! Par ++ d.adv ;
          d.much ++ lumi.s ! Sg ! Par } in
      variants {
        p ++ t.rain.fin ++ t.rain.part ++ eitherWay what time ;
        p ++ t.rain.fin ++ time ++ t.rain.part ++ what ;
        time ++ t.rain.fin ++ t.rain.part ++ eitherWay what p } ;
    SnowFalls p d u t =
      let time : Str = t.already ++ u.s | u.through in
      lumi.s ! Sg ! Par ++ t.rain.fin ++
      variants {
        t.rain.part ++ d.adv ++ eitherWay p time ;
        t.rain.part ++ p ++ d.adv ++ time ;
        p ++ t.rain.part ++ d.adv ++ time } ;
    ThereIs p d u t =
      let
        time : Str = t.already ++ u.s | u.through ;
        snow : Str = snowfalls d u.span in
      variants {
        p ++ t.be.fin ++ t.be.part ++ eitherWay snow time ;
        p ++ t.be.fin ++ time ++ t.be.part ++ snow ;
        time ++ t.be.fin ++ p ++ t.be.part ++ snow ;
        snow ++ t.be.fin ++ t.be.part ++ p ++ time } ;
    Lasts p d u t =
      let
        fall : Str = d.adj.s ! Sg ! Nom ++ lumisade.s ! Sg ! Nom ;
        both : Str = fall | d.plenty ++ lumentulo.s ! Sg ! Nom in
      variants {
        p ++ fall ++ lasting t u [] ;
        fall ++ p ++ lasting t u [] ;
        fall ++ lasting t u p ;
        p ++ both ++ continuing t u [] ;
        both ++ p ++ continuing t u [] ;
        both ++ continuing t u p } ;
    Blizzard p d u t =
      let time : Str = t.already ++ u.s | u.through in
      variants {
        p ++ t.storm.fin ++ t.storm.part ++ eitherWay d.storm time ;
        p ++ t.storm.fin ++ time ++ t.storm.part ++ d.storm ;
        time ++ t.storm.fin ++ p ++ t.storm.part ++ d.storm } ;

    SemVar1aMountains = vuori.s ! Pl ! Ade | vuoristo.s ! Sg ! Ine ;
    SemVar1bNorthEstonia =
      (pohjoisViro | pohjoisEesti).s ! Sg ! Ine
      | (viro | eesti).s ! Sg ! Gen ++ pohjoisosa.s ! (Sg | Pl) ! Ine ;
    SemVar1cCapital = paakaupunki.s ! Sg ! Ine ;
    SemVar2aHeavily = {
      adv = "sakeasti" | "runsaasti" | "kovasti" ;
      much = "paljon" ;
      plenty = runsas.s ! Sg ! Nom ;
      storm = variants {[] ; "sakeasti" ; "kovasti"} ;
      adj = sakea | runsas | voimakas } ;
    Somehow = {
      adv = [] ; much = [] ; plenty = [] ; storm = nonExist ; adj = {s = \\_, _ => []}} ;
    SemVar3aTwoDays = {
      s = "kaksi" ++ (paiva | vuorokausi).s ! Sg ! Par
        | "kahden" ++ (paiva | vuorokausi).s ! Sg ! Gen ++ "ajan" ;
      through = nonExist ;
      last = "kaksi" ++ (paiva | vuorokausi).s ! Sg ! Par ;
      span = Short } ;
    SemVar3bWeeks = {
      s = viikko.s ! Pl ! Par | viikkokausi.s ! Pl ! Par | "viikkokaupalla" ;
      through = nonExist ;
      last = viikko.s ! Pl ! Par | viikkokausi.s ! Pl ! Par ;
      span = Long } ;
    SemVar3cAllNight = {
      s = "koko" ++ yo.s ! Sg ! Gen ++ optional "ajan" ;
      through = "läpi" ++ yo.s ! Sg ! Gen ;
      last = "koko" ++ yo.s ! Sg ! Gen ;
      span = Short } ;
    SemVar4aPerfect = {
      rain = perfect sataa ; be = perfect olla ; last = perfect kestaa ;
      continue = perfect jatkua ; storm = perfect pyryttaa ; already = optional "jo"} ;
    SemVar4bPast = {
      rain = past sataa ; be = past olla ; last = past kestaa ;
      continue = past jatkua ; storm = past pyryttaa ; already = []} ;
  oper
    perfect : {s : VForm => Str} -> {fin, part : Str} = \v ->
      {fin = olla.s ! (Pres Sg) ; part = v.s ! (Nut Sg)} ;
    past : {s : VForm => Str} -> {fin, part : Str} = \v ->
      {fin = v.s ! (Past Sg) ; part = []} ;
    snowfalls : {adv, much, plenty, storm : Str ; adj : {s : Number => Case => Str}} -> Span -> Str =
      \d, span ->
      let one : Str = d.adj.s ! Sg ! Par ++ lumisade.s ! Sg ! Par in
      table {
        Short => one ;
        Long => one | d.adj.s ! Pl ! Par ++ lumisade.s ! Pl ! Par } ! span ;
    -- The place, if it has not come before, between verb and duration.
    lasting : {rain, be, last, continue, storm : {fin, part : Str} ; already : Str} ->
              {s, through, last : Str ; span : Span} -> Str -> Str = \t, u, p ->
      t.last.fin ++ t.last.part ++ p ++ t.already ++ u.last ;
    continuing : {rain, be, last, continue, storm : {fin, part : Str} ; already : Str} ->
                 {s, through, last : Str ; span : Span} -> Str -> Str = \t, u, p ->
      t.continue.fin ++ t.continue.part ++ p ++ (t.already ++ u.s | u.through) ;

    lumi : {s : Number => Case => Str} =
      nominal "a" "lumi" "lume" "lume" "lunta" "lumeen"
        ("lumien" | "lunten") "lumia" "lumi" "lumi" "lumiin" ;
    lumisade : {s : Number => Case => Str} = compound "lumi" (likeSade "a" "sade" "sate") ;
    lumentulo : {s : Number => Case => Str} =
      compound "lumen" (likeTalo "a" "tul" "tul" "o") ;
    vuori : {s : Number => Case => Str} = likeSuuri "a" "vuor" ;
    vuoristo : {s : Number => Case => Str} = likeTalo "a" "vuorist" "vuorist" "o" ;
    viro : {s : Number => Case => Str} = singular (likeTalo "a" "Vir" "Vir" "o") ;
    eesti : {s : Number => Case => Str} = singular (likeRisti "ä" "Eest" "Eest") ;
    pohjoisViro : {s : Number => Case => Str} = compound "Pohjois-" viro ;
    pohjoisEesti : {s : Number => Case => Str} = compound "Pohjois-" eesti ;
    pohjoisosa : {s : Number => Case => Str} = compound "pohjois" (likeKoira "a" "os" "os") ;
    paakaupunki : {s : Number => Case => Str} =
      compound "pää" (likeRisti "a" "kaupunk" "kaupung") ;
    sakea : {s : Number => Case => Str} = likeKorkea "a" "sake" ;
    runsas : {s : Number => Case => Str} = likeRikas "a" "runsas" "runsaa" "runsai" ;
    voimakas : {s : Number => Case => Str} =
      likeRikas "a" "voimakas" "voimakkaa" "voimakkai" ;
    paiva : {s : Number => Case => Str} = likeKoira "ä" "päiv" "päiv" ;
    kausi : {s : Number => Case => Str} =
      nominal "a" "kausi" "kaude" "kaute" "kautta" "kauteen"
        "kausien" "kausia" "kausi" "kausi" "kausiin" ;
    vuorokausi : {s : Number => Case => Str} = compound "vuoro" kausi ;
    viikkokausi : {s : Number => Case => Str} = compound "viikko" kausi ;
    viikko : {s : Number => Case => Str} = likeTalo "a" "viikk" "viik" "o" ;
    yo : {s : Number => Case => Str} = likeMaa "ä" "yö" "öi" "yöhön" ;

    sataa : {s : VForm => Str} =
      verb "sataa" "sataa" "satavat" "satoi" "satoivat" "sataisi" "sataisivat" "satanut"
        "sataneet" "sadetaan" ;
    kestaa : {s : VForm => Str} =
      verb "kestää" "kestää" "kestävät" "kesti" "kestivät" "kestäisi" "kestäisivät"
        "kestänyt" "kestäneet" "kestetään" ;
    jatkua : {s : VForm => Str} =
      verb "jatkua" "jatkuu" "jatkuvat" "jatkui" "jatkuivat" "jatkuisi" "jatkuisivat"
        "jatkunut" "jatkuneet" "jatkutaan" ;
    pyryttaa : {s : VForm => Str} =
      verb "pyryttää" "pyryttää" "pyryttävät" "pyrytti" "pyryttivät" "pyryttäisi"
        "pyryttäisivät" "pyryttänyt" "pyryttäneet" "pyrytetään" ;
}
