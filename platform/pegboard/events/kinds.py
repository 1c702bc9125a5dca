"""The kinds of event; each holds plain values only, so that any reader can write it down.

A stage emits and does not know who listens. Trace, stream, journal, metrics and page are readers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pegboard.events.runs import RunEvent
from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """A question has reached a site."""

    kind: ClassVar[str] = "question_asked"
    question: str
    site: str


@dataclass(frozen=True, slots=True)
class FollowUpCompleted:
    """A follow-up question was made complete from the questions before it."""

    kind: ClassVar[str] = "follow_up_completed"
    question: str
    """The question as it was asked."""
    completed: str
    """The question as it is answered."""


@dataclass(frozen=True, slots=True)
class CandidateScored:
    """One candidate tool has its score, or has none."""

    kind: ClassVar[str] = "candidate_scored"
    tool: str
    score: float | None
    """0 to 100; None where no scorer gave one."""
    reason: str
    defence: str = "none"
    """What a model's reply needed before it could be read."""
    raw: str = ""
    """The model's reply as it came; for those who look into a trace, and for no visitor."""


@dataclass(frozen=True, slots=True)
class ToolChosen:
    """Routing has decided; `decision` is the JSON of `platform route --json`."""

    kind: ClassVar[str] = "tool_chosen"
    tool: str | None
    score: float | None
    decided_by: str
    decision: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class PlanMade:
    """It has been planned what is to be done; `plan` is the JSON of `platform plan --json`."""

    kind: ClassVar[str] = "plan_made"
    plan: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class ArgumentsBound:
    """The tool's arguments are known and fit its schema."""

    kind: ClassVar[str] = "arguments_bound"
    tool: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class UserAsked:
    """The question lacks something that the tool needs, and the user is asked for it."""

    kind: ClassVar[str] = "user_asked"
    tool: str
    question: str
    """What the user is asked, in the language of the question."""
    missing: Sequence[str]
    """Names of the arguments that are not there."""


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A handler begins."""

    kind: ClassVar[str] = "call_started"
    tool: str


@dataclass(frozen=True, slots=True)
class CallEnded:
    """A handler has returned, failed, or run out of time."""

    kind: ClassVar[str] = "call_ended"
    tool: str
    error: str | None
    """What went wrong, safe to show; None after success."""
    seconds: float


@dataclass(frozen=True, slots=True)
class CallPiece:
    """A handler that streams has given the next words of its result; they may never become one, if it fails."""

    kind: ClassVar[str] = "call_piece"
    text: str


@dataclass(frozen=True, slots=True)
class ResultGiven:
    """A handler's result as it came, before anything of it is cut; for those who look into a trace."""

    kind: ClassVar[str] = "result_given"
    tool: str
    text: str
    data: Json
    repaired: bool = False
    """`data` was made to fit the output schema."""
    faults: Sequence[str] = ()
    """What the output schema says against it."""


@dataclass(frozen=True, slots=True)
class AgentTurned:
    """An agent's model has had a turn: it calls tools, or says something."""

    kind: ClassVar[str] = "agent_turned"
    agent: str
    turn: int
    """From 1 on."""
    text: str
    calls: Sequence[Mapping[str, Json]]
    """Each with its `id`, `tool` and `arguments`."""
    tokens: int
    """Read and written in this turn."""


@dataclass(frozen=True, slots=True)
class AgentEnded:
    """An agent has ended, with its answer or without."""

    kind: ClassVar[str] = "agent_ended"
    agent: str
    ended: str
    """`answered`, or which bound has ended it: `iterations`, `tokens`, `time`, `repeated`, `silent`, `context`,
    `model`."""
    reason: str
    """A sentence; empty where it has answered."""
    turns: int
    tokens: int


@dataclass(frozen=True, slots=True)
class ItemsFound:
    """Items for the client to show; the JSON of `results` in `platform ask --json`."""

    kind: ClassVar[str] = "items_found"
    items: Sequence[Mapping[str, Json]]


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """The next words of the answer; the pieces put together are the answer."""

    kind: ClassVar[str] = "answer_piece"
    text: str


@dataclass(frozen=True, slots=True)
class AnswerEnded:
    """The answer is whole; `answer` is the JSON of `platform ask --json`."""

    kind: ClassVar[str] = "answer_ended"
    answer: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Degraded:
    """Something stood in for what was configured."""

    kind: ClassVar[str] = "degraded"
    reason: str


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something that the caller should know, such as a parameter that was ignored."""

    kind: ClassVar[str] = "noticed"
    message: str


Event = (
    QuestionAsked
    | FollowUpCompleted
    | CandidateScored
    | ToolChosen
    | PlanMade
    | ArgumentsBound
    | UserAsked
    | CallStarted
    | CallEnded
    | CallPiece
    | ResultGiven
    | AgentTurned
    | AgentEnded
    | ItemsFound
    | AnswerPiece
    | AnswerEnded
    | Degraded
    | Noticed
    | RunEvent
)
"""Any event."""
