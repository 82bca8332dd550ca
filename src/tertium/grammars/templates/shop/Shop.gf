-- SPDX-License-Identifier: Apache-2.0
-- Somebody wanted to buy something, perhaps at some time, but the shop had none.
abstract Shop = {
  flags startcat = Template ;
  cat
    Template ; Frame ; Person ; Wish ; Thing ; Time ;
  fun
    -- I wanted to buy a torch, but the shop had none: not Finnish
    HadNone : Frame -> Person -> Wish -> Thing -> Time -> Template ;
    -- ..., but they had none in the shop: not Finnish
    TheyHad : Frame -> Person -> Wish -> Thing -> Time -> Template ;
    -- ..., but there were none in the shop
    ThereWas : Frame -> Person -> Wish -> Thing -> Time -> Template ;
    -- ..., but none were available in the shop
    Available : Frame -> Person -> Wish -> Thing -> Time -> Template ;
    -- ..., but none could be found in the shop
    Found : Frame -> Person -> Wish -> Thing -> Time -> Template ;

    -- I wanted to buy a torch, but there were none in the shop
    But : Frame ;
    -- I wanted to buy a torch in the shop, but there were none there
    ShopFirst : Frame ;
    -- when I wanted to buy a torch, there were none in the shop
    When : Frame ;
    -- wanted to; would have liked to
    Wanted, WouldHave : Wish ;

    SemVar1aI, SemVar1bGrandmother : Person ;
    SemVar2aTorch, SemVar2bRubberBoots, SemVar2cPotatoFlour : Thing ;
    SemVar3aSaturday, SemVar3bSpring, Sometime : Time ;
}
