"""Events as NLWeb's messages.

One `Messages` writes those of one response. Types that NLWeb's clients know: `begin-nlweb-response`,
`decontextualized_query`, `tool_selection`, `ask_user`, `result`, `nlws`, `no_results`, `error`,
`end-nlweb-response`.
Our own, which they pass over: `tool_arguments`, `plan` (what is to be done in steps), `step` (how one of them stands),
`answer_piece` (the next words of the answer) and `notice`.
"""

import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias
from urllib.parse import urlsplit

from pegboard.catalog.contract import Question
from pegboard.edges.failure import error_json
from pegboard.edges.served import Served
from pegboard.edges.web.problems import problem
from pegboard.errors import PegboardError
from pegboard.events import (
    AnswerEnded,
    AnswerPiece,
    ArgumentsBound,
    Degraded,
    Event,
    FollowUpCompleted,
    ItemsFound,
    NodeEnded,
    NodeStarted,
    Noticed,
    PlanMade,
    ToolChosen,
    UserAsked,
)
from pegboard.text import Json

Message: TypeAlias = dict[str, Json]


class Messages:
    """The messages of one response, numbered from 0 and in one conversation."""

    def __init__(self, served: Served, question: Question, *, conversation: str = "") -> None:
        self._served = served
        self._question = question
        self._conversation = conversation or uuid.uuid4().hex
        self._id = f"msg_{_now()}_{uuid.uuid4().hex[:8]}"
        self._count = 0
        self._results = 0
        self._usage: Mapping[str, Json] = {}

    def begin(self, notices: Iterable[str] = ()) -> list[Message]:
        """Open the response; `notices` is what the client should know at once."""
        opening = self._message(
            "begin-nlweb-response",
            query=self._question.text,
            site=self._question.site,
            model=self._served.model_name,
        )
        return [opening, *(self._notice("ignored", notice) for notice in notices)]

    def of(self, event: Event) -> list[Message]:  # noqa: PLR0911 (one per kind)
        """Return what `event` tells the client; most events are none of its business."""
        match event:
            case FollowUpCompleted():
                return [
                    self._message(
                        "decontextualized_query",
                        decontextualized_query=event.completed,
                        original_query=event.question,
                    )
                ]
            case ToolChosen():
                return [self._selection(event)]
            case ArgumentsBound():
                return [self._message("tool_arguments", tool=event.tool, arguments=dict(event.arguments))]
            case UserAsked():
                missing: list[Json] = [*event.missing]
                return [self._message("ask_user", content=event.question, tool=event.tool, missing=missing)]
            case ItemsFound():
                self._results += len(event.items)
                return [self._message("result", content=self._items(event.items))] if event.items else []
            case AnswerPiece():
                return [] if self._is_list else [self._message("answer_piece", text=event.text)]
            case AnswerEnded():
                return self._answer(event.answer)
            case Degraded():
                return [self._notice("degraded", event.reason)]
            case Noticed():
                return [self._notice("notice", event.message)]
            case _:
                return self._of_plan(event)

    def _of_plan(self, event: Event) -> list[Message]:
        match event:
            case PlanMade():
                return [self._message("plan", **event.plan)]
            case NodeStarted():
                return [self._message("step", run=event.run, node=event.node, tool=event.tool, state="running")]
            case NodeEnded():
                return [self._message("step", run=event.run, node=event.node, state=event.state, reason=event.reason)]
            case _:
                return []

    def failed(self, error: PegboardError) -> Message:
        """Say that there will be no more of an answer."""
        return self._message("error", content=str(error), problem=problem(error), error=error_json(error))

    def end(self, error: PegboardError | None = None) -> Message:
        """Close the response, with what it used of models; nothing comes after it."""
        failed: Message = {"error": error.message} if error else {}
        used: Message = {"usage": dict(self._usage)} if self._usage else {}
        return self._message("end-nlweb-response", **failed, **used)

    @property
    def _is_list(self) -> bool:
        return self._question.form == "list"

    def _selection(self, event: ToolChosen) -> Message:
        return self._message(
            "tool_selection",
            selected_tool=event.tool,
            score=event.decision.get("score", event.score),
            query=self._question.text,
            time_elapsed=event.decision.get("milliseconds"),
            decided_by=event.decided_by,
            decision=dict(event.decision),
        )

    def _answer(self, answer: Mapping[str, Json]) -> list[Message]:
        usage = answer.get("usage")
        self._usage = usage if isinstance(usage, Mapping) else {}
        if self._is_list:
            return [] if self._results else [self._message("no_results", content=answer.get("answer") or "")]
        results = answer.get("results")
        items = [item for item in results if isinstance(item, dict)] if isinstance(results, list) else []
        others = {name: value for name, value in answer.items() if name != "results"}
        return [self._message("nlws", **others, items=self._items(items))]

    def _items(self, items: Sequence[Mapping[str, Json]]) -> list[Json]:
        return [{"@type": _type_of(item), "siteUrl": self._site_url(item), **item} for item in items]

    def _site_url(self, item: Mapping[str, Json]) -> str:
        """Return the address of the site that has `item`: its first domain, else where the item lies."""
        sites = self._served.catalog.sites
        toolset = sites.get(str(item.get("site", ""))) or sites.get(self._question.site)
        for domain in toolset.domains if toolset else ():
            if not domain.startswith("*"):
                return f"https://{domain}"
        parts = urlsplit(str(item.get("url", "")))
        return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""

    def _notice(self, kind: str, text: str) -> Message:
        return self._message("notice", kind=kind, content=text)

    def _message(self, type_: str, **fields: Json) -> Message:
        number, self._count = self._count, self._count + 1
        return {
            "message_type": type_,
            "message_id": f"{self._id}#{number}",
            "conversation_id": self._conversation,
            "timestamp": _now(),
            "sender_type": "assistant",
            "sender_info": {"id": "pegboard", "name": self._question.site},
            **fields,
        }


def _now() -> int:
    return time.time_ns() // 1_000_000


def _type_of(item: Mapping[str, Json]) -> str:
    schema_object = item.get("schema_object")
    held = schema_object.get("@type") if isinstance(schema_object, Mapping) else None
    first = held[0] if isinstance(held, list) and held else held
    return first if isinstance(first, str) else "Thing"
