--# -path=.:../common
-- SPDX-License-Identifier: Apache-2.0
concrete SizeEng of Size = open CommonEng in {
  lincat
    Template, Machine, Time = Str ;
    Bulk = {s, despite : Str} ;
    Manner = {adv, adj : Str} ;
  lin
    Although m b w t =
      variants {
        although ++ "the" ++ m ++ "is" ++ b.s ++ comma ++ moving "it" w t ;
        although ++ "it is" ++ b.s ++ comma ++ moving ("the" ++ m) w t } ;
    AlthoughLast m b w t =
      "the" ++ m ++ "moves" ++ w.adv ++ t ++ comma ++ although ++ "it is" ++ b.s ;
    But m b w t =
      variants {
        "the" ++ m ++ "is" ++ b.s ++ comma ++ "but" ++ moving "it" w t ;
        "the" ++ m ++ "is" ++ b.s ++ comma ++ "yet" ++ moving "it" w t ;
        "the" ++ m ++ "is" ++ b.s ++ ("but" | "and yet") ++ "moves" ++ w.adv ++ t } ;
    Granted m b w t =
      "the" ++ m ++ "may be" ++ b.s ++ comma ++ "but it moves" ++ w.adv ++ t ;
    Despite m b w t =
      variants {
        despite ++ b.despite ++ comma ++ "the" ++ m ++ "moves" ++ w.adv ++ t ;
        "the" ++ m ++ "moves" ++ w.adv ++ t ++ despite ++ b.despite } ;
    Attribute m b w t =
      "the" ++ b.s ++ m ++ ("nevertheless" | "nonetheless" | "still") ++ "moves" ++ w.adv
        ++ t ;
    Movements m b w t =
      "the movements of the" ++ b.s ++ m ++ "are" ++ ("nevertheless" | "nonetheless")
        ++ w.adj ++ t ;
    AsItIs m b w t = b.s ++ "as it is" ++ comma ++ moving ("the" ++ m) w t ;

    SemVar1aExcavator = "excavator" | "digger" ;
    SemVar1bCrane = "tower crane" | "construction crane" ;
    SemVar1cRobotArm = ("robot" | "robotic") ++ "arm" ;
    SemVar2aHuge =
      let huge : Str = "huge" | "enormous" | "gigantic" in
      {s = huge ; despite = "its" ++ huge ++ "size"} ;
    SemVar2bHeavy = {s = "heavy" ; despite = "its" ++ ("great" | "heavy") ++ "weight"} ;
    SemVar3aPrecisely = {
      adv = very ++ ("precisely" | "accurately")
          | "with great" ++ ("precision" | "accuracy") ;
      adj = very ++ ("precise" | "accurate") } ;
    SemVar3bQuietly = {
      adv = very ++ "quietly" | "with very little noise" ;
      adj = very ++ "quiet" } ;
    SemVar4aAtNight = "at night" | "at night-time" | "during the night" ;
    AnyTime = [] ;
  oper
    very : Str = "very" | "really" ;
    although : Str = "although" | "though" | "even though" ;
    despite : Str = "despite" | "in spite of" ;
    moving : Str -> {adv, adj : Str} -> Str -> Str =
      \subject, w, t -> subject ++ "moves" ++ w.adv ++ t ;
}
