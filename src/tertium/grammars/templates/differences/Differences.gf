-- SPDX-License-Identifier: Apache-2.0
-- Two countries disagree, about something or in general, in spite of something.
abstract Differences = {
  flags startcat = Template ;
  cat
    Template ; Countries ; Topic ; Despite ;
  fun
    -- Norway and Iceland have differences
    Have : Countries -> Topic -> Despite -> Template ;
    -- there are differences between Norway and Iceland
    ThereAre : Countries -> Topic -> Despite -> Template ;
    -- Norway and Iceland disagree
    Disagree : Countries -> Topic -> Despite -> Template ;
    -- Norway and Iceland do not agree
    NotAgree : Countries -> Topic -> Despite -> Template ;
    -- the views of Norway and Iceland differ
    Views : Countries -> Topic -> Despite -> Template ;
    -- the differences between Norway and Iceland persist
    Persist : Countries -> Topic -> Despite -> Template ;
    -- Norway and Iceland are at odds: English only
    AtOdds : Countries -> Topic -> Despite -> Template ;
    -- välillä vallitsee erimielisyys: Finnish only
    Prevail : Countries -> Topic -> Despite -> Template ;

    SemVar1aNorwayIceland, SemVar1bPortugalMorocco, SemVar1cNeighbours : Countries ;
    SemVar2aQuotas, SemVar2bSeaBorder, AnyTopic : Topic ;
    SemVar3aTalks, SemVar3bTreaty : Despite ;
}
