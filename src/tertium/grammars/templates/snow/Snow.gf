-- SPDX-License-Identifier: Apache-2.0
-- It has snowed, or it snowed, somewhere for some time, perhaps heavily.
abstract Snow = {
  flags startcat = Template ;
  cat
    Template ; Place ; Degree ; Duration ; Tense ;
  fun
    -- it snowed heavily in the mountains for weeks
    ItSnows : Place -> Degree -> Duration -> Tense -> Template ;
    -- snow fell heavily in the mountains for weeks
    SnowFalls : Place -> Degree -> Duration -> Tense -> Template ;
    -- there was heavy snowfall in the mountains for weeks
    ThereIs : Place -> Degree -> Duration -> Tense -> Template ;
    -- the heavy snowfall in the mountains lasted for weeks
    Lasts : Place -> Degree -> Duration -> Tense -> Template ;
    -- the mountains had heavy snowfall for weeks: English only
    PlaceHas : Place -> Degree -> Duration -> Tense -> Template ;
    -- vuorilla pyrytti viikkoja: Finnish only, and only of heavy snow
    Blizzard : Place -> Degree -> Duration -> Tense -> Template ;

    SemVar1aMountains, SemVar1bNorthEstonia, SemVar1cCapital : Place ;
    SemVar2aHeavily, Somehow : Degree ;
    SemVar3aTwoDays, SemVar3bWeeks, SemVar3cAllNight : Duration ;
    SemVar4aPerfect, SemVar4bPast : Tense ;
}
