"""What an English question names: things, pairs, ingredients, places; found by its turns of phrase.

Each pattern begins at the beginning or is bounded in length, so that all take time in proportion to the question.
"""

import re
from collections.abc import Iterator
from itertools import islice

_POLITE = re.compile(
    r"^(?:hi|hello|hey|please|so|ok|okay|well|and|also)[,!.]?\s+|^(?:can|could|would|will) you (?:please )?"
    r"|^i(?:'d| would) (?:like|love) (?:to know|you to)\s+|^(?:do you know|i want to know|tell me|show me|"
    r"give me)\s+(?=what|how|which|if|whether)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|a|an|my|your|our|this|that|some|any|both)\s+", re.IGNORECASE)
_TRAILING = re.compile(
    r"[\s?!.,;:]+$|\s+(?:please|exactly|actually|recipe|at all|in total|thanks|thank you|for me|again|any more|anymore"
    r"|right now|to (?:make|cook|bake|prepare)|per serving|in stock)$",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"|it|this|that|them|these|those|one|something|there|i|me|us|the|an?|for|of|in|on|to|at|with|and|or", re.IGNORECASE
)
_QUOTED = re.compile(r"[\"“”«]([^\"“”«»]{2,120})[\"”“»]|(?<!\w)'([^']{3,120})'(?!\w)")
_STOP = (
    r"(?=\s+(?:take|cost|weigh|need|last|contain|serve|have|has|use|come|feed|make|made|cook|bake|stay|keep|fit|charge|"
    r"run|work|look|taste|support|require|go|in the oven)\b|\s*[?.!,;]|$)"
)
_IT = rf"(?P<it>.{{2,120}}?){_STOP}"

_NAMED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:ingredients?|instructions?|steps|directions|method|recipe|price|cost|weight|battery life|"
        rf"battery|calories|nutrition(?:al)?(?: facts| values| information)?|"
        rf"reviews?|ratings?|specs|specifications?|details?|description|dimensions|colou?rs?|warranty|"
        rf"rated|cooking time|protein)\s+(?:are\s+|is\s+)?(?:of|for|in|on|about|does)\s+{_IT}",
        rf"\b(?:what(?:'s| is| are| goes)?|is there(?: any)? .{{1,30}}?|any .{{1,20}}?) (?:in|into|"
        rf"inside)(?: of)?\s+(?!the oven){_IT}",
        rf"\bhow (?:do|can|should|would|to)\s*(?:i|you|we|one)?\s+(?:make|cook|bake|prepare|do|fry|steam|"
        rf"roast|brew|use)\s+{_IT}",
        rf"\bhow (?:long|many|much|big|heavy|tall|wide|loud|good|hot|spicy|old|far|fast|large)\b.{{0,"
        rf"40}}?\b(?:do|does|did|is|are|will|should|can|must)\s+(?:i\s+\w+\s+)?{_IT}",
        rf"\b(?:tell me|know|learn|info|information)\s+(?:more |all |everything )?about\s+{_IT}",
        r"\bwhat do (?:people|customers|buyers|owners|reviewers?) (?:say|think) (?:about|of)\s+(?P<it>.{2,"
        r"120}?)(?=[?.!]|$)",
        rf"\b(?:does|do|did|has|have|will|would)\s+(?!i\b|you\b|we\b|people\b){_IT}",
        r"\b(?:is|are|was)\s+(?!there\b|it\b|this\b)(?P<it>the .{2,80}?)\s+(?:gluten|vegan|vegetarian|"
        r"dairy|nut|water|in stock|available|sold|good|suitable|safe|spicy|sweet|any|worth|compatible|"
        r"wireless|too|really|easy|hard|quick|made)\b",
        r"\b(?:show|open|find|get|give)(?: me)?(?: up)?\s+(?P<it>the .{2,120}?)(?=[?.!]|$)",
        r"\bwhat(?:'s| is)\s+(?P<it>the .{2,120}?)\s+(?:made (?:of|from|with)|like|about)\b",
        r"\bwho (?:directed|made|wrote|is in|stars in|plays in)\s+(?P<it>.{2,120}?)(?=[?.!]|$)",
    )
)

_PAIRS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:compare|comparison (?:of|between)|difference[s]? between|differ(?:ence)? of|choose between|"
        r"decide between|between)\s+(?P<both>.{1,240})",
        r"^(?P<first>.+?)\s+(?:vs\.?|versus|or rather|compared (?:to|with)|against)\s+(?P<second>.+)",
        r"\bhow (?:does|do|is|are)\s+(?P<first>.{1,120}?)\s+(?:different from|compare (?:to|with)|differ "
        r"from)\s+(?P<second>.+)",
        r"\bhow (?:does|do)\s+(?P<first>.{1,120}?)\s+(?:stack|measure|hold|match) up (?:to|against|with)\s+"
        r"(?P<second>.+)",
        r"\b(?:with|of|from|take|choose|pick|prefer)\s+(?P<first>\S.{0,120}?)\s+over\s+(?P<second>.+)",
        r"\b(?:is|are)\s+(?P<first>.{1,120}?)\s+(?:\w{1,20}er|better|worse|more \w{1,20}|less \w{1,20})\s+than\s+"
        r"(?P<second>.+)",
        r"\b(?:buy|get|make|cook|bake|choose|take|watch|which)\b[^,:]{0,60}?[,"
        r":]?\s+(?P<either>(?:the\s+)?\S.{0,120}?\s+or\s+.{1,240})",
        r"^(?P<either>.+?\s+or\s+.+?)(?:[,:;]\s*(?:which|what|who).*)?$",
    )
)
_MOST_CUTS = 12
"""Places at which two names may be parted."""
_POINT = re.compile(r"^(?:more|less|fewer|better|best|higher|lower)\b[^:,]{1,40}:\s+(?=.{0,240}\bor\b)", re.IGNORECASE)
_EXCLUDED = re.compile(
    r"\b(?:without|no|not|free (?:of|from)|allergic to)\b[^,.?]{0,80}\b(?:or|and|nor)\b", re.IGNORECASE
)
"""Two things that shall both be left out."""
_CHOICE_TAIL = re.compile(
    r"(?<=.)[,;:]?\s*(?:,|\b)(?:which|what|who)\s+(?:one|of (?:them|the two)|is|has|takes|costs|weighs|would|"
    r"should)\b.*$|\s+in terms of\b.*$|\s+(?:for|by|on) (?:price|time|calories|taste|weight|battery.*)$",
    re.IGNORECASE,
)
_CHOICE_HEAD = re.compile(r"^.{0,120}?\b(?:which|what)\b[^,:]{0,80}(?:[,:]| -)\s+(?=.{0,240}\bor\b)", re.IGNORECASE)

_INGREDIENT_END = r"(?=\s+(?:in(?:to)?|for|when|while|with|if|but|because|as|on|so|and i|what|can)\b|\s*[?.!,;]|$)"
_INGREDIENTS = tuple(
    re.compile(pattern + rf"(?P<it>.{{2,60}}?){_INGREDIENT_END}", re.IGNORECASE)
    for pattern in (
        r"\b(?:substitut\w*|replacements?|alternatives?|stand.?in|swap|sub)\s+(?:for|to|of)\s+(?:the\s+)?",
        r"\b(?:instead|in (?:the )?place)\s+of\s+(?:the\s+)?",
        r"\b(?:replace|substitute|swap(?: out)?|leave out|omit|skip|avoid)\s+(?:the\s+)?",
        r"\b(?:ran|run|running|am|i'm|are|we're)\s+out\s+of\s+(?:the\s+)?",
        r"\b(?:don'?t|do not|doesn'?t|haven'?t)\s+(?:have|got|eat|like|drink|want|use)\s+(?:any\s+)?",
        r"\b(?:without|have no|got no|there is no|there's no|allergic to|intolerant to|no "
        r"more)\s+(?:any\s+|the\s+)?",
        r"\b(?:use|using|need)\s+(?:something )?other than\s+",
    )
)
_DISH = re.compile(
    r"\b(?:in|for|into|making|make|making of|bake|cook)\s+(?:(?:the|an?|my|some)\s+)?(?P<it>[A-Za-z][^?.!,;]{2,80}?)"
    r"(?=\s+(?:instead|without|with|what|recipe|if|because)\b|\s*[?.!,;]|$)",
    re.IGNORECASE,
)
_MAIN = tuple(
    re.compile(pattern + r"(?P<it>.{2,100}?)(?=\s+(?:for|tonight|at|on|so that)\b|\s*[?.!,;]|$)", re.IGNORECASE)
    for pattern in (
        r"\b(?:goes?|pairs?|works?|fits?|tastes?|taste|match(?:es)?|complements?)\s+(?:well |best |good |"
        r"nicely |great )?(?:with|alongside|beside)\s+(?:the\s+|a\s+|an\s+|my\s+)?",
        r"\b(?:serve|served|drink|eat|have|pour|pair|put|cook|make|cooking|offer|bring)\b.{0,30}?\b(?:with|"
        r"alongside|beside|next to)\s+(?:the\s+|a\s+|an\s+|my\s+)?",
        r"\b(?:side dish(?:es)?|sides?|accompaniments?|wines?|drinks?|beers?|desserts?|salads?|sauces?|"
        r"bread|pairings?|something)\s+(?:to go |that goes |to serve |to drink |to eat )?(?:for|to|"
        r"with)\s+(?:the\s+|a\s+|an\s+|my\s+)?",
        r"\b(?:alongside|beside|next to|to go with|accompany)\s+(?:the\s+|a\s+|an\s+|my\s+)?",
    )
)
_KINDS = re.compile(
    r"\b(red wine|white wine|wine|beer|tea|cocktail|drink|beverage|side dish|side|salad|soup|dessert|sauce|bread|"
    r"starter|vegetable|starch|rice|potato)(?:s|es)?\b",
    re.IGNORECASE,
)
_PLACE = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?:in|at|for|of|near|around|to)\s+(?:the\s+)?(?P<it>[A-Z][\w'’.-]*(?:[ /_][A-Z][\w'’.-]*)*)",
        r"\b(?P<it>[A-Z][\w'’]{1,30}(?: [A-Z][\w'’]{1,30}){0,4})(?:'s)? (?:time|weather|now)\b",
        r"(?i)\b(?:time|weather|hour|clock|o'clock|date)\b.{0,20}?\b(?:in|at)\s+(?P<it>[a-z][a-z .'-]{2,"
        r"30}?)(?=\s+(?:right|now|today|tomorrow|when)\b|[?.!,]|$)",
    )
)
_COURSES = re.compile(
    r"\b(appeti[sz]ers?|starters?|soups?|salads?|mains?(?: courses?| dish(?:es)?)?|entr[eé]es?|side(?: "
    r"dish(?:es)?)?s?|desserts?|puddings?|drinks?|snacks?|breakfast|cocktails?|bread)\b",
    re.IGNORECASE,
)
_MEAL = re.compile(r"\b(?:meal|menu|dinner|lunch|supper|brunch|feast|(?:two|three|four|2|3|4).course)", re.IGNORECASE)
_QUALIFIERS = re.compile(
    r"\b(vegan|vegetarian|gluten.free|dairy.free|nut.free|italian|chinese|mexican|french|indian|thai|japanese|korean|greek|"
    r"turkish|without.chilli|spicy|quick|easy|light|low.?carb|summer|winter|budget|cheap|lightweight|wireless)\b",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"(?::|\bwith|\bof|\bneed|\bincluding|\band get|\bplus)\s+(?P<it>[^?.!:]{1,240}(?:,| and )[^?.!:]{1,120})",
    re.IGNORECASE,
)
_RUN = re.compile(
    r"(?<![\w'-])(?:[\w'-]{1,30}(?: [\w'-]{1,30}){0,2}, ){2,12}(?:and )?[\w'-]{1,30}(?: [\w'-]{1,30}){0,2}?"
    r"(?: and [\w'-]{1,30}(?: [\w'-]{1,30}){0,2}?)?(?=[,.?!]|$)"
)
_BUDGET = re.compile(
    r"\s+for\s+(?:under |about |around |up to )?[$€£]?\d[\w.]*(?: dollars| euros| pounds)?\s*$", re.IGNORECASE
)
_JOINING = re.compile(r"^\s*(?:with|and|plus|including)\s+", re.IGNORECASE)
_ENSEMBLE = re.compile(
    r"\b(meal|menu|dinner|lunch|brunch|outfit|kit|set|setup|trip|picnic|party|bundle)\b", re.IGNORECASE
)
_REASON = re.compile(
    r"\b(vegan|vegetarian|gluten.free|dairy.free|lactose|allerg\w*|intoleran\w*|halal|kosher|cheaper|"
    r"healthier|diabetic)\b",
    re.IGNORECASE,
)


def named(question: str) -> Iterator[str]:
    """Yield what may be the name of the thing that `question` is about, the likeliest first."""
    text = _plain(question)
    for match in _QUOTED.finditer(question):
        yield match[1] or match[2]
    for pattern in _NAMED:
        for match in pattern.finditer(text):
            if not _NO_NAME.fullmatch(name := bare(match["it"])):
                yield name
    runs = re.findall(r"(?<!^)\b[A-Z][\w'’-]*(?:\s+(?:and|with|of|the|&|[A-Z0-9][\w'’-]*|\d+))*", text)
    for run in sorted(runs, key=len, reverse=True):
        if name := bare(re.sub(r"\s+(?:and|with|of|the)$", "", run)):
            yield name


def pairs(question: str) -> list[tuple[str, str]]:
    """Return the ways to read two things out of `question`, the likeliest first."""
    text = _plain(question)
    text = _POINT.sub("", _CHOICE_TAIL.sub("", _CHOICE_HEAD.sub("", text)))
    if _EXCLUDED.search(text):
        return []
    for pattern in _PAIRS:
        match = pattern.search(text)
        if match is None:
            continue
        groups = match.groupdict()
        if groups.get("first"):
            head = re.sub(r"^(?:compare|which is better|what about|how about)[:,]?\s+", "", groups["first"], flags=re.I)
            return [(bare(head), bare(groups["second"]))]
        joined = groups.get("both") or groups.get("either") or ""
        words = r"\s+or\s+" if groups.get("either") else r"\s+(?:and|with|to|against|vs\.?|or)\s+|\s*,\s*"
        if found := list(_splits(joined, words)):
            return found
    return []


def _splits(joined: str, words: str) -> Iterator[tuple[str, str]]:
    """Yield every way to cut in two; where an article follows the cut comes first: names hold `and` too."""
    cuts = list(islice(re.finditer(words, joined, re.IGNORECASE), _MOST_CUTS))
    cuts.sort(key=lambda cut: not _ARTICLE.match(joined[cut.end() :]))
    for cut in cuts:
        first, second = bare(joined[: cut.start()]), bare(joined[cut.end() :])
        if first and second:
            yield first, second


def ingredient(question: str) -> str:
    """Return the ingredient that shall be replaced, or the empty text."""
    text = _plain(question)
    for pattern in _INGREDIENTS:
        if (match := pattern.search(text)) and (found := bare(match["it"])):
            return found
    return ""


def dish(question: str) -> str:
    """Return the dish in which something shall be replaced, or the empty text."""
    text = _plain(question)
    named = ingredient(question)
    rest = re.sub(r"\bin (?:the )?place of\b", ",", text.replace(named, " , ", 1) if named else text)
    found = [bare(match["it"]) for match in _DISH.finditer(rest)]
    return next((name for name in found if not _NO_NAME.fullmatch(name)), "")


def main_item(question: str) -> str:
    """Return the dish that something shall go with, or the empty text."""
    text = _plain(question)
    for pattern in _MAIN:
        if (match := pattern.search(text)) and (found := bare(match["it"])):
            return found
    return ""


def accompaniment(question: str) -> str:
    """Return what kind of thing shall go with a dish, or the empty text."""
    found = [match[1].lower() for match in _KINDS.finditer(question)]
    main = main_item(question).lower()
    return next((kind for kind in found if kind not in main), "")


def place(question: str) -> str:
    """Return the place that is named, or the empty text."""
    for pattern in _PLACE:
        if match := pattern.search(question.strip()):
            return bare(match["it"])
    return ""


def parts(question: str) -> list[str]:
    """Return the searches that a plan is put together from; empty where the question lists none."""
    question = re.sub(r"\b(?:not|nothing|isn't|less) (?:too )?spicy\b", "without chilli", question, flags=re.IGNORECASE)
    qualities = list(dict.fromkeys(match[1].lower() for match in _QUALIFIERS.finditer(question)))
    courses = list(dict.fromkeys(re.sub(r"(?<!s)s$", "", match[1].lower()) for match in _COURSES.finditer(question)))
    if len(courses) < 2 and _MEAL.search(question):
        courses = ["starter or salad", "main course", "dessert"]
    if len(courses) >= 2:
        return [" ".join([*qualities, course]) for course in courses]
    listed = [match["it"] for match in _LIST.finditer(question)] + [match[0] for match in _RUN.finditer(question)]
    listed = [_BUDGET.sub("", text) for text in listed]
    cut = ([_JOINING.sub("", part) for part in re.split(r",|\band\b", text) if " for " not in part] for text in listed)
    found = [[bare(part) for part in each] for each in cut]
    return max(([part for part in each if part] for each in found), key=len, default=[])


def ensemble(question: str) -> str:
    """Return what kind of plan is wanted, or the empty text."""
    match = _ENSEMBLE.search(question)
    return match[1].lower() if match else ""


def reason(question: str) -> str:
    """Return why something shall be replaced, or the empty text."""
    match = _REASON.search(question)
    return match[1].lower() if match else ""


def bare(name: str) -> str:
    """Return a name without article, politeness and marks around it."""
    name = name.strip(" \t\"“”'’`,;:()")
    before = ""
    while name != before:
        before = name
        name = _ARTICLE.sub("", _TRAILING.sub("", name)).strip()
    return name


def _plain(question: str) -> str:
    text = " ".join(question.replace("’", "'").split())
    before = ""
    while text != before:
        before, text = text, _POLITE.sub("", text)
    return text
