"""Where an English question may be parted.

`and` joins names, properties and verbs far more often than orders. So a cut is sure only where both sides hold an
order or a question of their own, and where nothing before it governs what follows: in *how do I open an account and
add money* there is one question.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeAlias

from pegboard.route.parting.cut import MOST_JOINTS, Cut, left_of, right_of

Own: TypeAlias = Callable[[str], str]
"""Says what a text begins with: an `order`, a `question`, or neither (empty)."""

_LEAD = re.compile(
    r"^(?:please|kindly|(?:can|could|would|will) (?:you|u)(?: please)?(?: also)?|i(?:'d| would) like you to|"
    r"i (?:want|need) you to|you (?:should|can|could)|also|then|now|first(?:ly)?|second(?:ly)?|third(?:ly)?|finally|"
    r"lastly|next|after that|afterwards|and|so|ok(?:ay)?|hey|hi|hello|let's|go ahead and|just|maybe|if possible|"
    r"if you (?:can|could)|at the end|in the end|too|as well|"
    r"additionally|furthermore|moreover|besides|in addition|meanwhile|step \d+|task \d+)\b[,:.!]?\s*",
    re.IGNORECASE,
)
_ORDERS = (
    "find|suggest|recommend|compare|tell|give|convert|calculate|compute|translate|summarize|summarise|explain|describe|"
    "remind|send|write|save|create|generate|add|delete|remove|fetch|retrieve|locate|identify|propose|inform|notify|"
    "analyze|analyse|evaluate|tweet|subscribe|compose|determine|advise"
)
"""Verbs that are hardly ever nouns."""
_AMBIGUOUS = (
    "book|order|plan|play|show|list|search|email|name|set|call|check|rate|report|schedule|draft|store|text|turn|open|"
    "close|start|stop|cancel|change|update|put|make|pick|choose|help|buy|pay|transfer|move|mark|log|post|share|print|"
    "draw|design|build|rank|sort|scale|count|measure|reserve|arrange|organize|organise|prepare|read|archive|keep|file|"
    "record|estimate|research|get|look|lookup|google|note|message|mail|rename|reset|review|outline|provide|"
    "ask|take|bring|download|upload|submit|publish|edit|rewrite|shorten|scan|track|see|watch|clear|switch|mute"
)
"""Verbs that may be nouns, or go with another verb: an object has to follow."""
_OBJECT = re.compile(
    r"^(?:me|us|it|them|him|her|this|that|these|those|the|an?|my|our|your|his|their|its|all|some|any|each|every|both|"
    r"one(?! free)|two|three|four|five|ten|another|more|up|for|on|off|out|down|in|as|how|what|which|who|"
    r"whether|if|where|when|\d\S*|xx\S*)\b|^$",
    re.IGNORECASE,
)
_ORDER = re.compile(rf"^(?:(?P<sure>{_ORDERS})|(?P<perhaps>{_AMBIGUOUS}))\b\s*(?P<rest>.*)", re.I | re.S)
_PERSON = re.compile(r"^(?:him|her|them|my|mom|dad|everyone|everybody|people)\b|^[A-Z][a-z]+\b")
_TELLS = re.compile(
    r"^(?:tell|inform|notify|remind|ask|let|advise|text|call|email|message)\b\s*(?P<whom>.*)", re.I | re.S
)
_AUX = r"(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|may|must|am)"
_ASKING = r"(?:is|are|was|were|do|does|did|can|could|will|would|should|may|am)"
_QUESTION = re.compile(
    rf"^(?:(?:what|which|who|whose|whom|when|where|why|how)(?:'s|'re|'d|s)?\b\s+\S|{_ASKING}(?:n't)?\s+"
    r"(?:it|they|there|this|that|these|those|the|an?|my|i|we|you|he|she|any|some|someone|people)\b\s*\S)",
    re.IGNORECASE,
)
_WH = re.compile(r"^(?:what|which|who|whose|whom|when|where|why|how)\b", re.IGNORECASE)
_VERB = re.compile(
    rf"\b(?:{_AUX}|goes|go|takes?|costs?|needs?|works?|fits?|means?|says?|makes?|pairs?|comes?|to)\b|'s\b|'re\b", re.I
)
_SUBORDINATE = re.compile(
    r"^(?:if|when|whenever|once|after|before|as soon as|unless|while|since|because|given|for|in|on|at|with|without|"
    r"as|from|by|during|to|although|though)\b",
    re.IGNORECASE,
)
_NULL = re.compile(
    r"^(?:(?:(?:can|could|would|will) you (?:please )?)?help(?: me)?(?: out| with (?:this|that|it))?|"
    r"what(?:'s| is) up|how are you(?: doing)?(?: today)?|how(?:'s| is) it going|(?:what|how) about (?:it|you)|"
    r"is (?:that|this) (?:ok|okay|possible|right|correct|normal)|what (?:should|can|do) i do|why(?: is that)?|"
    r"(?:any|do you have any) (?:ideas?|suggestions?|thoughts?)|let me know|tell me|do you know|guess what|"
    r"(?:what|how) do you (?:think|say)|what happened|what(?:'s| is) (?:wrong|going on|the (?:issue|problem|matter)))$",
    re.IGNORECASE,
)
"""Asks for nothing by itself."""
_PRONOUN = r"(?:i|you|we|they|he|she|it|one|people|someone|kids|everyone)"
_GOVERNING = re.compile(
    rf"\b{_AUX}(?:n't)? {_PRONOUN}\b|\b(?:{_PRONOUN}|who|that|which)(?:'ll|'d| will| would| can| could| should| must|"
    r" may| might)\b|\b(?:how|want|wants|wanted|need|needs|like|love|trying|going|able|have|has|had|possible|ways?|"
    r"wish|plan|planning|easy|hard|best|time|used|supposed|hoping|looking|allowed|remember|forget|me|him|her|us|them|"
    r"place|places|where|what|app|tool|tools|chance|someone|somebody) to\b|\bhelp me\b|"
    r"\b(?:remind(?:er)?|tell|ask|reminder for|alarm to|message|saying|says?|that reads)\b"
    r"(?! me (?:a|the|what|about|how|if))",
    re.IGNORECASE,
)
"""A verb after it may still belong to what it governs."""
_TELL_ME = re.compile(
    r"\b(?:tell|show|give|let)\s+(?:me|us)(?:\s+know)?\b|\b(?:know|explain|describe|wonder\w*)\b", re.I
)
_TELLS_ME = re.compile(r"(?:tell|let|show|give)\s+(?:me|us)\s+(?:know|what|which|why|how)\b", re.IGNORECASE)
_BACK = re.compile(
    r"\b(?:(?<!time is )(?<!day is )(?<!date is )it|its|they|them|their|that|this|these|those|(?<!are )(?<!is )there|"
    r"one|ones|he|she|his|her)\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\bthe (?:first|second|third|last|best|cheapest|two|three|four|five|top|other|latter|former|same|above|result|"
    r"results|answer|winner|rest)\b(?!\s+(?:\w+\s+){0,3}(?:recipes?|products?|in|of|from|on))|\bthe weather\b(?! in\b)|"
    r"\b(?:each|both) of\b|\baccordingly\b|\bbased on\b|\bsuit(?:s|able|ed|ing)?\b.*\b(?:today|weather|day)\b",
    re.IGNORECASE,
)
_BARE_VERB = re.compile(
    rf"(?:^|(?<!\bthe)(?<!\ba)(?<!\ban)(?<!\bmy)\s)(?:{_ORDERS}|{_AMBIGUOUS}|come|copy|cut|drag|hide|mix|wait|sit)$",
    re.I,
)
_TOKEN = (
    r"(?:[;\n]|(?<![.\s])[.?!]+(?=\s|$)|,|\s[-–—]\s|\b(?:and|then|after that|after which|afterwards|next|finally|"
    r"lastly|also|plus|as well as|additionally|furthermore|moreover|in addition|meanwhile|&)(?=[\s,:]))"
)
_JOINT = re.compile(rf"(?:\s*{_TOKEN})+\s*", re.IGNORECASE)
_STRONG = re.compile(
    r"[;\n]|\b(?:then|after that|after which|afterwards|next|finally|lastly|also|additionally|furthermore|moreover|"
    r"in addition|meanwhile)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.?!]")
_ABBREVIATED = re.compile(r"(?:\b(?:mr|mrs|ms|dr|st|vs|e\.g|i\.e|etc|no|approx|[a-z]))$", re.IGNORECASE)
_BINDING = re.compile(
    r"\b(?:or|between|both|either|to|of|for|with|the|an?|in|on|by|from|than|vs|versus|which|that|who)$", re.IGNORECASE
)


def own(text: str) -> str:
    """Say what `text` begins with: `order`, `question`, or neither."""
    rest = bare(text)
    if _NULL.match(re.split(r"[?.!]", rest, maxsplit=1)[0].strip()):
        return ""
    if match := _ORDER.match(rest):
        if match["sure"] or _OBJECT.match(match["rest"]):
            return "order"
        return ""
    return "question" if _QUESTION.match(rest) else ""


def refers_back(text: str) -> bool:
    """Tell whether `text` speaks of what came before it: *them*, *the first two*, *based on that*."""
    return bool(_BACK.search(text) or _RELATIVE.search(text))


def tells(text: str) -> bool:
    """Tell whether `text` only asks to be told what is found: *tell me which is healthier*."""
    return bool(_TELLS_ME.match(text))


def looks_for(text: str) -> bool:
    """Tell whether `text` orders something to be found."""
    return bool(re.match(r"(?:find|search|look|suggest|recommend|show|list|get|give me)\b", text, re.IGNORECASE))


def bare(text: str) -> str:
    """Return a clause without what is only polite or puts it in a row."""
    before, text = "", text.strip(" \t\n,;:.!-–—")
    while text != before:
        before, text = text, _LEAD.sub("", text)
    return text


def cuts(text: str) -> Iterator[Cut]:
    """Yield the places at which `text` may be parted, from left to right."""
    begun = 0
    for joint in islice(_JOINT.finditer(text), MOST_JOINTS):
        left, right = left_of(text, begun, joint.start()), right_of(text, joint.end())
        if not left.strip() or not right.strip() or _is_no_joint(left, joint[0]):
            continue
        verdict = _judged(left, joint[0], right)
        if verdict is not None:
            yield Cut(joint.start(), joint.end(), verdict)
            begun = joint.end() if verdict else begun


def _is_no_joint(left: str, joint: str) -> bool:
    return bool(_BINDING.search(left)) or ("." in joint and bool(_ABBREVIATED.search(left)))


def _judged(left: str, joint: str, right: str) -> bool | None:
    """Return whether a cut is sure; None: it is none."""
    begins, main = own(right), _main(left)
    is_strong, is_sentence = bool(_STRONG.search(joint)), bool(_SENTENCE.search(joint))
    if not begins:
        return False if _may_be_two(left, joint, right) else None
    if not main or _NULL.match(bare(main).rstrip(" ?.!")):
        return None
    if is_sentence:
        return _after_sentence(main, begins, right)
    if re.fullmatch(r"\s*,\s*", joint) and (not own(main) or re.match(r"\s*(?:which|who|where|when)\b", right, re.I)):
        return None
    if len(bare(main).split()) < (1 if is_strong and own(main) else 2):
        return None
    if begins == "order":
        return _order(main, right, is_strong)
    return _question(main, right, is_strong)


def _main(left: str) -> str:
    """Return the main clause of `left`; empty where a clause only leads to what follows (*if it rains*, *hello*)."""
    text = bare(left.rsplit(". ", 1)[-1])
    if _SUBORDINATE.match(text):
        return text.split(",", 1)[1].strip() if "," in text else ""
    return text


def _after_sentence(main: str, begins: str, right: str) -> bool | None:
    if not own(main):
        return None
    if begins == "order" or own(main) == "order":
        return not _says_to_somebody(right)
    first = re.split(r"[.?!](?:\s|$)", right, maxsplit=1)[0]
    return not _BACK.search(first) and len(bare(first).split()) > 2 and len(bare(main).split()) > 2


def _order(main: str, right: str, is_strong: bool) -> bool:
    """Tell whether an order is its own, or belongs to the verb before it."""
    if _says_to_somebody(right) or (_BARE_VERB.search(main) and not is_strong):
        return False
    governed = bool(_GOVERNING.search(main))
    return not governed if own(main) != "order" or not is_strong else not re.match(r"(?:remind|tell|ask)\b", main, re.I)


def _question(main: str, right: str, is_strong: bool) -> bool:
    """Tell whether a question is its own, or one more thing that the same verb asks for."""
    first = re.split(r"[.?!,;](?:\s|$)", right, maxsplit=1)[0]
    if len(bare(first).split()) < 3 or not _VERB.search(first):
        return False
    if re.search(rf"\b{re.escape(bare(first).split()[0])}\b", main, re.IGNORECASE) and not own(main):
        return False
    if own(main) == "question":
        return is_strong or not (_BACK.search(first) or (_GOVERNING.search(main) and not _WH.match(bare(main))))
    if _TELL_ME.search(main) and _WH.match(bare(first)):
        return False
    return own(main) == "order" and not _GOVERNING.search(main)


def _says_to_somebody(right: str) -> bool:
    """Tell whether it goes on with a message: *text Ann and tell her that I am late*."""
    match = _TELLS.match(bare(right))
    return match is not None and bool(_PERSON.match(match["whom"]))


def _may_be_two(left: str, joint: str, right: str) -> bool:
    """Tell whether two things may be asked for at once: `and` with words of both."""
    if _SENTENCE.search(joint) or not re.search(r"\b(?:and|plus|as well as|then)\b", joint, re.IGNORECASE):
        return False
    return len(left.split()) > 1 and len(right.split()) > 1
