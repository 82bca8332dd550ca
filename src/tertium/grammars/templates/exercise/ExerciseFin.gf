--# -path=.:../common
-- SPDX-License-Identifier: Apache-2.0
concrete ExerciseFin of Exercise = open Predef, CommonFin in {
  lincat
    Template = Str ;
    -- The noun; "uiminen"; "uimalla", "uivilla", "uivat" as a participle and a verb.
    Sport = {s : Case => Str ; doing, by, whoAde, whoNom, they : Str} ;
    -- "sydäntaudin" (riski), "sydäntautiriski", (riski) "sairastua sydäntautiin",
    -- (ehkäistä) "sydäntauteja", (suojata) "sydäntaudeilta", "sairastuvat harvemmin".
    Illness = {gen, get, par, abl, getLess : Str ; risk : Case => Str} ;
    -- Those whose risk it is, if any are named: before the risk in the genitive, or
    -- after it ("ikäihmisillä", "ikäihmisten keskuudessa"). Otherwise "ihmiset".
    People = {gen, ade, among, par : Str ; s : Case => Str} ;
  lin
    Reduce s i p =
      subject s ++
      variants {
        (vahentaa | pienentaa).s ! (Pres Sg) ++ risk anyRisk i p Par ;
        (alentaa | laskea).s ! (Pres Sg) ++ risk riski i p Par } ;
    RiskFalls s i p =
      let shrinks : Str = (pieneta | vaheta).s ! (Pres Sg) ;
          sinks : Str = laskea.s ! (Pres Sg) in
      variants {
        risk anyRisk i p Nom ++ shrinks ++ (regularly s Ade | thanksTo s) ;
        risk riski i p Nom ++ sinks ++ (regularly s Ade | thanksTo s) ;
        thanksTo s ++ risk anyRisk i p Nom ++ shrinks ;
        thanksTo s ++ risk riski i p Nom ++ sinks } ;
    CanBeReduced s i p =
      let can : Str = voida.s ! (Pres Sg) | voida.s ! Pass in
      variants {
        risk anyRisk i p Par ++ can ++ (vahentaa | pienentaa).s ! Inf ++ means s ;
        risk riski i p Par ++ can ++ (alentaa | laskea).s ! Inf ++ means s ;
        means s ++ can ++ (vahentaa | pienentaa).s ! Inf ++ risk anyRisk i p Par ;
        means s ++ can ++ (alentaa | laskea).s ! Inf ++ risk riski i p Par } ;
    HaveLowerRisk s i p =
      variants {
        "säännöllisesti" ++ s.whoAde ++ p.s ! Ade ++ olla.s ! (Pres Sg) ++ lowerRisk i ;
        p.s ! Ade ++ "," ++ "jotka" ++ s.they ++ "säännöllisesti" ++ ","
          ++ olla.s ! (Pres Sg) ++ lowerRisk i } ;
    LessLikely s i p =
      variants {
        "säännöllisesti" ++ s.whoNom ++ p.s ! Nom ++ i.getLess ;
        p.s ! Nom ++ "," ++ "jotka" ++ s.they ++ "säännöllisesti" ++ "," ++ i.getLess } ;
    Protect s i p = subject s ++ suojata.s ! (Pres Sg) ++ p.par ++ i.abl ;
    Prevent s i p =
      subject s ++ (auttaa.s ! (Pres Sg) ++ "ehkäisemään" | ehkaista.s ! (Pres Sg))
        ++ (p.gen ++ i.par | i.par ++ (p.ade | p.among)) ;
    Effect s i p =
      regularly s Ade ++ olla.s ! (Pres Sg) ++ p.gen
        ++ (i.gen ++ (riski | vaara).s ! Sg ! Par | i.risk ! Par)
        ++ (pienentava | vahentava).s ! Sg ! Nom ++ vaikutus.s ! Sg ! Nom ;

    SemVar1aSwimming =
      {s = (uinti | uiminen).s ! Sg ; doing = uiminen.s ! Sg ! Nom ; by = "uimalla" ;
       whoAde = uiva.s ! Pl ! Ade ; whoNom = uiva.s ! Pl ! Nom ;
       they = uida.s ! (Pres Pl)} ;
    SemVar1bCycling =
      {s = (pyoraily | pyoraileminen).s ! Sg ;
       doing = pyoraileminen.s ! Sg ! Nom | byBicycle ++ ajaminen.s ! Sg ! Nom ;
       by = "pyöräilemällä" | "ajamalla" ++ byBicycle ;
       whoAde = pyoraileva.s ! Pl ! Ade | byBicycle ++ ajava.s ! Pl ! Ade ;
       whoNom = pyoraileva.s ! Pl ! Nom | byBicycle ++ ajava.s ! Pl ! Nom ;
       they = pyorailla.s ! (Pres Pl) | ajaa.s ! (Pres Pl) ++ byBicycle} ;
    SemVar1cWalking =
      {s = (kavely | kaveleminen).s ! Sg ; doing = kaveleminen.s ! Sg ! Nom ;
       by = "kävelemällä" ;
       whoAde = kaveleva.s ! Pl ! Ade ; whoNom = kaveleva.s ! Pl ! Nom ;
       they = kavella.s ! (Pres Pl)} ;
    SemVar2aHeartDisease =
      {gen = (sydantauti | sydansairaus).s ! (Sg | Pl) ! Gen ;
       get = sairastua.s ! Inf ++ (sydantauti | sydansairaus).s ! Sg ! Ill ;
       par = (sydantauti | sydansairaus).s ! Pl ! Par ;
       abl = (sydantauti | sydansairaus).s ! Pl ! Abl ;
       getLess = less (sairastua.s ! (Pres Pl)) ((sydantauti | sydansairaus).s ! Sg ! Ill) ;
       risk = sydantautiriski.s ! Sg} ;
    SemVar2bHypertension =
      {gen = verenpainetauti.s ! Sg ! Gen | highPressure.s ! Sg ! Gen ;
       get = sairastua.s ! Inf ++ verenpainetauti.s ! Sg ! Ill ;
       par = verenpainetauti.s ! Sg ! Par | highPressure.s ! Sg ! Par ;
       abl = verenpainetauti.s ! Sg ! Abl | highPressure.s ! Sg ! Abl ;
       getLess = less (sairastua.s ! (Pres Pl)) (verenpainetauti.s ! Sg ! Ill) ;
       risk = \\_ => nonExist} ;
    SemVar2cBackPain =
      {gen = selkakipu.s ! Pl ! Gen | selkasarky.s ! Sg ! Gen ;
       get = saada.s ! Inf ++ (selkakipu.s ! Pl ! Par | selkasarky.s ! Sg ! Par)
           | karsia.s ! Inf ++ (selkakipu.s ! Pl ! Ela | selkasarky.s ! Sg ! Ela) ;
       par = selkakipu.s ! Pl ! Par | selkasarky.s ! Sg ! Par ;
       abl = selkakipu.s ! Pl ! Abl | selkasarky.s ! Sg ! Abl ;
       getLess =
         less (karsia.s ! (Pres Pl)) (selkakipu.s ! Pl ! Ela | selkasarky.s ! Sg ! Ela)
         | less (saada.s ! (Pres Pl)) (selkakipu.s ! Pl ! Par | selkasarky.s ! Sg ! Par) ;
       risk = \\_ => nonExist} ;
    SemVar3aElderly = people elderly ;
    SemVar3bOfficeWorkers = people officeWorker ;
    Everybody =
      {gen = [] ; ade = [] ; among = [] ; par = optional (ihminen.s ! Pl ! Par) ;
       s = ihminen.s ! Pl} ;
  oper
    regular : {s : Number => Case => Str} = likeNainen "ä" "säännölli" ;
    regularly : {s : Case => Str ; doing, by, whoAde, whoNom, they : Str} ->
                Case -> Str =
      \s, c -> regular.s ! Sg ! c ++ s.s ! c ;
    subject : {s : Case => Str ; doing, by, whoAde, whoNom, they : Str} -> Str =
      \s -> regularly s Nom | s.doing ++ "säännöllisesti" ;
    thanksTo : {s : Case => Str ; doing, by, whoAde, whoNom, they : Str} -> Str =
      \s -> regularly s Gen ++ ("ansiosta" | "myötä") ;
    means : {s : Case => Str ; doing, by, whoAde, whoNom, they : Str} -> Str =
      \s -> regularly s Ade | eitherWay s.by "säännöllisesti" ;
    people : {s : Number => Case => Str} -> {gen, ade, among, par : Str ; s : Case => Str} =
      \n -> {gen = n.s ! Pl ! Gen ;
             ade = n.s ! Pl ! Ade ; among = n.s ! Pl ! Gen ++ "keskuudessa" ;
             par = n.s ! Pl ! Par ; s = n.s ! Pl} ;
    byBicycle : Str = (pyora | polkupyora).s ! Sg ! Ade ;
    less : Str -> Str -> Str = \fall, ill ->
      fall ++ eitherWay ("harvemmin" | "epätodennäköisemmin") ill ;
    anyRisk : {s : Number => Case => Str} = riski | vaara | todennakoisyys ;
    risk : {s : Number => Case => Str} ->
           {gen, get, par, abl, getLess : Str ; risk : Case => Str} ->
           {gen, ade, among, par : Str ; s : Case => Str} -> Case -> Str =
      \n, i, p, c ->
      let ofIt : Str = i.gen ++ n.s ! Sg ! c | i.risk ! c ;
          to : Str = n.s ! Sg ! c ++ i.get in
      p.gen ++ (ofIt | to) | ofIt ++ (p.ade | p.among) | to ++ p.ade ;
    lowerRisk : {gen, get, par, abl, getLess : Str ; risk : Case => Str} -> Str = \i ->
      variants {
        (pienempi | vahaisempi).s ! Sg ! Nom
          ++ (i.gen ++ (riski | vaara).s ! Sg ! Nom | anyRisk.s ! Sg ! Nom ++ i.get) ;
        (alhaisempi | matalampi).s ! Sg ! Nom
          ++ (i.gen ++ riski.s ! Sg ! Nom | riski.s ! Sg ! Nom ++ i.get) ;
        (pienempi | alhaisempi | matalampi).s ! Sg ! Nom ++ i.risk ! Nom } ;

    elderly : {s : Number => Case => Str} =
      ikaihminen | vanhus | agreeing (iakas | vanhempi) ihminen ;
    officeWorker : {s : Number => Case => Str} =
      toimistotyontekija | toimistotyolainen ;
    highPressure : {s : Number => Case => Str} =
      agreeing (korkea | kohonnut) verenpaine ;

    uinti : {s : Number => Case => Str} = likeRisti "a" "uint" "uinn" ;
    uiminen : {s : Number => Case => Str} = likeNainen "a" "uimi" ;
    uiva : {s : Number => Case => Str} = likeKoira "a" "uiv" "uiv" ;
    pyoraily : {s : Number => Case => Str} = likeNeuvottelu "ä" "pyöräil" "y" ;
    pyoraileminen : {s : Number => Case => Str} = likeNainen "ä" "pyöräilemi" ;
    pyoraileva : {s : Number => Case => Str} = likeKoira "ä" "pyöräilev" "pyöräilev" ;
    kavely : {s : Number => Case => Str} = likeNeuvottelu "ä" "kävel" "y" ;
    kaveleminen : {s : Number => Case => Str} = likeNainen "ä" "kävelemi" ;
    kaveleva : {s : Number => Case => Str} = likeKoira "ä" "kävelev" "kävelev" ;
    riski : {s : Number => Case => Str} = likeRisti "ä" "risk" "risk" ;
    vaara : {s : Number => Case => Str} = likeKala "vaar" "vaar" ;
    todennakoisyys : {s : Number => Case => Str} = likeSairaus "ä" "todennäköisyy" ;
    tauti : {s : Number => Case => Str} = likeRisti "a" "taut" "taud" ;
    sydantauti : {s : Number => Case => Str} = compound "sydän" tauti ;
    sydansairaus : {s : Number => Case => Str} =
      compound "sydän" (likeSairaus "a" "sairau") ;
    sydantautiriski : {s : Number => Case => Str} = compound "sydäntauti" riski ;
    verenpaine : {s : Number => Case => Str} =
      compound "veren" (likeSade "a" "paine" "paine") ;
    verenpainetauti : {s : Number => Case => Str} = compound "verenpaine" tauti ;
    korkea : {s : Number => Case => Str} = likeKorkea "a" "korke" ;
    kohonnut : {s : Number => Case => Str} =
      nominal "a" "kohonnut" "kohonnee" "kohonnee" "kohonnutta" "kohonneeseen"
        ("kohonneiden" | "kohonneitten") "kohonneita" "kohonnei" "kohonnei"
        "kohonneisiin" ;
    selkakipu : {s : Number => Case => Str} =
      compound "selkä" (likeTalo "a" "kip" "kiv" "u") ;
    selkasarky : {s : Number => Case => Str} =
      compound "selkä" (likeTalo "ä" "särk" "sär" "y") ;
    ihminen : {s : Number => Case => Str} = likeNainen "ä" "ihmi" ;
    ikaihminen : {s : Number => Case => Str} = compound "ikä" ihminen ;
    vanhus : {s : Number => Case => Str} = likeVastaus "a" "vanhu" ;
    iakas : {s : Number => Case => Str} = likeRikas "ä" "iäkäs" "iäkkää" "iäkkäi" ;
    toimistotyontekija : {s : Number => Case => Str} =
      compound "toimistotyön" (likeOmistaja "ä" "tekij" "ö") ;
    toimistotyolainen : {s : Number => Case => Str} =
      compound "toimisto" (likeNainen "ä" "työläi") ;
    pienempi : {s : Number => Case => Str} = likeSuurempi "ä" "piene" ;
    vahaisempi : {s : Number => Case => Str} = likeSuurempi "ä" "vähäise" ;
    alhaisempi : {s : Number => Case => Str} = likeSuurempi "a" "alhaise" ;
    matalampi : {s : Number => Case => Str} = likeSuurempi "a" "matala" ;
    vanhempi : {s : Number => Case => Str} = likeSuurempi "a" "vanhe" ;
    pyora : {s : Number => Case => Str} = likeKoira "ä" "pyör" "pyör" ;
    polkupyora : {s : Number => Case => Str} = compound "polku" pyora ;
    ajaminen : {s : Number => Case => Str} = likeNainen "a" "ajami" ;
    ajava : {s : Number => Case => Str} = likeKoira "a" "ajav" "ajav" ;
    pienentava : {s : Number => Case => Str} = likeKoira "ä" "pienentäv" "pienentäv" ;
    vahentava : {s : Number => Case => Str} = likeKoira "ä" "vähentäv" "vähentäv" ;
    vaikutus : {s : Number => Case => Str} = likeVastaus "a" "vaikutu" ;

    uida : {s : VForm => Str} =
      verb "uida" "ui" "uivat" "ui" "uivat" "uisi" "uisivat" "uinut" "uineet" "uidaan" ;
    pyorailla : {s : VForm => Str} =
      verb "pyöräillä" "pyöräilee" "pyöräilevät" "pyöräili" "pyöräilivät" "pyöräilisi"
        "pyöräilisivät" "pyöräillyt" "pyöräilleet" "pyöräillään" ;
    kavella : {s : VForm => Str} =
      verb "kävellä" "kävelee" "kävelevät" "käveli" "kävelivät" "kävelisi" "kävelisivät"
        "kävellyt" "kävelleet" "kävellään" ;
    sairastua : {s : VForm => Str} =
      verb "sairastua" "sairastuu" "sairastuvat" "sairastui" "sairastuivat" "sairastuisi"
        "sairastuisivat" "sairastunut" "sairastuneet" "sairastutaan" ;
    karsia : {s : VForm => Str} =
      verb "kärsiä" "kärsii" "kärsivät" "kärsi" "kärsivät" "kärsisi" "kärsisivät"
        "kärsinyt" "kärsineet" "kärsitään" ;
    saada : {s : VForm => Str} =
      verb "saada" "saa" "saavat" "sai" "saivat" "saisi" "saisivat" "saanut" "saaneet"
        "saadaan" ;
    voida : {s : VForm => Str} =
      verb "voida" "voi" "voivat" "voi" "voivat" "voisi" "voisivat" "voinut" "voineet"
        "voidaan" ;
    auttaa : {s : VForm => Str} =
      verb "auttaa" "auttaa" "auttavat" "auttoi" "auttoivat" "auttaisi" "auttaisivat"
        "auttanut" "auttaneet" "autetaan" ;
    ajaa : {s : VForm => Str} =
      verb "ajaa" "ajaa" "ajavat" "ajoi" "ajoivat" "ajaisi" "ajaisivat" "ajanut" "ajaneet"
        "ajetaan" ;
    vahentaa : {s : VForm => Str} =
      verb "vähentää" "vähentää" "vähentävät" "vähensi" "vähensivät" "vähentäisi"
        "vähentäisivät" "vähentänyt" "vähentäneet" "vähennetään" ;
    pienentaa : {s : VForm => Str} =
      verb "pienentää" "pienentää" "pienentävät" "pienensi" "pienensivät" "pienentäisi"
        "pienentäisivät" "pienentänyt" "pienentäneet" "pienennetään" ;
    alentaa : {s : VForm => Str} =
      verb "alentaa" "alentaa" "alentavat" "alensi" "alensivat" "alentaisi"
        "alentaisivat" "alentanut" "alentaneet" "alennetaan" ;
    laskea : {s : VForm => Str} =
      verb "laskea" "laskee" "laskevat" "laski" "laskivat" "laskisi" "laskisivat"
        "laskenut" "laskeneet" "lasketaan" ;
    vaheta : {s : VForm => Str} =
      verb "vähetä" "vähenee" "vähenevät" "väheni" "vähenivät" "vähenisi" "vähenisivät"
        "vähennyt" "vähenneet" "vähetään" ;
    pieneta : {s : VForm => Str} =
      verb "pienetä" "pienenee" "pienenevät" "pieneni" "pienenivät" "pienenisi"
        "pienenisivät" "pienennyt" "pienenneet" "pienetään" ;
    suojata : {s : VForm => Str} =
      verb "suojata" "suojaa" "suojaavat" "suojasi" "suojasivat" "suojaisi" "suojaisivat"
        "suojannut" "suojanneet" "suojataan" ;
    ehkaista : {s : VForm => Str} =
      verb "ehkäistä" "ehkäisee" "ehkäisevät" "ehkäisi" "ehkäisivät" "ehkäisisi"
        "ehkäisisivät" "ehkäissyt" "ehkäisseet" "ehkäistään" ;
}
