--# -path=.:../common
-- SPDX-License-Identifier: Apache-2.0
-- Clitics (jsem, si, bych, by, se) stand second, in this order: "v sobotu jsem si
-- chtěl koupit", "chtěl jsem si v sobotu koupit".
concrete ShopCze of Shop = open Predef, CommonCze in {
  param
    Frames = FBut | FFirst | FWhen ;
    Spoken = Silent | Said ;
    Wishes = WWanted | WWould ;
  lincat
    Template = Str ;
    Frame = {f : Frames} ;
    -- Within a clause, and at its beginning, before the clitics.
    Time = {s, front : Str} ;
    -- The subject, which is left out in the first person; the clitics of the past and
    -- of the conditional.
    Person = {s, past, cond : Str ; g : Gender ; spoken : Spoken} ;
    Wish = {w : Wishes} ;
    -- The object; none of it, as subject and as object.
    Thing = {obj, nom, acc : Str ; g : Gender ; n : Number} ;
  lin
    HadNone f p w t u =
      framed f.f p w t u
        (hadNot obchod t.acc | hadNot prodejna t.acc) nonExist ;
    TheyHad f p w t u =
      framed f.f p w t u
        (inShop ++ eitherWay t.acc "neměli" | "neměli" ++ inShop ++ t.acc)
        ("tam" ++ eitherWay t.acc "neměli" | "neměli tam" ++ t.acc) ;
    ThereWas f p w t u =
      let nebyl : Str = participle "nebyl" ! t.n ! t.g in
      framed f.f p w t u
        (inShop ++ eitherWay t.nom nebyl | t.nom ++ inShop ++ nebyl)
        ("tam" ++ eitherWay t.nom nebyl | t.nom ++ "tam" ++ nebyl) ;
    Available f p w t u =
      let nebyl : Str = participle "nebyl" ! t.n ! t.g in
      framed f.f p w t u
        (inShop ++ eitherWay t.nom nebyl ++ available
         | t.nom ++ nebyl ++ inShop ++ available)
        ("tam" ++ eitherWay t.nom nebyl ++ available | t.nom ++ "tam" ++ nebyl ++ available) ;
    Found f p w t u =
      let nenasel : Str = found ! t.n ! t.g in
      framed f.f p w t u
        (inShop ++ "se" ++ eitherWay t.nom nenasel | t.nom ++ "se" ++ inShop ++ nenasel)
        (t.nom ++ "se tam" ++ nenasel | nenasel ++ "se tam" ++ t.nom) ;

    But = {f = FBut} ;
    ShopFirst = {f = FFirst} ;
    When = {f = FWhen} ;
    Wanted = {w = WWanted} ;
    WouldHave = {w = WWould} ;

    SemVar1aI = speaker Masc | speaker Fem ;
    SemVar1bGrandmother = {
      s = ("moje" | "má") ++ babicka.s ! Sg ! Nom ; past = [] ; cond = "by" ;
      g = Fem ; spoken = Said } ;
    SemVar2aTorch = thing Sg baterka | thing Sg (agreeing kapesni svitilna) ;
    SemVar2bRubberBoots = thing Pl holinka | thing Pl gumak ;
    SemVar2cPotatoFlour =
      thing Sg (agreeing bramborovy moucka) | thing Sg (agreeing bramborovy skrob) ;
    SemVar3aSaturday = time ("v sobotu" | "minulou sobotu") ;
    SemVar3bSpring = time ("na jaře" | "minulé jaro") ;
    Sometime = {s = [] ; front = nonExist} ;
  oper
    hadNot : {s : Number => Case => Str ; g : Gender} -> Str -> Str = \shop, none ->
      shop.s ! Sg ! Nom ++ eitherWay none (participle "neměl" ! Sg ! shop.g) ;
    inShop : Str = "v" ++ (obchod | prodejna).s ! Sg ! Loc ;
    available : Str = "k dostání" | "k mání" ;
    speaker : Gender -> {s, past, cond : Str ; g : Gender ; spoken : Spoken} = \g ->
      {s = [] ; past = "jsem" ; cond = "bych" ; g = g ; spoken = Silent} ;
    thing : Number -> {s : Number => Case => Str ; g : Gender} ->
            {obj, nom, acc : Str ; g : Gender ; n : Number} = \n, noun ->
      {obj = noun.s ! n ! Acc ;
       nom = zadny.s ! n ! noun.g ! Nom ++ optional (noun.s ! n ! Nom) ;
       acc = zadny.s ! n ! noun.g ! Acc ++ optional (noun.s ! n ! Acc) ;
       g = noun.g ; n = n} ;
    -- The participle in -l: -, -a, -o; -y, -y, -a.
    participle : Str -> Number => Gender => Str = \stem ->
      table {
        Sg => table {Masc => stem ; Fem => stem + "a" ; Neut => stem + "o"} ;
        Pl => table {Masc => stem + "y" ; Fem => stem + "y" ; Neut => stem + "a"}} ;
    -- nenašel, but nenašla
    found : Number => Gender => Str = table {
      Sg => table {Masc => "nenašel" ; Fem => "nenašla" ; Neut => "nenašlo"} ;
      Pl => table {Masc => "nenašly" ; Fem => "nenašly" ; Neut => "nenašla"}} ;

    rad : Gender => Str = participle "rád" ! Sg ;
    chtel : Gender => Str = participle "chtěl" ! Sg ;
    byl : Gender => Str = participle "byl" ! Sg ;
    koupil : Gender => Str = participle "koupil" ! Sg ;
    si : Str = optional "si" ;
    time : Str -> {s, front : Str} = \text -> {s = text ; front = text} ;
    -- Whatever comes first is followed by the clitics: the participle, the subject or
    -- the time.
    wanted : {s, past, cond : Str ; g : Gender ; spoken : Spoken} -> Str -> Str -> Str =
      \p, object, u ->
      table {
        Silent => variants {
          chtel ! p.g ++ p.past ++ si ++ u ++ "koupit" ++ object ;
          chtel ! p.g ++ p.past ++ si ++ "koupit" ++ object ++ u } ;
        Said => variants {
          p.s ++ si ++ u ++ chtel ! p.g ++ "koupit" ++ object ;
          p.s ++ si ++ chtel ! p.g ++ u ++ "koupit" ++ object ;
          p.s ++ si ++ chtel ! p.g ++ "koupit" ++ object ++ u }} ! p.spoken ;
    wantedThen : {s, past, cond : Str ; g : Gender ; spoken : Spoken} -> Str -> Str =
      \p, object -> p.past ++ si ++ p.s ++ chtel ! p.g ++ "koupit" ++ object ;
    would : {s, past, cond : Str ; g : Gender ; spoken : Spoken} -> Str -> Str -> Str =
      \p, object, u ->
      table {
        Silent => variants {
          byl ! p.g ++ p.cond ++ si ++ u ++ rad ! p.g ++ koupil ! p.g ++ object ;
          rad ! p.g ++ p.cond ++ si ++ u ++ byl ! p.g ++ koupil ! p.g ++ object } ;
        Said =>
          p.s ++ p.cond ++ si ++ u ++ byl ! p.g ++ rad ! p.g ++ koupil ! p.g ++ object
        } ! p.spoken ;
    wouldThen : {s, past, cond : Str ; g : Gender ; spoken : Spoken} -> Str -> Str =
      \p, object ->
        p.cond ++ si ++ p.s ++ byl ! p.g ++ rad ! p.g ++ koupil ! p.g ++ object ;
    framed : Frames -> {s, past, cond : Str ; g : Gender ; spoken : Spoken} ->
             {w : Wishes} -> {obj, nom, acc : Str ; g : Gender ; n : Number} ->
             {s, front : Str} -> Str -> Str -> Str =
      \f, p, w, t, u, shopLack, thereLack ->
      table {
        FBut => wish p w t.obj u ++ "," ++ "ale" ++ shopLack ;
        FFirst => wish p w (eitherWay inShop t.obj) u ++ "," ++ "ale" ++ thereLack ;
        FWhen =>
          table {WWanted => "když" ; WWould => nonExist} ! w.w
            ++ p.past ++ si ++ p.s ++ eitherWay u.s (chtel ! p.g)
            ++ "koupit" ++ t.obj ++ "," ++ shopLack } ! f ;
    wish : {s, past, cond : Str ; g : Gender ; spoken : Spoken} -> {w : Wishes} -> Str ->
           {s, front : Str} -> Str = \p, w, object, u ->
      table {
        WWanted => wanted p object u.s | u.front ++ wantedThen p object ;
        WWould => would p object u.s | u.front ++ wouldThen p object } ! w.w ;

    obchod : {s : Number => Case => Str ; g : Gender} =
      likeHrad "obchod" "obchodě" "obchodech" ;
    prodejna : {s : Number => Case => Str ; g : Gender} =
      likeZena "prodejn" "prodejně" "prodejen" ;
    babicka : {s : Number => Case => Str ; g : Gender} =
      likeZena "babičk" "babičce" "babiček" ;
    baterka : {s : Number => Case => Str ; g : Gender} =
      likeZena "baterk" "baterce" "baterek" ;
    svitilna : {s : Number => Case => Str ; g : Gender} =
      likeZena "svítiln" "svítilně" "svítilen" ;
    holinka : {s : Number => Case => Str ; g : Gender} =
      likeZena "holínk" "holínce" "holínek" ;
    gumak : {s : Number => Case => Str ; g : Gender} =
      likeHrad "gumák" "gumáku" "gumácích" ;
    moucka : {s : Number => Case => Str ; g : Gender} =
      likeZena "moučk" "moučce" "mouček" ;
    skrob : {s : Number => Case => Str ; g : Gender} =
      likeHrad "škrob" "škrobu" "škrobech" ;
    kapesni : {s : Number => Gender => Case => Str} = soft "kapesn" ;
    bramborovy : {s : Number => Gender => Case => Str} = hard "bramborov" ;
    zadny : {s : Number => Gender => Case => Str} = hard "žádn" ;
}
