-- SPDX-License-Identifier: Apache-2.0
-- Czech: nouns by their forms, hard and soft adjectives.
--
-- The masculine is inanimate: no template has an animate one in a case where it would
-- differ but the nominative of the singular. Write words as operations without
-- arguments, so that tools/lexicon_lock.py finds their forms: a record with the field
-- g is a noun, another with four tables an adjective. Other words stand in
-- words.cze.tsv.
resource CommonCze = {

  param
    Number = Sg | Pl ;
    Gender = Masc | Fem | Neut ;
    Case = Nom | Gen | Dat | Acc | Loc | Ins ;

  oper
    noun : (nom, gen, dat, acc, loc, ins : Str) -> (noms, gens, dats, accs, locs, inss : Str) ->
           (g : Gender) -> {s : Number => Case => Str ; g : Gender} =
      \nom, gen, dat, acc, loc, ins, noms, gens, dats, accs, locs, inss, g ->
      {s = table {
         Sg => table {
           Nom => nom ; Gen => gen ; Dat => dat ; Acc => acc ; Loc => loc ; Ins => ins} ;
         Pl => table {
           Nom => noms ; Gen => gens ; Dat => dats ; Acc => accs ; Loc => locs ;
           Ins => inss}} ;
       g = g} ;
    -- hrad (hrad, hradu, hradech): the stem, the locatives.
    likeHrad : (stem, loc, locs : Str) -> {s : Number => Case => Str ; g : Gender} =
      \stem, loc, locs ->
        noun stem (stem + "u") (stem + "u") stem loc (stem + "em")
          (stem + "y") (stem + "ů") (stem + "ům") (stem + "y") locs (stem + "y") Masc ;
    -- žena (žen, ženě, žen): the stem, dative and locative, the plural's genitive.
    likeZena : (stem, dat, gens : Str) -> {s : Number => Case => Str ; g : Gender} =
      \stem, dat, gens ->
        noun (stem + "a") (stem + "y") dat (stem + "u") dat (stem + "ou")
          (stem + "y") gens (stem + "ám") (stem + "y") (stem + "ách") (stem + "ami") Fem ;
    -- město (měst, měst).
    likeMesto : (stem, gens : Str) -> {s : Number => Case => Str ; g : Gender} =
      \stem, gens ->
        noun (stem + "o") (stem + "a") (stem + "u") (stem + "o") (stem + "u")
          (stem + "em") (stem + "a") gens (stem + "ům") (stem + "a") (stem + "ech")
          (stem + "y") Neut ;

    -- mladý (mlad): {s : Number => Gender => Case => Str}.
    hard : Str -> {s : Number => Gender => Case => Str} = \stem ->
      {s = table {
        Sg => table {
          Masc => table {
            Nom => stem + "ý" ; Gen => stem + "ého" ; Dat => stem + "ému" ;
            Acc => stem + "ý" ; Loc => stem + "ém" ; Ins => stem + "ým"} ;
          Fem => table {
            Nom => stem + "á" ; Gen => stem + "é" ; Dat => stem + "é" ;
            Acc => stem + "ou" ; Loc => stem + "é" ; Ins => stem + "ou"} ;
          Neut => table {
            Nom => stem + "é" ; Gen => stem + "ého" ; Dat => stem + "ému" ;
            Acc => stem + "é" ; Loc => stem + "ém" ; Ins => stem + "ým"}} ;
        Pl => \\g => table {
          Nom => plural stem ! g ; Gen => stem + "ých" ; Dat => stem + "ým" ;
          Acc => plural stem ! g ; Loc => stem + "ých" ; Ins => stem + "ými"}}} ;
    plural : Str -> Gender => Str = \stem ->
      table {Masc => stem + "é" ; Fem => stem + "é" ; Neut => stem + "á"} ;
    -- jarní (jarn), stojící (stojíc).
    soft : Str -> {s : Number => Gender => Case => Str} = \stem ->
      {s = table {
        Sg => table {
          Fem => \\_ => stem + "í" ;
          Masc | Neut => table {
            Nom => stem + "í" ; Gen => stem + "ího" ; Dat => stem + "ímu" ;
            Acc => stem + "í" ; Loc => stem + "ím" ; Ins => stem + "ím"}} ;
        Pl => \\_ => table {
          Nom => stem + "í" ; Gen => stem + "ích" ; Dat => stem + "ím" ;
          Acc => stem + "í" ; Loc => stem + "ích" ; Ins => stem + "ími"}}} ;

    -- An adverb before an adjective: tmavě zelený.
    before : Str -> {s : Number => Gender => Case => Str} ->
             {s : Number => Gender => Case => Str} =
      \first, a -> {s = \\n, g, c => first ++ a.s ! n ! g ! c} ;
    -- An adjective before its noun, and whatever stays after it.
    agreeing : {s : Number => Gender => Case => Str} ->
               {s : Number => Case => Str ; g : Gender} ->
               {s : Number => Case => Str ; g : Gender} =
      \a, n -> {s = \\m, c => a.s ! m ! n.g ! c ++ n.s ! m ! c ; g = n.g} ;
    followed : {s : Number => Case => Str ; g : Gender} -> Str ->
               {s : Number => Case => Str ; g : Gender} =
      \n, last -> {s = \\m, c => n.s ! m ! c ++ last ; g = n.g} ;

    optional : Str -> Str = \text -> variants {text ; []} ;
    eitherWay : Str -> Str -> Str = \one, other -> variants {one ++ other ; other ++ one} ;
}
