--# -path=.:../common
-- SPDX-License-Identifier: Apache-2.0
concrete ShopEng of Shop = open Predef, CommonEng in {
  param
    Frames = FBut | FFirst | FWhen ;
    Wishes = WWanted | WWould ;
  lincat
    Template = Str ;
    Frame = {f : Frames} ;
    Person = {s, would : Str} ;
    Wish = {f : Wishes} ;
    -- The object; "one" or "any" after a negation; "no" and the noun.
    Thing = {obj, any, no : Str ; n : Number} ;
    Time = {s, front : Str} ;
  lin
    HadNone f p w t u =
      framed f.f p w t u (had t ("the" ++ shop)) (had t "it") ;
    TheyHad f p w t u =
      framed f.f p w t u (had t "they" ++ inShop) (had t "they") ;
    ThereWas f p w t u =
      framed f.f p w t u (thereWas t ++ inShop) (thereWas t ++ "there") ;
    Available f p w t u =
      framed f.f p w t u
        (none t ++ was ! t.n ++ "available" ++ inShop)
        (none t ++ was ! t.n ++ "available" ++ "there") ;
    Found f p w t u =
      framed f.f p w t u
        (none t ++ beFound t.n ++ inShop) (none t ++ beFound t.n ++ "there") ;

    But = {f = FBut} ;
    ShopFirst = {f = FFirst} ;
    When = {f = FWhen} ;
    Wanted = {f = WWanted} ;
    WouldHave = {f = WWould} ;

    SemVar1aI = {s = "I" ; would = "I would" | "I'd"} ;
    SemVar1bGrandmother = person "my grandmother" | person "my grandma" ;
    SemVar2aTorch = torch "torch" "torches" | torch "flashlight" "flashlights" ;
    SemVar2bRubberBoots = plural "rubber boots" | plural "wellingtons" ;
    SemVar2cPotatoFlour = mass "potato flour" | mass "potato starch" ;
    SemVar3aSaturday = time "on Saturday" | time "last Saturday" ;
    SemVar3bSpring = time "in the spring" | time "last spring" ;
    Sometime = {s = [] ; front = []} ;
  oper
    shop : Str = "shop" | "store" ;
    inShop : Str = ("in" | "at") ++ "the" ++ shop ;
    person : Str -> {s, would : Str} = \s -> {s = s ; would = s ++ "would"} ;
    torch : Str -> Str -> {obj, any, no : Str ; n : Number} = \sg, pl ->
      {obj = "a" ++ sg ; any = "any" | "one" ; no = "no" ++ pl ; n = Pl} ;
    plural : Str -> {obj, any, no : Str ; n : Number} = \s ->
      {obj = s ; any = "any" ; no = "no" ++ s ; n = Pl} ;
    mass : Str -> {obj, any, no : Str ; n : Number} = \s ->
      {obj = s ; any = "any" ; no = "no" ++ s ; n = Sg} ;
    time : Str -> {s, front : Str} = \s -> {s = s ; front = s ++ comma} ;

    none : {obj, any, no : Str ; n : Number} -> Str = \t -> "none" | t.no ;
    had : {obj, any, no : Str ; n : Number} -> Str -> Str = \t, who ->
      who ++ ("had" ++ none t | ("did not" | "didn't") ++ "have" ++ t.any) ;
    thereWas : {obj, any, no : Str ; n : Number} -> Str = \t ->
      "there" ++ was ! t.n ++ none t ;
    beFound : Number -> Str = \n ->
      "could be found" | was ! n ++ "to be found" ;

    wish : {s, would : Str} -> {f : Wishes} -> Str = \p, w ->
      table {
        WWanted => p.s ++ "wanted to buy" ;
        WWould => p.would ++ "have liked to buy" } ! w.f ;
    -- The sentence with its last part about the shop, or about "there".
    framed : Frames -> {s, would : Str} -> {f : Wishes} ->
             {obj, any, no : Str ; n : Number} -> {s, front : Str} -> Str -> Str -> Str =
      \f, p, w, t, u, shopLack, thereLack ->
      table {
        FBut => variants {
          wish p w ++ t.obj ++ u.s ++ comma ++ "but" ++ shopLack ;
          u.front ++ wish p w ++ t.obj ++ comma ++ "but" ++ shopLack } ;
        FFirst => variants {
          wish p w ++ t.obj ++ inShop ++ u.s ++ comma ++ "but" ++ thereLack ;
          u.front ++ wish p w ++ t.obj ++ inShop ++ comma ++ "but" ++ thereLack } ;
        FWhen =>
          table {WWanted => "when" ; WWould => nonExist} ! w.f
            ++ p.s ++ "wanted to buy" ++ t.obj ++ u.s ++ comma ++ shopLack } ! f ;
}
