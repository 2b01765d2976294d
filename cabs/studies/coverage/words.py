"""Which words of a report carry content: English function words and the small talk of reports do not.

Closed lists and word shapes of ordinary English; what is clinical stands in the ontology alone.
"""

from __future__ import annotations

import re

from cabs.parsing.grammar import word_class

FUNCTION = frozenset(
    (
        "i we you he she it they them him us our your my me who whom whose which what when where why how there here "
        "no not none nor never neither either both each every all any some other another others same such own few "
        "many much more most less least very too so than then thus hence also only just even still yet already again "
        "once now ago since until while whereas although though because if unless whether but however therefore "
        "otherwise else as about up down out off over per due etc via like unlike despite without upon among amongst "
        "between well far quite rather somewhat almost nearly perhaps maybe cannot can't don't doesn't isn't aren't "
        "wasn't won't there's it's that's versus vs first second third one two three four five six seven eight nine "
        "ten being having do does did done let make makes made get gets got go goes went give gives given gave come "
        "comes came take takes taken took see sees saw seen keep kept become becomes became seem seems need needs "
        "following follows followed including include includes included regarding concerning considering considered "
        "considers allowing accounting according together along away back forth prior after before during later "
        "earlier today currently next last further"
    ).split()
)
"""Words that end a phrase."""

TELLING = frozenset(
    (
        "noted note notes identified identify identifies visualized visualised visualize visible visibly observed "
        "observe detected detectable demonstrated demonstrate demonstrates shown show shows showing showed found find "
        "finds appreciated discernible described describe depicted displayed displays exhibits exhibited presents "
        "presented presenting evaluated evaluate assessed assess reviewed review reviews compared compare performed "
        "perform obtained obtain acquired administered discussed communicated reported reports report documented "
        "dated felt thought believed suggest suggests suggested represent represents representing reflect reflects "
        "reflecting indicate indicates indicating measured measuring measures measure measurement measurements "
        "approximating approximates extends extending extend extended contains containing contain causing causes "
        "cause caused resulting results result leading leads lead producing produces involving involves involve "
        "involved affecting affects affect associated related relates accompanied characterized consists consist "
        "consisting comprising overlying overlies overlie overlapping underlying surrounding adjoining projecting "
        "projects projected terminates terminating terminate courses coursing lies lying located situated appearing "
        "appeared appear appears remaining remains using used use based limits allow allows help helps helpful "
        "requires required require correlate correlated correlates contributing contributes expected known unknown "
        "unable limited limiting improved improve ensure acknowledged discharged underwent spanning crossing forming "
        "placed started developed developing anticipated estimated pending well-seen"
    ).split()
)
"""Verbs with which a report tells what it sees. They end a phrase."""

GENERAL = frozenset(
    (
        "size sizes shape shapes contour contours appearance appearances configuration caliber calibre position "
        "positions positioning location locations level levels degree degrees amount amounts number numbers portion "
        "portions part parts area areas region regions aspect aspects side sides site sites place places point points "
        "end ends top bottom length width height thickness diameter diameters dimension dimensions volume extent "
        "range value values type types kind kinds form forms pattern patterns component components feature features "
        "element elements structure structures nature cause causes origin course character characteristics behavior "
        "behaviour change changes manifestation manifestations condition state status case cases variance "
        "distribution orientation alignment morphology quality evidence sign signs indication suggestion impression "
        "possibility possibilities consideration considerations differential diagnosis diagnoses concern question "
        "certainty likelihood probability significance remainder rest combination setting context background basis "
        "term terms result results finding comparison correlation correlations evaluation assessment visualization "
        "characterization interpretation limitation limitations summary description discussion category score patient "
        "patients patient's history symptoms age year years old day days week weeks month months hour hours time "
        "times date male female man woman physician doctor dr clinic clinical clinically hospital radiology "
        "radiologist radiologist's notification telephone phone treatment therapy management intervention procedure "
        "technique technical technically protocol study studies exam exams examination examinations scan scans "
        "scanning image images imaging film films view views projection projections radiograph radiographs "
        "radiographic series sequence sequences slice slices acquisition administration contrast noncontrast "
        "contrast-enhanced unenhanced reconstructions portable interval follow followup follow-up new similar "
        "different various varying multiple overall available possible appropriate adequate relevant specific "
        "particular certain typical common usual general main major minor low high lower higher greater great better "
        "worse best large small long short good poor mixed additional present absent able factor factors difference "
        "differences informative relative primary greatest post pre person episode episodes presentation"
    ).split()
)
"""Words that say nothing of their own in a report, their regular plurals included. A phrase may hold them; alone they
make none."""

COPULAS = frozenset("is are was were be been appears appear remains remain".split())
"""Verbs behind which a word is said of the subject."""

_WORD = re.compile(r"[a-z](?:[a-z'-]*[a-z])?")
_MASK = re.compile(r"(?:[a-z]+-)?x{2,}(?:-[a-z]+)*|(?:.*-)?x{2,}(?:-.*)?|([a-z])\1+")
_ADVERB = re.compile(r"\w{2,}[^aou\W]ly")
_SHORTEST = 3
"""Letters of a word in lower case; shorter ones are fragments."""


def ends_phrase(word: str) -> bool:
    """Whether a lower-case word stands between phrases rather than in one."""
    return (
        word_class(word) != "w"
        or word in FUNCTION
        or word in TELLING
        or _WORD.fullmatch(word) is None
        or _MASK.fullmatch(word) is not None
        or is_adverb(word)
    )


def is_adverb(word: str) -> bool:
    """Whether a word has the shape of an adverb ("mildly")."""
    return _ADVERB.fullmatch(word) is not None


def carries_content(word: str) -> bool:
    """Whether a lower-case word says something that an ontology could know."""
    general = word in GENERAL or word.removesuffix("s") in GENERAL
    return len(word) >= _SHORTEST and not general and not ends_phrase(word)
