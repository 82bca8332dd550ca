-- SPDX-License-Identifier: Apache-2.0
-- Finnish nominals: cases, numbers, and paradigms made of stems.
--
-- A nominal is a noun, an adjective, a pronoun or a name: {s : Number => Case => Str}.
-- The first argument of a paradigm is the vowel of its endings, "a" or "ä". Stems are
-- written out, because gradation cannot be seen in one form: "strong" before an open
-- syllable (tautia), "weak" before a closed one (taudin). Words without gradation give
-- the same stem twice. tools/lexicon_lock.py compares every form with the analyser.
-- Use: the first line of a concrete module is  --# -path=.:../common  and then
-- concrete XFin of X = open CommonFin in {...}. Write words as operations without
-- arguments (lumi : {s : Number => Case => Str} = ...), so that the lock file holds all
-- their forms.
resource CommonFin = open Predef in {

  param
    Number = Sg | Pl ;
    Case = Nom | Gen | Par | Ine | Ela | Ill | Ade | Abl | All | Ess | Tra | Abe ;
    VForm = Inf | Pres Number | Past Number | Cond Number | Nut Number | Pass ;

  oper
    -- All forms from ten: the nominative, stems and what stems do not tell.
    nominal : (a, nom, weak, strong, par, ill : Str) ->
              (plGen, plPar, plWeak, plStrong, plIll : Str) ->
              {s : Number => Case => Str} =
      \a, nom, weak, strong, par, ill, plGen, plPar, plWeak, plStrong, plIll ->
      {s = table {
        Sg => table {
          Nom => nom ; Gen => weak + "n" ; Par => par ;
          Ine => weak + "ss" + a ; Ela => weak + "st" + a ; Ill => ill ;
          Ade => weak + "ll" + a ; Abl => weak + "lt" + a ; All => weak + "lle" ;
          Ess => strong + "n" + a ; Tra => weak + "ksi" ; Abe => weak + "tt" + a } ;
        Pl => table {
          Nom => weak + "t" ; Gen => plGen ; Par => plPar ;
          Ine => plWeak + "ss" + a ; Ela => plWeak + "st" + a ; Ill => plIll ;
          Ade => plWeak + "ll" + a ; Abl => plWeak + "lt" + a ; All => plWeak + "lle" ;
          Ess => plStrong + "n" + a ; Tra => plWeak + "ksi" ; Abe => plWeak + "tt" + a }
      }} ;

    -- talo (tal, tal, o), kukko (kukk, kuk, o), katu (kat, kad, u): stems, last vowel.
    likeTalo : (a, strong, weak, vowel : Str) -> {s : Number => Case => Str} =
      \a, strong, weak, v ->
        nominal a (strong + v) (weak + v) (strong + v) (strong + v + a)
          (strong + v + v + "n")
          (strong + v + "jen") (strong + v + "j" + a) (weak + v + "i")
          (strong + v + "i") (strong + v + "ihin") ;

    -- risti, tauti (taut, taud), riski (risk, risk).
    likeRisti : (a, strong, weak : Str) -> {s : Number => Case => Str} =
      \a, strong, weak ->
        nominal a (strong + "i") (weak + "i") (strong + "i") (strong + "i" + a)
          (strong + "iin")
          (strong + "ien") (strong + "ej" + a) (weak + "ei") (strong + "ei")
          (strong + "eihin") ;

    -- mestari, nosturi (nostur), apteekkari: no gradation, a plural in -eita as well.
    likeMestari : (a, stem : Str) -> {s : Number => Case => Str} =
      \a, stem ->
        nominal a (stem + "i") (stem + "i") (stem + "i") (stem + "i" + a)
          (stem + "iin")
          (stem + "ien" | stem + "eiden" | stem + "eitten")
          (stem + "eit" + a | stem + "ej" + a) (stem + "ei") (stem + "ei")
          (stem + "eihin") ;

    -- onneton (onneto, onnettoma, onnettomi).
    likeOnneton : (a, nom, stem, plural : Str) -> {s : Number => Case => Str} =
      \a, nom, stem, plural ->
        nominal a (nom + "n") stem stem (nom + "nt" + a) (stem + a + "n")
          (plural + "en") (plural + a) plural plural (plural + "in") ;

    -- kala, matka (matk, matk), tapa (tap, tav): a plural in -oj-.
    likeKala : (strong, weak : Str) -> {s : Number => Case => Str} =
      \strong, weak ->
        nominal "a" (strong + "a") (weak + "a") (strong + "a") (strong + "aa")
          (strong + "aan")
          (strong + "ojen") (strong + "oja") (weak + "oi") (strong + "oi")
          (strong + "oihin") ;

    -- kahvila, harava, liikunta (liikunt, liikunn): a plural in -oita.
    likeKahvila : (strong, weak : Str) -> {s : Number => Case => Str} =
      \strong, weak ->
        nominal "a" (strong + "a") (weak + "a") (strong + "a") (strong + "aa")
          (strong + "aan")
          (weak + "oiden" | weak + "oitten") (weak + "oita") (weak + "oi")
          (strong + "oi") (strong + "oihin") ;

    -- omistaja (omistaj, o), tekijä (tekij, ö): words in -ja and -ijä, with the vowel
    -- of the plural.
    likeOmistaja : (a, stem, vowel : Str) -> {s : Number => Case => Str} =
      \a, stem, v ->
        nominal a (stem + a) (stem + a) (stem + a) (stem + a + a) (stem + a + a + "n")
          (stem + v + "iden" | stem + v + "itten") (stem + v + "it" + a) (stem + v + "i")
          (stem + v + "i") (stem + v + "ihin") ;

    -- valtio (valti, o), kiintiö (kiinti, ö): a diphthong at the end, a plural in -ita.
    likeValtio : (a, stem, vowel : Str) -> {s : Number => Case => Str} =
      \a, stem, v ->
        let nom : Str = stem + v in
        nominal a nom nom nom (nom + "t" + a) (nom + v + "n")
          (nom + "iden" | nom + "itten") (nom + "it" + a) (nom + "i") (nom + "i")
          (nom + "ihin") ;

    -- neuvottelu (neuvottel, u), näyttely (näyttel, y): a plural in -ja and -ita.
    likeNeuvottelu : (a, stem, vowel : Str) -> {s : Number => Case => Str} =
      \a, stem, v ->
        let nom : Str = stem + v in
        nominal a nom nom nom (nom + a) (nom + v + "n")
          (nom + "jen" | nom + "iden" | nom + "itten") (nom + "j" + a | nom + "it" + a)
          (nom + "i") (nom + "i") (nom + "ihin") ;

    -- koira, päivä, johtava, äänestäjä: a plural in -ia or -iä.
    likeKoira : (a, strong, weak : Str) -> {s : Number => Case => Str} =
      \a, strong, weak ->
        nominal a (strong + a) (weak + a) (strong + a) (strong + a + a)
          (strong + a + a + "n")
          (strong + "ien") (strong + "i" + a) (weak + "i") (strong + "i")
          (strong + "iin") ;

    -- korkea, vaikea (vaike), hopea: the partitive in -aa and -ata.
    likeKorkea : (a, stem : Str) -> {s : Number => Case => Str} =
      \a, stem ->
        nominal a (stem + a) (stem + a) (stem + a) (stem + a + a | stem + a + "t" + a)
          (stem + a + a + "n")
          (stem + "iden" | stem + "itten") (stem + "it" + a) (stem + "i") (stem + "i")
          (stem + "isiin" | stem + "ihin") ;

    -- suuri, pieni (pien), kieli: the nominative in -i, the stem in -e.
    likeSuuri : (a, stem : Str) -> {s : Number => Case => Str} =
      \a, stem ->
        nominal a (stem + "i") (stem + "e") (stem + "e") (stem + "t" + a)
          (stem + "een")
          (stem + "ten" | stem + "ien") (stem + "i" + a) (stem + "i") (stem + "i")
          (stem + "iin") ;

    -- nainen (nai), säännöllinen (säännölli).
    likeNainen : (a, stem : Str) -> {s : Number => Case => Str} =
      \a, stem ->
        nominal a (stem + "nen") (stem + "se") (stem + "se") (stem + "st" + a)
          (stem + "seen")
          (stem + "sten" | stem + "sien") (stem + "si" + a) (stem + "si")
          (stem + "si") (stem + "siin") ;

    -- vastaus (vastau), luottamus (luottamu), kysymys (kysymy): the stem in -kse-.
    likeVastaus : (a, stem : Str) -> {s : Number => Case => Str} =
      \a, stem ->
        nominal a (stem + "s") (stem + "kse") (stem + "kse") (stem + "st" + a)
          (stem + "kseen")
          (stem + "sten" | stem + "ksien") (stem + "ksi" + a) (stem + "ksi")
          (stem + "ksi") (stem + "ksiin") ;

    -- sairaus (sairau), mahdollisuus (mahdollisuu): the stem in -de- and -te-.
    likeSairaus : (a, stem : Str) -> {s : Number => Case => Str} =
      \a, stem ->
        nominal a (stem + "s") (stem + "de") (stem + "te") (stem + "tt" + a)
          (stem + "teen")
          (stem + "ksien") (stem + "ksi" + a) (stem + "ksi") (stem + "ksi")
          (stem + "ksiin") ;

    -- sade (sade, sate), perhe (perhe, perhe): the nominative and the stem.
    likeSade : (a, nom, stem : Str) -> {s : Number => Case => Str} =
      \a, nom, stem ->
        nominal a nom (stem + "e") (stem + "e") (nom + "tt" + a) (stem + "eseen")
          (stem + "iden" | stem + "itten") (stem + "it" + a) (stem + "i")
          (stem + "i") (stem + "isiin") ;

    -- rikas (rikas, rikkaa, rikkai), kaunis (kaunis, kaunii, kaunii).
    likeRikas : (a, nom, stem, plural : Str) -> {s : Number => Case => Str} =
      \a, nom, stem, plural ->
        nominal a nom stem stem (nom + "t" + a) (stem + "seen")
          (plural + "den" | plural + "tten") (plural + "t" + a) plural plural
          (plural + "siin") ;

    -- Comparatives: suurempi (suure), kovempi (kove).
    likeSuurempi : (a, stem : Str) -> {s : Number => Case => Str} =
      \a, stem ->
        nominal a (stem + "mpi") (stem + "mm" + a) (stem + "mp" + a)
          (stem + "mp" + a + a) (stem + "mp" + a + a + "n")
          (stem + "mpien") (stem + "mpi" + a) (stem + "mmi") (stem + "mpi")
          (stem + "mpiin") ;

    -- Nouns in two equal vowels or a diphthong: maa (maa, mai, maahan), työ (työ, töi,
    -- työhön).
    likeMaa : (a, nom, plural, ill : Str) -> {s : Number => Case => Str} =
      \a, nom, plural, ill ->
        nominal a nom nom nom (nom + "t" + a) ill
          (plural + "den" | plural + "tten") (plural + "t" + a) plural plural
          (plural + "hin") ;

    -- A compound: a first part that stays, written together with the last.
    compound : Str -> {s : Number => Case => Str} -> {s : Number => Case => Str} =
      \first, last -> {s = \\n, c => first + last.s ! n ! c} ;

    -- Words that agree: an adjective before its noun.
    agreeing : {s : Number => Case => Str} -> {s : Number => Case => Str} ->
               {s : Number => Case => Str} =
      \a, n -> {s = \\number, c => a.s ! number ! c ++ n.s ! number ! c} ;

    -- A genitive, or anything else that stays, before a noun.
    before : Str -> {s : Number => Case => Str} -> {s : Number => Case => Str} =
      \first, n -> {s = \\number, c => first ++ n.s ! number ! c} ;

    -- Names of countries and the like have no plural.
    singular : {s : Number => Case => Str} -> {s : Number => Case => Str} =
      \n -> {s = table {Sg => n.s ! Sg ; Pl => \\_ => nonExist}} ;

    -- A verb in the third person by its forms: infinitive, present, past, conditional,
    -- the participle of the perfect, and the passive.
    verb : (inf, pres, press, past, pasts, cond, conds, nut, neet, pass : Str) ->
           {s : VForm => Str} =
      \inf, pres, press, past, pasts, cond, conds, nut, neet, pass -> {s = table {
        Inf => inf ; Pres Sg => pres ; Pres Pl => press ; Past Sg => past ;
        Past Pl => pasts ; Cond Sg => cond ; Cond Pl => conds ; Nut Sg => nut ;
        Nut Pl => neet ; Pass => pass }} ;
    olla : {s : VForm => Str} =
      verb "olla" "on" "ovat" "oli" "olivat" "olisi" "olisivat" "ollut" "olleet"
        "ollaan" ;
    ei : Number => Str = table {Sg => "ei" ; Pl => "eivät"} ;

    -- Whatever may be left out.
    optional : Str -> Str = \text -> variants {text ; []} ;

    -- Two parts in any order.
    eitherWay : Str -> Str -> Str = \one, other -> variants {one ++ other ; other ++ one} ;
}
