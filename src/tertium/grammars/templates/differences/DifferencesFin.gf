--# -path=.:../common
-- SPDX-License-Identifier: Apache-2.0
concrete DifferencesFin of Differences = open CommonFin in {
  lincat
    Template = Str ;
    -- "sopimuksesta huolimatta", and "huolimatta sopimuksesta" where no other
    -- elative stands before it.
    Despite = {s, first : Str} ;
    -- Always plural: "Norja ja Islanti ovat", "naapurimaat ovat".
    Countries = {s : Case => Str} ;
    -- "kiintiöistä" or "kiintiöiden suhteen" after a noun, "kiintiöitä koskevia" before it.
    Topic = {ela, koskevia, koskevat : Str} ;
  lin
    Have c t d = clause d (c.s ! Ade) (olla.s ! (Pres Sg)) (differences t) ;
    ThereAre c t d = clause d (c.s ! Gen ++ "välillä") (olla.s ! (Pres Sg)) (differences t) ;
    Disagree c t d =
      clause d (c.s ! Nom) (olla.s ! (Pres Pl))
        (("eri" ++ mieli.s ! Sg ! Par | erimielinen.s ! Pl ! Par) ++ t.ela) ;
    NotAgree c t d =
      variants {
        ordered d (c.s ! Nom) (ei ! Pl ++ "ole") (agreed ++ t.ela) ;
        ordered d (c.s ! Nom) (ei ! Pl) ("ole" ++ optional stillNot ++ agreed ++ t.ela) ;
        ordered d (c.s ! Nom) (ei ! Pl ++ stillNot) ("ole" ++ agreed ++ t.ela) } ;
    Views c t d =
      let subject : Str = c.s ! Gen ++ views ++ t.ela in
      variants {
        clauseOrFirst d subject ((erota | poiketa).s ! (Pres Pl)) "toisistaan" ;
        clauseOrFirst d subject (olla.s ! (Pres Pl)) (erilainen.s ! Pl ! (Nom | Par)) } ;
    Persist c t d =
      let subject : Str =
        c.s ! Gen ++ optional (valinen.s ! Pl ! Nom)
          ++ (erimielisyys.s ! Pl ! Nom ++ t.ela
             | t.koskevat ++ erimielisyys.s ! Pl ! Nom) in
      variants {
        clauseOrFirst d subject (jatkua.s ! (Pres Pl)) [] ;
        ordered d subject (ei ! Pl) ("ole" ++ optional "vieläkään" ++ "poistuneet") } ;
    Prevail c t d =
      clause d (c.s ! Gen ++ "välillä") (vallita.s ! (Pres Sg))
        (erimielisyys.s ! Sg ! (Nom | Par) ++ t.ela) ;

    SemVar1aNorwayIceland = both norja islanti ;
    SemVar1bPortugalMorocco = both portugali marokko ;
    SemVar1cNeighbours =
      {s = \\c => (naapurimaa | naapurivaltio).s ! Pl ! c} ;
    SemVar2aQuotas = about (\\c => (kalastuskiintio | saaliskiintio).s ! Pl ! c) ;
    SemVar2bSeaBorder = about (meriraja.s ! Sg) ;
    AnyTopic = {ela = [] ; koskevia = [] ; koskevat = []} ;
    SemVar3aTalks =
      despite (pitka.s ! Pl ! Ela ++ (neuvottelu | keskustelu).s ! Pl ! Ela) ;
    SemVar3bTreaty = despite (uusi.s ! Sg ! Ela ++ sopimus.s ! Sg ! Ela) ;
  oper
    still : Str = variants { "yhä" ; "edelleen" ; "vieläkin" ; [] } ;
    stillNot : Str = "vieläkään" | "edelleenkään" ;
    agreed : Str = ("samaa" | "yhtä") ++ mieli.s ! Sg ! Par | yksimielinen.s ! Pl ! Par ;
    views : Str = (nakemys | kasitys).s ! Pl ! Nom | mielipide.s ! Pl ! Nom ;
    differences : {ela, koskevia, koskevat : Str} -> Str = \t ->
      (erimielisyys | nakemysero | mielipideEro).s ! Pl ! Par ++ t.ela
      | t.koskevia ++ (erimielisyys | nakemysero | mielipideEro).s ! Pl ! Par ;
    -- What the countries disagree in spite of: first, after the verb, or last.
    ordered : {s, first : Str} -> Str -> Str -> Str -> Str = \d, subject, verb, rest ->
      variants {
        (d.s | d.first) ++ subject ++ verb ++ rest ;
        subject ++ verb ++ d.s ++ rest ;
        subject ++ verb ++ rest ++ d.s } ;
    clause : {s, first : Str} -> Str -> Str -> Str -> Str = \d, subject, verb, rest ->
      ordered d subject verb (still ++ rest) ;
    clauseOrFirst : {s, first : Str} -> Str -> Str -> Str -> Str = \d, subject, verb, rest ->
      clause d subject verb rest | subject ++ verb ++ still ++ rest ++ d.first ;
    about : (Case => Str) -> {ela, koskevia, koskevat : Str} = \topic ->
      {ela = topic ! Ela | topic ! Gen ++ "suhteen" ;
       koskevia = topic ! Par ++ koskeva.s ! Pl ! Par ;
       koskevat = topic ! Par ++ koskeva.s ! Pl ! Nom} ;
    despite : Str -> {s, first : Str} = \what ->
      {s = what ++ "huolimatta" ; first = "huolimatta" ++ what} ;
    both : {s : Number => Case => Str} -> {s : Number => Case => Str} ->
           {s : Case => Str} = \one, other ->
      {s = \\c => one.s ! Sg ! c ++ "ja" ++ other.s ! Sg ! c
                | other.s ! Sg ! c ++ "ja" ++ one.s ! Sg ! c} ;

    norja : {s : Number => Case => Str} = singular (likeKala "Norj" "Norj") ;
    islanti : {s : Number => Case => Str} = singular (likeRisti "a" "Islant" "Islann") ;
    portugali : {s : Number => Case => Str} =
      singular (likeRisti "a" "Portugal" "Portugal") ;
    marokko : {s : Number => Case => Str} = singular (likeTalo "a" "Marokk" "Marok" "o") ;
    maa : {s : Number => Case => Str} = likeMaa "a" "maa" "mai" "maahan" ;
    naapurimaa : {s : Number => Case => Str} = compound "naapuri" maa ;
    naapurivaltio : {s : Number => Case => Str} =
      compound "naapuri" (likeValtio "a" "valti" "o") ;
    kiintio : {s : Number => Case => Str} = likeValtio "ä" "kiinti" "ö" ;
    kalastuskiintio : {s : Number => Case => Str} = compound "kalastus" kiintio ;
    saaliskiintio : {s : Number => Case => Str} = compound "saalis" kiintio ;
    meriraja : {s : Number => Case => Str} = compound "meri" (likeKala "raj" "raj") ;
    pitka : {s : Number => Case => Str} = likeKoira "ä" "pitk" "pitk" ;
    neuvottelu : {s : Number => Case => Str} = likeNeuvottelu "a" "neuvottel" "u" ;
    keskustelu : {s : Number => Case => Str} = likeNeuvottelu "a" "keskustel" "u" ;
    uusi : {s : Number => Case => Str} =
      nominal "a" "uusi" "uude" "uute" "uutta" "uuteen"
        "uusien" "uusia" "uusi" "uusi" "uusiin" ;
    sopimus : {s : Number => Case => Str} = likeVastaus "a" "sopimu" ;
    erimielisyys : {s : Number => Case => Str} = likeSairaus "ä" "erimielisyy" ;
    ero : {s : Number => Case => Str} = likeTalo "a" "er" "er" "o" ;
    nakemysero : {s : Number => Case => Str} = compound "näkemys" ero ;
    mielipideEro : {s : Number => Case => Str} = compound "mielipide-" ero ;
    erimielinen : {s : Number => Case => Str} = likeNainen "ä" "erimieli" ;
    yksimielinen : {s : Number => Case => Str} = likeNainen "ä" "yksimieli" ;
    erilainen : {s : Number => Case => Str} = likeNainen "a" "erilai" ;
    valinen : {s : Number => Case => Str} = likeNainen "ä" "väli" ;
    koskeva : {s : Number => Case => Str} = likeKoira "a" "koskev" "koskev" ;
    nakemys : {s : Number => Case => Str} = likeVastaus "ä" "näkemy" ;
    kasitys : {s : Number => Case => Str} = likeVastaus "ä" "käsity" ;
    mielipide : {s : Number => Case => Str} = likeSade "ä" "mielipide" "mielipite" ;
    mieli : {s : Number => Case => Str} = likeSuuri "ä" "miel" ;

    erota : {s : VForm => Str} =
      verb "erota" "eroaa" "eroavat" "erosi" "erosivat" "eroaisi" "eroaisivat" "eronnut"
        "eronneet" "erotaan" ;
    poiketa : {s : VForm => Str} =
      verb "poiketa" "poikkeaa" "poikkeavat" "poikkesi" "poikkesivat" "poikkeaisi"
        "poikkeaisivat" "poikennut" "poikenneet" "poiketaan" ;
    jatkua : {s : VForm => Str} =
      verb "jatkua" "jatkuu" "jatkuvat" "jatkui" "jatkuivat" "jatkuisi" "jatkuisivat"
        "jatkunut" "jatkuneet" "jatkutaan" ;
    vallita : {s : VForm => Str} =
      verb "vallita" "vallitsee" "vallitsevat" "vallitsi" "vallitsivat" "vallitsisi"
        "vallitsisivat" "vallinnut" "vallinneet" "vallitaan" ;
}
