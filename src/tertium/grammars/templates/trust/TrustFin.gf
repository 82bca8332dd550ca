--# -path=.:../common
-- SPDX-License-Identifier: Apache-2.0
-- Finnish has no future tense: "on" serves, and "tulee olemaan" where it must be plain.
concrete TrustFin of Trust = open CommonFin in {
  lincat
    Template, After = Str ;
    -- In the genitive: whose trust it is.
    Holder = {gen : Str} ;
    -- With an infinitive ("on vaikea(a) palauttaa"), and in all cases.
    Effort = {inf : Str ; s : Number => Case => Str} ;
  lin
    ItWillBe h e a =
      variants {
        willBe ++ e.inf ++ regain (h.gen ++ luottamus.s ! Sg ! Nom) ++ a ;
        a ++ willBe ++ e.inf ++ regain (h.gen ++ luottamus.s ! Sg ! Nom) } ;
    TrustWillBe h e a =
      let trust : Str = h.gen ++ (luottamus.s ! Sg ! Nom | luottamus.s ! Sg ! Par) in
      variants {
        trust ++ willBe ++ e.inf ++ regain [] ++ a ;
        trust ++ willBe ++ a ++ e.inf ++ regain [] ;
        a ++ trust ++ willBe ++ e.inf ++ regain [] } ;
    Regaining h e a = regaining h Nom a willBe (e.s ! Sg ! Par) ;
    Task h e a = regaining h Nom a willBe (e.s ! Sg ! Nom ++ task.s ! Sg ! Nom) ;
    Prove h e a = regaining h Nom a prove (e.s ! Sg ! Tra) ;
    Become h e a =
      regaining h Ela a (tulla.s ! (Pres Sg))
        (e.s ! Sg ! Par | e.s ! Sg ! Nom ++ task.s ! Sg ! Nom) ;

    SemVar1aCustomers = {gen = asiakas.s ! Pl ! Gen} ;
    SemVar1bVoters =
      {gen = (aanestaja | valitsija).s ! Pl ! Gen | aanestajakunta.s ! Sg ! Gen} ;
    SemVar1cStaff =
      {gen = tyontekija.s ! Pl ! Gen | (henkilokunta | henkilosto).s ! Sg ! Gen} ;
    SemVar2aHard =
      {inf = vaikea.s ! Sg ! (Nom | Par) | hankala.s ! Sg ! (Nom | Par) ;
       s = (vaikea | hankala).s} ;
    SemVar2bEasy =
      {inf = helppo.s ! Sg ! (Nom | Par) | (vaivaton | yksinkertainen).s ! Sg ! Par ;
       s = (helppo | vaivaton | yksinkertainen).s} ;
    SemVar2cLaborious =
      {inf = (tyolas | vaivalloinen).s ! Sg ! Par ;
       s = (tyolas | vaivalloinen).s} ;
    SemVar3aDataBreach = (tietomurto | tietovuoto).s ! Sg ! Gen ++ "jälkeen" ;
    SemVar3bScandal = (skandaali | kohu).s ! Sg ! Gen ++ "jälkeen" ;
    Whenever = [] ;
  oper
    willBe : Str = olla.s ! (Pres Sg) | tulla.s ! (Pres Sg) ++ "olemaan" ;
    prove : Str = osoittautua.s ! (Pres Sg) | tulla.s ! (Pres Sg) ++ "osoittautumaan" ;
    -- The object, if it has not come before, on either side of the adverb.
    regain : Str -> Str = \object ->
      variants {
        palauttaa.s ! Inf ++ object ;
        (voittaa.s ! Inf | saada.s ! Inf) ++ eitherWay object "takaisin" ;
        rakentaa.s ! Inf ++ eitherWay object ("uudelleen" | "uudestaan") } ;
    -- A clause about regaining trust: the time may stand before it, within the
    -- subject, after the verb and at the end.
    regaining : {gen : Str} -> Case -> Str -> Str -> Str -> Str =
      \h, c, a, verb, rest ->
      let subject : Str = h.gen ++ luottamus.s ! Sg ! Gen ++ action c in
      variants {
        a ++ subject ++ verb ++ rest ;
        subject ++ a ++ verb ++ rest ;
        subject ++ verb ++ a ++ rest ;
        subject ++ verb ++ rest ++ a } ;
    action : Case -> Str = \c ->
      variants {
        (palauttaminen | uudelleenrakentaminen | jalleenrakentaminen).s ! Sg ! c ;
        (voittaminen | saaminen).s ! Sg ! c ++ "takaisin" ;
        "takaisin" ++ (voittaminen | saaminen).s ! Sg ! c ;
        "uudelleen" ++ rakentaminen.s ! Sg ! c ;
        rakentaminen.s ! Sg ! c ++ ("uudelleen" | "uudestaan") } ;

    luottamus : {s : Number => Case => Str} = likeVastaus "a" "luottamu" ;
    asiakas : {s : Number => Case => Str} =
      likeRikas "a" "asiakas" "asiakkaa" "asiakkai" ;
    aanestaja : {s : Number => Case => Str} = likeKoira "ä" "äänestäj" "äänestäj" ;
    valitsija : {s : Number => Case => Str} = likeOmistaja "a" "valitsij" "o" ;
    kunta : {s : Number => Case => Str} = likeKoira "a" "kunt" "kunn" ;
    aanestajakunta : {s : Number => Case => Str} = compound "äänestäjä" kunta ;
    henkilokunta : {s : Number => Case => Str} = compound "henkilö" kunta ;
    henkilosto : {s : Number => Case => Str} = likeTalo "ä" "henkilöst" "henkilöst" "ö" ;
    tyontekija : {s : Number => Case => Str} =
      compound "työn" (likeOmistaja "ä" "tekij" "ö") ;
    tehtava : {s : Number => Case => Str} = likeKoira "ä" "tehtäv" "tehtäv" ;
    urakka : {s : Number => Case => Str} =
      nominal "a" "urakka" "uraka" "urakka" "urakkaa" "urakkaan"
        ("urakoiden" | "urakoitten" | "urakkojen") ("urakoita" | "urakkoja") "urakoi"
        "urakkoi" ("urakkoihin" | "urakoihin") ;
    task : {s : Number => Case => Str} = tehtava | urakka ;
    vaikea : {s : Number => Case => Str} = likeKorkea "a" "vaike" ;
    hankala : {s : Number => Case => Str} = likeKoira "a" "hankal" "hankal" ;
    helppo : {s : Number => Case => Str} = likeTalo "a" "helpp" "help" "o" ;
    vaivaton : {s : Number => Case => Str} =
      likeOnneton "a" "vaivato" "vaivattoma" "vaivattomi" ;
    yksinkertainen : {s : Number => Case => Str} = likeNainen "a" "yksinkertai" ;
    tyolas : {s : Number => Case => Str} = likeRikas "ä" "työläs" "työlää" "työläi" ;
    vaivalloinen : {s : Number => Case => Str} = likeNainen "a" "vaivalloi" ;
    tietomurto : {s : Number => Case => Str} =
      compound "tieto" (likeTalo "a" "murt" "murr" "o") ;
    tietovuoto : {s : Number => Case => Str} =
      compound "tieto" (likeTalo "a" "vuot" "vuod" "o") ;
    skandaali : {s : Number => Case => Str} = likeRisti "a" "skandaal" "skandaal" ;
    kohu : {s : Number => Case => Str} = likeTalo "a" "koh" "koh" "u" ;
    palauttaminen : {s : Number => Case => Str} = likeNainen "a" "palauttami" ;
    voittaminen : {s : Number => Case => Str} = likeNainen "a" "voittami" ;
    saaminen : {s : Number => Case => Str} = likeNainen "a" "saami" ;
    rakentaminen : {s : Number => Case => Str} = likeNainen "a" "rakentami" ;
    uudelleenrakentaminen : {s : Number => Case => Str} =
      compound "uudelleen" rakentaminen ;
    jalleenrakentaminen : {s : Number => Case => Str} =
      compound "jälleen" rakentaminen ;

    tulla : {s : VForm => Str} =
      verb "tulla" "tulee" "tulevat" "tuli" "tulivat" "tulisi" "tulisivat" "tullut"
        "tulleet" "tullaan" ;
    palauttaa : {s : VForm => Str} =
      verb "palauttaa" "palauttaa" "palauttavat" "palautti" "palauttivat" "palauttaisi"
        "palauttaisivat" "palauttanut" "palauttaneet" "palautetaan" ;
    voittaa : {s : VForm => Str} =
      verb "voittaa" "voittaa" "voittavat" "voitti" "voittivat" "voittaisi"
        "voittaisivat" "voittanut" "voittaneet" "voitetaan" ;
    saada : {s : VForm => Str} =
      verb "saada" "saa" "saavat" "sai" "saivat" "saisi" "saisivat" "saanut" "saaneet"
        "saadaan" ;
    rakentaa : {s : VForm => Str} =
      verb "rakentaa" "rakentaa" "rakentavat" "rakensi" "rakensivat" "rakentaisi"
        "rakentaisivat" "rakentanut" "rakentaneet" "rakennetaan" ;
    osoittautua : {s : VForm => Str} =
      verb "osoittautua" "osoittautuu" "osoittautuvat" "osoittautui" "osoittautuivat"
        "osoittautuisi" "osoittautuisivat" "osoittautunut" "osoittautuneet"
        "osoittaudutaan" ;
}
