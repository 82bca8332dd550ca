--# -path=.:../common
-- SPDX-License-Identifier: Apache-2.0
-- The shop owns nothing here: "kaupassa ei ollut", not "kaupalla ei ollut".
concrete ShopFin of Shop = open Predef, CommonFin in {
  param
    Frames = FBut | FFirst | FWhen ;
    Pers = P1 | P3 ;
  lincat
    Template, Time = Str ;
    Frame = {f : Frames} ;
    Person = {s : Str ; p : Pers} ;
    -- The finite verb, what follows it, and the first again if it can follow "kun".
    Wish = {fin, when : Pers => Str ; rest : Str} ;
    -- The object; what there is none of, before the verb and after it; the last with
    -- a pronoun or without.
    Thing = {obj, front, none, noun : Str} ;
  lin
    ThereWas f p w t u =
      framed f.f p w t u
        (lack (shop Ine) "ollut" t) (lack (se Ine) "ollut" t) ;
    Available f p w t u =
      framed f.f p w t u
        (lack (shop Ela) "saanut" t
         | shop Ine ++ "ei ollut" ++ available ++ t.noun
         | t.front ++ "ei ollut" ++ available ++ shop Ine)
        (lack (se Ela) "saanut" t
         | se Ine ++ "ei ollut" ++ available ++ t.noun
         | t.front ++ "ei ollut" ++ se Ine ++ available) ;
    Found f p w t u =
      framed f.f p w t u
        (lack (shop Ela) "löytynyt" t) (lack (se Ela) "löytynyt" t) ;

    But = {f = FBut} ;
    ShopFirst = {f = FFirst} ;
    When = {f = FWhen} ;
    Wanted = {
      fin = table {P1 => "halusin" | "tahdoin" ; P3 => (haluta | tahtoa).s ! (Past Sg)} ;
      when = table {P1 => "halusin" | "tahdoin" ; P3 => (haluta | tahtoa).s ! (Past Sg)} ;
      rest = []} ;
    WouldHave = {
      fin = table {P1 => "olisin" ; P3 => olla.s ! (Cond Sg)} ;
      when = \\_ => nonExist ;
      rest = (haluta | tahtoa).s ! (Nut Sg)} ;

    SemVar1aI = {s = optional "minä" ; p = P1} ;
    SemVar1bGrandmother = {s = "isoäitini" | "mummoni" ; p = P3} ;
    SemVar2aTorch = {
      obj = taskulamppu.s ! Sg ! Gen ;
      front = sellainen.s ! Sg ! Par | taskulamppu.s ! (Sg | Pl) ! Par ;
      none = sellainen.s ! Sg ! Par | "yhtään" ++ optional (taskulamppu.s ! Sg ! Par)
           | taskulamppu.s ! (Sg | Pl) ! Par ;
      noun = optional "yhtään" ++ taskulamppu.s ! Sg ! Par | taskulamppu.s ! Pl ! Par } ;
    SemVar2bRubberBoots = {
      obj = kumisaapas.s ! Pl ! (Nom | Par) ;
      front = "niitä" | (sellainen | kumisaapas).s ! Pl ! Par ;
      none = "niitä" | sellainen.s ! Pl ! Par | atAll ++ kumisaapas.s ! Pl ! Par ;
      noun = atAll ++ kumisaapas.s ! Pl ! Par } ;
    SemVar2cPotatoFlour =
      flour "niitä" (perunajauho.s ! Pl ! Par)
      | flour "sitä" (perunatarkkelys.s ! Sg ! Par) ;
    SemVar3aSaturday = optional "viime" ++ lauantai.s ! Sg ! Ess ;
    SemVar3bSpring = kevat.s ! Sg ! Ade | "viime" ++ kevat.s ! Sg ! Ess ;
    Sometime = [] ;
  oper
    shop : Case -> Str = \c -> (kauppa | myymala).s ! Sg ! c ;
    se : Case -> Str = \c -> table {Ela => "sieltä" ; _ => "siellä"} ! c ;
    available : Str = "saatavilla" | "saatavana" ;
    atAll : Str = optional ("lainkaan" | "ollenkaan") ;
    flour : Str -> Str -> {obj, front, none, noun : Str} = \pronoun, noun ->
      {obj = noun ; front = pronoun | noun ; none = pronoun | atAll ++ noun ;
       noun = atAll ++ noun} ;
    -- The negation of the partitive: after the verb, first, and within the verb.
    lack : Str -> Str -> {obj, front, none, noun : Str} -> Str = \place, participle, t ->
      variants {
        place ++ "ei" ++ participle ++ t.none ;
        t.front ++ "ei" ++ participle ++ place ;
        t.front ++ "ei" ++ place ++ participle } ;
    -- A wish: the time first, after the finite verb, before the object or last.
    wish : {s : Str ; p : Pers} -> Str -> Str -> Str -> Str -> Str =
      \p, fin, rest, object, u ->
      variants {
        u ++ p.s ++ fin ++ rest ++ "ostaa" ++ object ;
        p.s ++ fin ++ u ++ rest ++ "ostaa" ++ object ;
        p.s ++ fin ++ rest ++ "ostaa" ++ eitherWay object u } ;
    framed : Frames -> {s : Str ; p : Pers} -> {fin, when : Pers => Str ; rest : Str} ->
             {obj, front, none, noun : Str} -> Str -> Str -> Str -> Str =
      \f, p, w, t, u, shopLack, thereLack ->
      table {
        FBut =>
          wish p (w.fin ! p.p) w.rest t.obj u ++ "," ++ "mutta" ++ shopLack ;
        FFirst =>
          wish p (w.fin ! p.p) w.rest (eitherWay t.obj (shop Ela)) u ++ ","
            ++ "mutta" ++ thereLack ;
        FWhen =>
          "kun" ++ wish p (w.when ! p.p) w.rest t.obj u ++ "," ++ shopLack } ! f ;

    kauppa : {s : Number => Case => Str} = likeKala "kaupp" "kaup" ;
    myymala : {s : Number => Case => Str} = likeOmistaja "ä" "myymäl" "ö" ;
    taskulamppu : {s : Number => Case => Str} =
      compound "tasku" (likeTalo "a" "lampp" "lamp" "u") ;
    kumisaapas : {s : Number => Case => Str} =
      compound "kumi" (likeRikas "a" "saapas" "saappaa" "saappai") ;
    perunajauho : {s : Number => Case => Str} =
      compound "peruna" (likeTalo "a" "jauh" "jauh" "o") ;
    perunatarkkelys : {s : Number => Case => Str} =
      compound "peruna" (likeVastaus "ä" "tärkkely") ;
    sellainen : {s : Number => Case => Str} = likeNainen "a" "sellai" ;
    lauantai : {s : Number => Case => Str} =
      nominal "a" "lauantai" "lauantai" "lauantai" "lauantaita" "lauantaihin"
        ("lauantaiden" | "lauantaitten") "lauantaita" "lauantai" "lauantai"
        "lauantaihin" ;
    kevat : {s : Number => Case => Str} =
      nominal "ä" "kevät" "kevää" "kevää" "kevättä" "kevääseen"
        ("keväiden" | "keväitten") "keväitä" "keväi" "keväi"
        ("keväisiin" | "keväihin") ;
    haluta : {s : VForm => Str} =
      verb "haluta" "haluaa" "haluavat" "halusi" "halusivat" "haluaisi" "haluaisivat"
        "halunnut" "halunneet" "halutaan" ;
    tahtoa : {s : VForm => Str} =
      verb "tahtoa" "tahtoo" "tahtovat" "tahtoi" "tahtoivat" "tahtoisi" "tahtoisivat"
        "tahtonut" "tahtoneet" "tahdotaan" ;
}
