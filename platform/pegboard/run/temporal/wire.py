"""What goes between the engine, a workflow and its activities: plain records, as Temporal's JSON holds them.

What is JSON within is text, so that it comes out as it went in. No payload may exceed 2 MB: large texts are blobs, and
what is larger in sum is asked for piece by piece.
"""

from dataclasses import dataclass, field

from pegboard.llm.usage import Used

MOST_BYTES = 1_500_000
"""Of one payload; Temporal refuses 2 MB."""
GIVEN_BYTES = 64 << 10
"""What goes along with a node; the rest of what it refers to is asked for."""


@dataclass(frozen=True, slots=True)
class Tooled:
    """What a run must know of a tool; it is as it was when the run began, or was resumed."""

    spec: str
    """The hash of what it does."""
    needing: str = ""
    """What lets a call need an approval (`run/taint.py`)."""
    is_unrepeatable: bool = False
    """What may have been done is not done again."""
    is_counted: bool = False
    """A request may call it so many times only."""


@dataclass(frozen=True, slots=True)
class Carried:
    """What a run takes along into its next execution, when the history of one has grown long."""

    before: str
    """The execution before it, which holds the events so far."""
    seq: int
    entries: list[str]
    """Those of which the state is folded."""
    attempts: dict[str, int]
    kept: dict[str, str]
    """Short results and notes, by their keys."""
    places: dict[str, str]
    """The executions that hold the long ones."""
    timers: list[str]
    seconds_left: float | None
    used: Used
    calls: dict[str, int]
    inside: list[str]
    request: str
    tools: dict[str, Tooled]


@dataclass(frozen=True, slots=True)
class Begin:
    """What a run is begun with."""

    request: str
    """As a journal keeps it."""
    tools: dict[str, Tooled]
    created: float
    seconds: dict[str, float] = field(default_factory=dict)
    """How long its nodes will probably take."""
    parent: str = ""
    depth: int = 0
    """How many calls deep it lies."""
    around: dict[str, int] = field(default_factory=dict)
    """The agent whose word counts for how many may still be within it, and how many; empty: there is none."""
    taint: list[str] = field(default_factory=list)
    """The tool and the call that had returned text of others before; empty: none had."""
    calls: dict[str, int] = field(default_factory=dict)
    """How often tools were called for the same request before."""
    heartbeat_seconds: float = 15.0
    """A worker that was not heard of for so long is taken for dead."""
    turn_after: int = 0
    """Events of an execution after which the next one follows; 0: when Temporal advises it."""
    carried: Carried | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A node that is to be done, or looked at."""

    run: str
    node: str
    """As a plan is written."""
    name: str
    attempt: int
    site: str
    question: str
    previous: list[str]
    spec: str
    given: dict[str, str]
    """What nodes gave, by what the node calls them: as a journal holds it; empty: nothing."""
    elsewhere: dict[str, list[str]]
    """What is to be asked for, by the same: its key, and the execution that holds it."""
    inputs: str
    """Empty: they are to be asked for, if they are named."""
    noted: dict[str, str]
    """Names of what it has recorded before, and the executions that hold it."""
    taint: list[str]
    calls: dict[str, int]
    used: Used
    budget: str
    seconds: float
    """How long ago its run began."""
    depth: int
    around: dict[str, int] = field(default_factory=dict)
    is_held: bool = False
    """It is about to be held: whoever approves it will want to see its arguments."""
    tells_began: bool = False
    """The time of its race counts from its beginning on."""
    seconds_left: float | None = None
    """How long the nodes of the run may still work; None: as long as they like."""


@dataclass(frozen=True, slots=True)
class Came:
    """What doing a node has come to."""

    written: str = ""
    """The result, as a journal holds it; empty: there is none."""
    reason: str = ""
    seconds: float = 0.0
    told: list[str] = field(default_factory=list)
    taint: list[str] = field(default_factory=list)
    calls: dict[str, int] = field(default_factory=dict)
    """How often tools with a limit were called."""
    used: Used = field(default_factory=Used)
    broken: str = ""
    """Why it cannot be done here; the run waits until it is resumed."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look at a node has come to: at its condition, or at the arguments of one that is held."""

    found: str = ""
    """JSON: whether its condition holds, or its arguments."""
    reason: str = ""
    """Why it fails."""


@dataclass(frozen=True, slots=True)
class Further:
    """Further steps are to be planned for a run whose nodes have ended; it knows itself what they came to."""

    run: str
    budget: str
    used: Used
    seconds: float
    """How long ago it began."""
    seconds_left: float | None
    """How long its nodes may still work; None: as long as they like."""


@dataclass(frozen=True, slots=True)
class Planned:
    """Which further steps there are."""

    told: str = ""
    """JSON of what a `plan_extended` tells; empty: none are called for."""
    tools: dict[str, Tooled] = field(default_factory=dict)
    """What they call."""
    used: Used = field(default_factory=Used)


@dataclass(frozen=True, slots=True)
class Told:
    """Something was told inside of a node, or recorded, or found out about it."""

    node: str
    attempt: int
    told: list[str] = field(default_factory=list)
    taint: list[str] = field(default_factory=list)
    note: list[str] = field(default_factory=list)
    """Name, and what a journal holds of it."""
    inside: str = ""
    """A run within it that is about to begin."""
    has_begun: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody wishes of a run: `cancel`, `approve`, `deny`."""

    asks: str
    node: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Resumed:
    """A run that waits is to go on, with these hashes of its nodes and these tools."""

    specs: dict[str, str]
    tools: dict[str, Tooled]


@dataclass(frozen=True, slots=True)
class Page:
    """Some entries of a run."""

    entries: list[str]
    before: str
    """The execution that has those before; empty: there are none that were asked for."""
    seq: int
    """The number of the last one there is."""
    is_over: bool
    broken: str


@dataclass(frozen=True, slots=True)
class Standing:
    """How a run stands."""

    request: str
    created: float
    parent: str
    seq: int
    status: str
    ended: float | None
    broken: str
    inside: list[str]
    taint: list[str]
    used: Used
    calls: dict[str, int]
