-- SPDX-License-Identifier: Apache-2.0
-- A vessel, which may stand somewhere, is of some colour.
abstract Vessel = {
  flags startcat = Template ;
  cat
    Template ; Subject ; Vessel ; Place ; Colour ;
  fun
    -- the vase is violet
    Is : Subject -> Colour -> Template ;
    -- the vase is violet in colour
    InColour : Subject -> Colour -> Template ;
    -- the colour of the vase is violet
    ColourIs : Subject -> Colour -> Template ;
    -- the vase has a violet colour: not Finnish
    HasColour : Subject -> Colour -> Template ;
    -- the vase is a violet one: English only
    One : Subject -> Colour -> Template ;
    -- maljakko on violetin värinen: Finnish only
    OfColour : Subject -> Colour -> Template ;

    -- the vase; the place is an optional variable
    Alone : Vessel -> Subject ;
    -- the vase on the windowsill
    On : Vessel -> Place -> Subject ;
    -- the vase standing on the windowsill
    Standing : Vessel -> Place -> Subject ;
    -- the vase that stands on the windowsill
    WhichStands : Vessel -> Place -> Subject ;

    SemVar1aJug, SemVar1bVase, SemVar1cFruitBowl, SemVar1dBucket : Vessel ;
    SemVar2aWindowsill, SemVar2bTopShelf, SemVar2cSteps : Place ;
    SemVar3aDarkGreen, SemVar3bLightGrey, SemVar3cViolet, SemVar3dBrightRed : Colour ;
}
