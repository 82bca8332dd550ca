--# -path=.:../common
-- SPDX-License-Identifier: Apache-2.0
concrete SizeFin of Size = open CommonFin in {
  lincat
    Template, Time = Str ;
    Machine = {s : Number => Case => Str} ;
    -- The adjective, and what the machine is so in spite of, in the elative.
    Bulk = {s : Number => Case => Str ; ela : Str} ;
    Manner = {adv : Str ; adj : {s : Number => Case => Str}} ;
  lin
    Although m b w t =
      variants {
        "vaikka" ++ m.s ! Sg ! Nom ++ ("on" | "onkin") ++ b.s ! Sg ! Nom ++ ","
          ++ ("se" ++ moving w t | moves ++ "se" ++ eitherWay w.adv t) ;
        "vaikka se on" ++ b.s ! Sg ! Nom ++ "," ++ m.s ! Sg ! Nom ++ moving w t } ;
    AlthoughLast m b w t =
      (m.s ! Sg ! Nom ++ moving w t | t ++ m.s ! Sg ! Nom ++ moves ++ w.adv) ++ ","
        ++ "vaikka se" ++ ("on" | "onkin") ++ b.s ! Sg ! Nom ;
    But m b w t =
      m.s ! Sg ! Nom ++ "on" ++ b.s ! Sg ! Nom ++ "," ++
      variants {
        "mutta" ++ optional "se" ++ moving w t ;
        "mutta silti se" ++ moving w t ;
        "mutta" ++ optional "se" ++ moves ++ nevertheless ++ eitherWay w.adv t ;
        "mutta siitä huolimatta se" ++ moving w t } ;
    Granted m b w t =
      m.s ! Sg ! Nom ++ "on" ++ ("kyllä" | "toki") ++ b.s ! Sg ! Nom ++ "," ++ "mutta"
        ++ optional "se" ++ moving w t ;
    Despite m b w t =
      variants {
        despite b ++ m.s ! Sg ! Nom ++ moving w t ;
        m.s ! Sg ! Nom ++ moving w t ++ despite b ;
        m.s ! Sg ! Nom ++ moves ++ despite b ++ eitherWay w.adv t ;
        t ++ m.s ! Sg ! Nom ++ moves ++ despite b ++ w.adv } ;
    Attribute m b w t =
      b.s ! Sg ! Nom ++ m.s ! Sg ! Nom ++ moves ++
      variants {
        nevertheless ++ eitherWay w.adv t ;
        t ++ nevertheless ++ w.adv }
      | t ++ b.s ! Sg ! Nom ++ m.s ! Sg ! Nom ++ moves ++ nevertheless ++ w.adv ;
    Movements m b w t =
      b.s ! Sg ! Gen ++ m.s ! Sg ! Gen ++ liike.s ! Pl ! Nom ++ olla.s ! (Pres Pl) ++
      variants {
        nevertheless ++ eitherWay (w.adj.s ! Pl ! Par) t ;
        t ++ nevertheless ++ w.adj.s ! Pl ! Par } ;
    AsItIs m b w t =
      "niin" ++ b.s ! Sg ! Nom ++ "kuin" ++
      variants {
        m.s ! Sg ! Nom ++ "onkin" ++ "," ++ "se" ++ moving w t ;
        "se onkin" ++ "," ++ m.s ! Sg ! Nom ++ moving w t } ;

    SemVar1aExcavator = kaivinkone | kaivuri ;
    SemVar1bCrane = torninosturi | rakennusnosturi ;
    SemVar1cRobotArm = robottikasi | robottivarsi ;
    SemVar2aHuge =
      {s = (valtava | jattimainen | valtavanSuuri).s ;
       ela = (valtava | jattimainen | suunnaton | suuri).s ! Sg ! Ela
               ++ koko.s ! Sg ! Ela + "an"} ;
    SemVar2bHeavy =
      {s = (raskas | painava).s ; ela = suuri.s ! Sg ! Ela ++ paino.s ! Sg ! Ela + "an"} ;
    SemVar3aPrecisely = {
      adv = very ++ ("tarkasti" | "täsmällisesti") | "suurella tarkkuudella" ;
      adj = before very (tarkka | tasmallinen) } ;
    SemVar3bQuietly = {
      adv = very ++ ("hiljaa" | "hiljaisesti" | "äänettömästi") ;
      adj = before very (hiljainen | aaneton) } ;
    SemVar4aAtNight = "öisin" | yo.s ! Sg ! Ade | "yöaikaan" | "öiseen aikaan" ;
    AnyTime = [] ;
  oper
    very : Str = "hyvin" | "erittäin" | "todella" ;
    nevertheless : Str = "silti" | "kuitenkin" | "siitä huolimatta" ;
    moves : Str = liikkua.s ! (Pres Sg) ;
    moving : {adv : Str ; adj : {s : Number => Case => Str}} -> Str -> Str =
      \w, t -> moves ++ eitherWay w.adv t ;
    despite : {s : Number => Case => Str ; ela : Str} -> Str =
      \b -> b.ela ++ "huolimatta" | "huolimatta" ++ b.ela ;

    kaivinkone : {s : Number => Case => Str} = compound "kaivin" kone ;
    kone : {s : Number => Case => Str} = likeSade "a" "kone" "kone" ;
    kaivuri : {s : Number => Case => Str} = likeMestari "a" "kaivur" ;
    nosturi : {s : Number => Case => Str} = likeMestari "a" "nostur" ;
    torninosturi : {s : Number => Case => Str} = compound "torni" nosturi ;
    rakennusnosturi : {s : Number => Case => Str} = compound "rakennus" nosturi ;
    robottikasi : {s : Number => Case => Str} = compound "robotti"
      (nominal "ä" "käsi" "käde" "käte" "kättä" "käteen"
        "käsien" "käsiä" "käsi" "käsi" "käsiin") ;
    robottivarsi : {s : Number => Case => Str} = compound "robottikäsi"
      (nominal "a" "varsi" "varre" "varte" "vartta" "varteen"
        "varsien" "varsia" "varsi" "varsi" "varsiin") ;
    valtava : {s : Number => Case => Str} = likeKoira "a" "valtav" "valtav" ;
    jattimainen : {s : Number => Case => Str} = likeNainen "ä" "jättimäi" ;
    suunnaton : {s : Number => Case => Str} =
      likeOnneton "a" "suunnato" "suunnattoma" "suunnattomi" ;
    suuri : {s : Number => Case => Str} = likeSuuri "a" "suur" ;
    valtavanSuuri : {s : Number => Case => Str} =
      before "valtavan" (suuri | iso | kokoinen) ;
    kokoinen : {s : Number => Case => Str} = likeNainen "a" "kokoi" ;
    koko : {s : Number => Case => Str} = nominal "a" "koko" "koo" "koko" "kokoa"
      "kokoon" "kokojen" "kokoja" "ko'oi" "kokoi" "kokoihin" ;
    paino : {s : Number => Case => Str} = likeTalo "a" "pain" "pain" "o" ;
    liike : {s : Number => Case => Str} = likeSade "ä" "liike" "liikke" ;
    yo : {s : Number => Case => Str} = likeMaa "ä" "yö" "öi" "yöhön" ;
    liikkua : {s : VForm => Str} =
      verb "liikkua" "liikkuu" "liikkuvat" "liikkui" "liikkuivat" "liikkuisi"
        "liikkuisivat" "liikkunut" "liikkuneet" "liikutaan" ;
    iso : {s : Number => Case => Str} = likeTalo "a" "is" "is" "o" ;
    raskas : {s : Number => Case => Str} = likeRikas "a" "raskas" "raskaa" "raskai" ;
    painava : {s : Number => Case => Str} = likeKoira "a" "painav" "painav" ;
    tarkka : {s : Number => Case => Str} = likeKala "tarkk" "tark" ;
    tasmallinen : {s : Number => Case => Str} = likeNainen "ä" "täsmälli" ;
    hiljainen : {s : Number => Case => Str} = likeNainen "a" "hiljai" ;
    aaneton : {s : Number => Case => Str} =
      likeOnneton "ä" "äänetö" "äänettömä" "äänettömi" ;
}
