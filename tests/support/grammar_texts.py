# SPDX-License-Identifier: Apache-2.0
"""Grammars that several tests read."""

from __future__ import annotations

#: A complete grammar, the one of the worked examples.
HAVE = r"""
abstract Have = {
  flags startcat = Template ;
  cat Template ; Person ; Thing ; Prop ;
  fun
    XHasY, XOwnsY, XIsOwnerOfY : Person -> Prop -> Thing -> Template ;
    SemVar1aAnna, SemVar1bPekka : Person ;
    SemVar2aCar, SemVar2bAppleTree : Thing ;
    SemVar3aBig, SemVar3bOld : Prop ;
}
concrete HaveEng of Have = {
  param Init = Cons | Vow ;
  lincat Template, Person, Thing = Str ; Prop = {s : Str ; i : Init} ;
  lin
    XHasY p a t       = clause p "has" (indef a t) ;
    XOwnsY p a t      = clause p "owns" (indef a t) ;
    XIsOwnerOfY p a t = p ++ "is" ++ now ++ "the owner of" ++ indef a t ;
    SemVar1aAnna = "Anna" ;  SemVar1bPekka = "Pekka" ;
    SemVar2aCar = "car" ;    SemVar2bAppleTree = "apple tree" ;
    SemVar3aBig = {s = variants {"big" ; "large"} ; i = Cons} ;
    SemVar3bOld = {s = "old" ; i = Vow} ;
  oper
    now : Str = variants {"now" ; "nowadays"} ;
    indef : {s : Str ; i : Init} -> Str -> Str =
      \a,t -> table {Cons => "a" ; Vow => "an"} ! a.i ++ a.s ++ t ;
    clause : (p,v,o : Str) -> Str = \p,v,o ->
      variants { p ++ "now" ++ v ++ o ; now ++ p ++ v ++ o ; p ++ v ++ o ++ now } ;
}
concrete HaveFin of Have = open MiniFin in {
  lincat Template = Str ; Person, Thing, Prop = {s : Case => Str} ;
  lin
    XHasY p a t =
      let poss : Str = p.s ! Ade ; obj : Str = np a t Nom in
      variants { poss ++ "on" ++ nyt ++ obj ; nyt ++ poss ++ "on" ++ obj ;
                 poss ++ nyt ++ "on" ++ obj ; poss ++ "on" ++ obj ++ nyt } ;
    XOwnsY p a t =
      let subj : Str = p.s ! Nom ; obj : Str = np a t Gen in
      variants { subj ++ "omistaa" ++ nyt ++ obj ; nyt ++ subj ++ "omistaa" ++ obj } ;
    XIsOwnerOfY p a t = p.s ! Nom ++ "on" ++ nyt ++ np a t Gen ++ "omistaja" ;
    SemVar1aAnna  = forms "Anna" "Annan" "Annaa" "Annalla" ;
    SemVar1bPekka = forms "Pekka" "Pekan" "Pekkaa" "Pekalla" ;
    SemVar2aCar   = forms "auto" "auton" "autoa" "autolla" ;
    SemVar2bAppleTree = forms "omenapuu" "omenapuun" "omenapuuta" "omenapuulla" ;
    SemVar3aBig = variants { forms "iso" "ison" "isoa" "isolla" ;
                             forms "suuri" "suuren" "suurta" "suurella" } ;
    SemVar3bOld = forms "vanha" "vanhan" "vanhaa" "vanhalla" ;
  oper nyt : Str = variants {"nyt" ; "nykyään"} ;
}
resource MiniFin = {
  param Case = Nom | Gen | Par | Ade ;
  oper
    forms : (n,g,p,a : Str) -> {s : Case => Str} = \n,g,p,a ->
      {s = table {Nom => n ; Gen => g ; Par => p ; Ade => a}} ;
    np : {s : Case => Str} -> {s : Case => Str} -> Case -> Str =
      \a,n,c -> a.s ! c ++ n.s ! c ;
}
"""
