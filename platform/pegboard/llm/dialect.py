"""What an endpoint's dialect of the chat API allows; learned from its refusals, once, and remembered.

No two endpoints agree: some know JSON schemas, some only `json_object`, some neither; some call the limit
`max_completion_tokens`; some refuse a temperature or log-probabilities.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from pegboard.llm.model import Function
from pegboard.llm.projection import Provider, projected
from pegboard.text import Json

Format: TypeAlias = Literal["json_schema", "json_object", "text"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """Which optional parameters are sent."""

    format: Format = "json_schema"
    """How a JSON reply is asked for, besides in words."""
    schemas: Provider = "strict"
    """Which schemas it takes, of replies and of functions."""
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """The name of the parameter that bounds a reply."""
    temperature: bool = True
    top_logprobs: int = 20
    """How many alternatives of a token are asked for; 0: the endpoint gives no log-probabilities."""
    tells_usage: bool = True
    """A streamed answer is asked to end with the tokens that it used."""
    is_format_fixed: bool = False
    """`format` was declared: a refusal changes nothing about it."""

    def sampling(self, max_tokens: int, temperature: float = 0.0) -> dict[str, Json]:
        """Return the parameters that bound a reply, and say how freely it is written: at 0 it is the likeliest one."""
        return {self.limit: max_tokens, **({"temperature": temperature} if self.temperature else {})}

    def reply_format(self, schema: Mapping[str, Json] | None) -> dict[str, Json]:
        """Return the parameters that ask for a reply of the form `schema`."""
        if schema is None or self.format == "text":
            return {}
        if self.format == "json_object":
            return {"response_format": {"type": "json_object"}}
        described: dict[str, Json] = {"name": "reply", "schema": projected(schema, self.schemas), **self._strictness}
        return {"response_format": {"type": "json_schema", "json_schema": described}}

    def offer(self, function: Function) -> dict[str, Json]:
        """Return a function as one of the parameter `tools`."""
        described: dict[str, Json] = {
            "name": function.name,
            "description": function.description,
            "parameters": projected(function.parameters, self.schemas),
            **self._strictness,
        }
        return {"type": "function", "function": described}

    @property
    def _strictness(self) -> dict[str, Json]:
        return {"strict": True} if self.schemas == "strict" else {}

    def logprobs(self) -> dict[str, Json]:
        """Return the parameters that ask for the probabilities of a token's alternatives."""
        return {"logprobs": True, "top_logprobs": self.top_logprobs} if self.top_logprobs else {}

    def streamed(self) -> dict[str, Json]:
        """Return the parameters that ask for a reply in pieces."""
        return {"stream": True, **({"stream_options": {"include_usage": True}} if self.tells_usage else {})}

    def after(self, complaint: str, sent: Mapping[str, Json]) -> "Dialect | None":
        """Return the dialect to try after `complaint` about `sent`; None where it is about something else."""
        words = complaint.lower()
        if "max_completion_tokens" in words and "max_tokens" in sent:
            return replace(self, limit="max_completion_tokens")
        if "temperature" in words and "temperature" in sent:
            return replace(self, temperature=False)
        if "logprob" in words and "logprobs" in sent:
            return replace(self, top_logprobs=5 if self.top_logprobs > 5 else 0)
        if "stream_options" in sent and ("stream_options" in words or "include_usage" in words):
            return replace(self, tells_usage=False)
        if self.schemas == "strict" and _has_schema(sent) and _is_about_schema(words):
            return replace(self, schemas="subset")
        if "response_format" in sent and not self.is_format_fixed and _is_about_format(words):
            return replace(self, format="json_object" if self.format == "json_schema" else "text")
        return None


def dialect_for(reply: Literal["auto"] | Format) -> Dialect:
    """Return the dialect to begin with: on `auto` the richest, which refusals narrow."""
    return Dialect() if reply == "auto" else Dialect(format=reply, is_format_fixed=True)


def _has_schema(sent: Mapping[str, Json]) -> bool:
    form = sent.get("response_format")
    return "tools" in sent or (isinstance(form, Mapping) and form.get("type") == "json_schema")


def _is_about_schema(words: str) -> bool:
    """Tell whether a complaint is about what stands in a schema, and not about schemas as such."""
    inside = words.replace("json_schema", "").replace("json schema", "")
    return any(hint in inside for hint in ("schema", "strict", "additionalproperties", "$ref", "$defs", "grammar"))


def _is_about_format(words: str) -> bool:
    return any(hint in words for hint in ("format", "json_schema", "json_object", "schema", "grammar"))
