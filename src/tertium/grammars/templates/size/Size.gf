-- SPDX-License-Identifier: Apache-2.0
-- A machine is big or heavy, and yet it moves precisely or quietly.
abstract Size = {
  flags startcat = Template ;
  cat
    Template ; Machine ; Bulk ; Manner ; Time ;
  fun
    -- although it is huge, the machine moves very precisely
    Although : Machine -> Bulk -> Manner -> Time -> Template ;
    -- the machine moves very precisely although it is huge
    AlthoughLast : Machine -> Bulk -> Manner -> Time -> Template ;
    -- the machine is huge, but it moves very precisely
    But : Machine -> Bulk -> Manner -> Time -> Template ;
    -- the machine may be huge, but ...
    Granted : Machine -> Bulk -> Manner -> Time -> Template ;
    -- despite its huge size, the machine moves very precisely
    Despite : Machine -> Bulk -> Manner -> Time -> Template ;
    -- the huge machine nevertheless moves very precisely
    Attribute : Machine -> Bulk -> Manner -> Time -> Template ;
    -- the movements of the huge machine are nevertheless very precise
    Movements : Machine -> Bulk -> Manner -> Time -> Template ;
    -- huge as it is, the machine moves very precisely
    AsItIs : Machine -> Bulk -> Manner -> Time -> Template ;

    SemVar1aExcavator, SemVar1bCrane, SemVar1cRobotArm : Machine ;
    SemVar2aHuge, SemVar2bHeavy : Bulk ;
    SemVar3aPrecisely, SemVar3bQuietly : Manner ;
    SemVar4aAtNight, AnyTime : Time ;
}
