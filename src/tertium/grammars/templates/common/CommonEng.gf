-- SPDX-License-Identifier: Apache-2.0
-- English: articles, number, and words that may be left out.
resource CommonEng = open Predef in {

  param
    Number = Sg | Pl ;
    -- Whether a word begins with a consonant or a vowel, as it is spoken.
    Init = Cons | Vow ;

  oper
    -- A noun by its two numbers.
    noun : (sg, pl : Str) -> {s : Number => Str} =
      \sg, pl -> {s = table {Sg => sg ; Pl => pl}} ;
    regular : Str -> {s : Number => Str} = \sg -> noun sg (sg + "s") ;

    -- A word or phrase with the sound it begins with.
    cons : Str -> {s : Str ; i : Init} = \s -> {s = s ; i = Cons} ;
    vow : Str -> {s : Str ; i : Init} = \s -> {s = s ; i = Vow} ;

    article : Init -> Str = \i -> table {Cons => "a" ; Vow => "an"} ! i ;
    indefinite : {s : Str ; i : Init} -> Str = \x -> article x.i ++ x.s ;
    -- An adjective before a noun takes over its sound.
    indefinite2 : {s : Str ; i : Init} -> Str -> Str = \x, y -> article x.i ++ x.s ++ y ;

    is : Number => Str = table {Sg => "is" ; Pl => "are"} ;
    has : Number => Str = table {Sg => "has" ; Pl => "have"} ;
    was : Number => Str = table {Sg => "was" ; Pl => "were"} ;

    -- A comma at the end of the word before it.
    comma : Str = BIND ++ "," ;

    optional : Str -> Str = \text -> variants {text ; []} ;
    eitherWay : Str -> Str -> Str = \one, other -> variants {one ++ other ; other ++ one} ;
}
