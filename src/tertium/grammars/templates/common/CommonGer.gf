-- SPDX-License-Identifier: Apache-2.0
-- German: articles, nouns, adjectives with their three declensions, participles.
--
-- Write words as operations without arguments, so that tools/lexicon_lock.py finds
-- their forms: a record with the field g is a noun, one with the field pred an
-- adjective. Words without a paradigm here stand in words.ger.tsv.
resource CommonGer = {

  param
    Number = Sg | Pl ;
    Gender = Masc | Fem | Neut ;
    Case = Nom | Acc | Dat | Gen ;
    -- Without an article, after "der", and after "ein" and "kein".
    Declension = Strong | Weak | Mixed ;

  oper
    -- Nominative, genitive, plural, and dative of the plural: der Krug, des Krugs, die
    -- Krüge, den Krügen.
    noun : (nom, gen, pl, dat : Str) -> (g : Gender) ->
           {s : Number => Case => Str ; g : Gender} =
      \nom, gen, pl, dat, g ->
      {s = table {
         Sg => table {Nom => nom ; Acc => nom ; Dat => nom ; Gen => gen} ;
         Pl => table {Nom => pl ; Acc => pl ; Dat => dat ; Gen => pl}} ;
       g = g} ;
    -- Feminine nouns do not change in the singular: Vase, Vasen.
    feminine : (sg, pl : Str) -> {s : Number => Case => Str ; g : Gender} =
      \sg, pl -> noun sg sg pl pl Fem ;

    -- A compound: a first part that stays, written together with the last. The capital
    -- letter moves to the first part, so the last is given in small letters.
    compound : Str -> {s : Number => Case => Str ; g : Gender} ->
               {s : Number => Case => Str ; g : Gender} =
      \first, last -> {s = \\n, c => first + last.s ! n ! c ; g = last.g} ;

    der : Number => Gender => Case => Str = table {
      Sg => table {
        Masc => table {Nom => "der" ; Acc => "den" ; Dat => "dem" ; Gen => "des"} ;
        Fem => table {Nom => "die" ; Acc => "die" ; Dat => "der" ; Gen => "der"} ;
        Neut => table {Nom => "das" ; Acc => "das" ; Dat => "dem" ; Gen => "des"}} ;
      Pl => \\_ => table {Nom => "die" ; Acc => "die" ; Dat => "den" ; Gen => "der"}} ;
    -- Endings of "ein"; those of "kein" and "mein" in the plural as well.
    einEnding : Number => Gender => Case => Str = table {
      Sg => table {
        Masc => table {Nom => "" ; Acc => "en" ; Dat => "em" ; Gen => "es"} ;
        Fem => table {Nom => "e" ; Acc => "e" ; Dat => "er" ; Gen => "er"} ;
        Neut => table {Nom => "" ; Acc => "" ; Dat => "em" ; Gen => "es"}} ;
      Pl => \\_ => table {Nom => "e" ; Acc => "e" ; Dat => "en" ; Gen => "er"}} ;
    -- What stands for a noun: keiner, keine, kein(e)s.
    keiner : Number => Gender => Case => Str = table {
      Sg => table {
        Masc => table {Nom => "keiner" ; Acc => "keinen" ; Dat => "keinem" ; Gen => "keines"} ;
        Fem => table {Nom => "keine" ; Acc => "keine" ; Dat => "keiner" ; Gen => "keiner"} ;
        Neut => table {
          Nom => "keines" | "keins" ; Acc => "keines" | "keins" ; Dat => "keinem" ;
          Gen => "keines"}} ;
      Pl => \\_ => table {Nom => "keine" ; Acc => "keine" ; Dat => "keinen" ; Gen => "keiner"}} ;

    adjective : (pred, stem : Str) ->
                {pred : Str ; s : Declension => Number => Gender => Case => Str} =
      \pred, stem -> {pred = pred ; s = \\d, n, g, c => stem + ending ! d ! n ! g ! c} ;
    regular : Str -> {pred : Str ; s : Declension => Number => Gender => Case => Str} =
      \stem -> adjective stem stem ;
    -- lila, rosa: one form for all.
    unchanging : Str -> {pred : Str ; s : Declension => Number => Gender => Case => Str} =
      \form -> {pred = form ; s = \\_, _, _, _ => form} ;
    -- An adverb before an adjective: leuchtend rot.
    before : Str -> {pred : Str ; s : Declension => Number => Gender => Case => Str} ->
             {pred : Str ; s : Declension => Number => Gender => Case => Str} =
      \first, a ->
      {pred = first ++ a.pred ; s = \\d, n, g, c => first ++ a.s ! d ! n ! g ! c} ;

    ending : Declension => Number => Gender => Case => Str = table {
      Strong => table {
        Sg => table {
          Masc => table {Nom => "er" ; Acc => "en" ; Dat => "em" ; Gen => "en"} ;
          Fem => table {Nom => "e" ; Acc => "e" ; Dat => "er" ; Gen => "er"} ;
          Neut => table {Nom => "es" ; Acc => "es" ; Dat => "em" ; Gen => "en"}} ;
        Pl => \\_ => table {Nom => "e" ; Acc => "e" ; Dat => "en" ; Gen => "er"}} ;
      Weak => table {
        Sg => table {
          Masc => table {Nom => "e" ; Acc => "en" ; Dat => "en" ; Gen => "en"} ;
          Fem => table {Nom => "e" ; Acc => "e" ; Dat => "en" ; Gen => "en"} ;
          Neut => table {Nom => "e" ; Acc => "e" ; Dat => "en" ; Gen => "en"}} ;
        Pl => \\_, _ => "en"} ;
      Mixed => table {
        Sg => table {
          Masc => table {Nom => "er" ; Acc => "en" ; Dat => "en" ; Gen => "en"} ;
          Fem => table {Nom => "e" ; Acc => "e" ; Dat => "en" ; Gen => "en"} ;
          Neut => table {Nom => "es" ; Acc => "es" ; Dat => "en" ; Gen => "en"}} ;
        Pl => \\_, _ => "en"}} ;

    optional : Str -> Str = \text -> variants {text ; []} ;
    eitherWay : Str -> Str -> Str = \one, other -> variants {one ++ other ; other ++ one} ;
}
