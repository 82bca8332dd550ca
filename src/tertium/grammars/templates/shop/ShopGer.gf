--# -path=.:../common
-- SPDX-License-Identifier: Apache-2.0
concrete ShopGer of Shop = open Predef, CommonGer in {
  param
    Frames = FBut | FFirst | FWhen ;
  lincat
    Template = Str ;
    Frame = {f : Frames} ;
    -- Within a clause, and at its beginning.
    Time = {s, front : Str} ;
    Person = {s, refl : Str} ;
    -- The finite verb, an adverb before the object, the end; and the end after "als".
    Wish = {fin, adv, end, when : Str} ;
    -- The object; none of it, as subject and as object.
    Thing = {obj, nom, acc : Str ; n : Number} ;
  lin
    HadNone f p w t u =
      framed f.f p w t u
        (theShop ++ "hatte" ++ t.acc) nonExist ("hatte" ++ theShop ++ t.acc) ;
    TheyHad f p w t u =
      framed f.f p w t u
        (inShop ++ "hatten sie" ++ t.acc)
        ("dort" ++ "hatten sie" ++ t.acc)
        ("hatten sie" ++ inShop ++ t.acc) ;
    ThereWas f p w t u =
      framed f.f p w t u
        (inShop ++ "gab es" ++ t.acc | "es gab" ++ inShop ++ t.acc)
        ("dort" ++ "gab es" ++ t.acc | "es gab dort" ++ t.acc)
        ("gab es" ++ inShop ++ t.acc) ;
    Available f p w t u = predicated f.f p w t u ("erhältlich" | "zu haben") ;
    Found f p w t u = predicated f.f p w t u "zu finden" ;

    But = {f = FBut} ;
    ShopFirst = {f = FFirst} ;
    When = {f = FWhen} ;
    Wanted = {fin = "wollte" ; adv = [] ; end = "kaufen" ; when = "kaufen wollte"} ;
    WouldHave = {
      fin = "hätte" ; adv = "gern" | "gerne" ; end = "gekauft" ; when = nonExist} ;

    SemVar1aI = {s = "ich" ; refl = optional "mir"} ;
    SemVar1bGrandmother = {
      s = "meine" ++ (grossmutter | oma).s ! Sg ! Nom ; refl = optional "sich"} ;
    SemVar2aTorch = {
      obj = "eine" ++ taschenlampe.s ! Sg ! Acc ;
      nom = "keine" ++ optional (taschenlampe.s ! Sg ! Nom) ;
      acc = "keine" ++ optional (taschenlampe.s ! (Sg | Pl) ! Acc) ;
      n = Sg } ;
    SemVar2bRubberBoots = {
      obj = gummistiefel.s ! Pl ! Acc ;
      nom = "keine" ++ optional (gummistiefel.s ! Pl ! Nom) ;
      acc = "keine" ++ optional (gummistiefel.s ! Pl ! Acc) ;
      n = Pl } ;
    SemVar2cPotatoFlour = mass kartoffelmehl | mass kartoffelstaerke ;
    SemVar3aSaturday =
      time ("am" ++ optional "letzten" ++ samstag.s ! Sg ! Dat
            | "letzten" ++ samstag.s ! Sg ! Acc) ;
    SemVar3bSpring =
      time ("im" ++ (fruehling | fruehjahr).s ! Sg ! Dat
            | "letzten" ++ fruehling.s ! Sg ! Acc | "letztes" ++ fruehjahr.s ! Sg ! Acc) ;
    Sometime = {s = [] ; front = nonExist} ;
  oper
    inShop : Str = "im" ++ (laden | geschaeft).s ! Sg ! Dat ;
    theShop : Str = "der" ++ laden.s ! Sg ! Nom | "das" ++ geschaeft.s ! Sg ! Nom ;
    waren : Number => Str = table {Sg => "war" ; Pl => "waren"} ;
    mass : {s : Number => Case => Str ; g : Gender} ->
           {obj, nom, acc : Str ; n : Number} = \noun ->
      {obj = noun.s ! Sg ! Acc ;
       nom = keiner ! Sg ! noun.g ! Nom
           | "kein" + einEnding ! Sg ! noun.g ! Nom ++ noun.s ! Sg ! Nom ;
       acc = keiner ! Sg ! noun.g ! Acc
           | "kein" + einEnding ! Sg ! noun.g ! Acc ++ noun.s ! Sg ! Acc ;
       n = Sg} ;
    -- A wish with the verb second: the subject or the time comes first, pronouns
    -- follow the verb, then time, adverb and object.
    wish : {s, refl : Str} -> {fin, adv, end, when : Str} -> Str ->
           {s, front : Str} -> Str =
      \p, w, object, u ->
      variants {
        p.s ++ w.fin ++ p.refl ++ u.s ++ w.adv ++ object ++ w.end ;
        u.front ++ inverted p w ++ w.adv ++ object ++ w.end } ;
    inverted : {s, refl : Str} -> {fin, adv, end, when : Str} -> Str =
      \p, w -> w.fin ++ p.s ++ p.refl ;
    time : Str -> {s, front : Str} = \text -> {s = text ; front = text} ;
    predicated : Frames -> {s, refl : Str} -> {fin, adv, end, when : Str} ->
                 {obj, nom, acc : Str ; n : Number} -> {s, front : Str} -> Str -> Str =
      \f, p, w, t, u, predicate ->
      framed f p w t u
        (inShop ++ waren ! t.n ++ t.nom ++ predicate)
        ("dort" ++ waren ! t.n ++ t.nom ++ predicate)
        (waren ! t.n ++ inShop ++ t.nom ++ predicate) ;
    -- The part about the shop after "aber", about "dort", and after a clause, where the
    -- verb comes first.
    framed : Frames -> {s, refl : Str} -> {fin, adv, end, when : Str} ->
             {obj, nom, acc : Str ; n : Number} -> {s, front : Str} -> Str -> Str -> Str ->
             Str =
      \f, p, w, t, u, shopLack, thereLack, verbFirst ->
      table {
        FBut => wish p w t.obj u ++ "," ++ ("aber" | "doch") ++ shopLack ;
        FFirst =>
          wish p w (eitherWay inShop t.obj) u ++ "," ++ ("aber" | "doch") ++ thereLack ;
        FWhen =>
          "als" ++ p.s ++ p.refl ++ u.s ++ t.obj ++ w.when ++ "," ++ verbFirst } ! f ;

    laden : {s : Number => Case => Str ; g : Gender} =
      noun "Laden" "Ladens" "Läden" "Läden" Masc ;
    geschaeft : {s : Number => Case => Str ; g : Gender} =
      noun "Geschäft" ("Geschäfts" | "Geschäftes") "Geschäfte" "Geschäften" Neut ;
    grossmutter : {s : Number => Case => Str ; g : Gender} =
      compound "Groß" (feminine "mutter" "mütter") ;
    oma : {s : Number => Case => Str ; g : Gender} = feminine "Oma" "Omas" ;
    taschenlampe : {s : Number => Case => Str ; g : Gender} =
      compound "Taschen" (feminine "lampe" "lampen") ;
    gummistiefel : {s : Number => Case => Str ; g : Gender} =
      compound "Gummi" (noun "stiefel" "stiefels" "stiefel" "stiefeln" Masc) ;
    kartoffelmehl : {s : Number => Case => Str ; g : Gender} =
      compound "Kartoffel" (noun "mehl" ("mehls" | "mehles") "mehle" "mehlen" Neut) ;
    kartoffelstaerke : {s : Number => Case => Str ; g : Gender} =
      compound "Kartoffel" (feminine "stärke" "stärken") ;
    samstag : {s : Number => Case => Str ; g : Gender} =
      noun "Samstag" ("Samstags" | "Samstages") "Samstage" "Samstagen" Masc ;
    fruehling : {s : Number => Case => Str ; g : Gender} =
      noun "Frühling" "Frühlings" "Frühlinge" "Frühlingen" Masc ;
    fruehjahr : {s : Number => Case => Str ; g : Gender} =
      noun "Frühjahr" ("Frühjahrs" | "Frühjahres") "Frühjahre" "Frühjahren" Neut ;
}
