"""`Reading`: from a reply to what it holds, by what the block declares. Pure."""

from dataclasses import dataclass

from pegboard.catalog.contract import Result
from pegboard.config.blocks.http import HttpDeclaration
from pegboard.errors import UpstreamFailed
from pegboard.handlers.http.decode import decoded
from pegboard.handlers.http.expression import Expression
from pegboard.handlers.http.verdict import failed, judge
from pegboard.net.exchange import Response
from pegboard.net.secrets import masked
from pegboard.text import Json, to_json

READ = ("pick", "text", "error_when", "error_message", "retry_when", "empty_when")
"""The fields of a block that hold expressions."""


class Nothing:
    """A reply that says that there is nothing, which is no failure."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Reads the replies of one tool."""

    block: HttpDeclaration
    expressions: dict[str, Expression]
    """By field; of `READ`, those that the block has."""
    is_paged: bool

    def value(self, response: Response, secrets: tuple[str, ...]) -> Json | Nothing:
        """Return what a reply holds, its secrets masked.

        Raises:
            UpstreamFailed: it is none that can be used, or tells of a failure.
            CallFailed, InvalidArguments: the service does not take the request.
        """
        if response.is_cut_off:
            message = f"The reply is larger than {self.block.max_size} bytes, the `max_size` of its tool."
            raise UpstreamFailed(message)
        if self.block.missing_is_empty and response.status in {404, 410}:
            return Nothing()
        if not 200 <= response.status < 300:
            judge(response, self._said_of_failure(response, secrets))
        wants_json = self.block.reply == "auto" and bool(self.expressions or self.is_paged)
        value = masked(decoded(response, "json" if wants_json else self.block.reply), secrets)
        is_wanted = (wants_json or self.block.reply == "json") and response.status != 204
        if is_wanted and not response.body:
            raise UpstreamFailed("The service answered with nothing where JSON was wanted.")
        return self._judged(value)

    def result(self, value: Json | Nothing) -> Result:
        """Return the result of what the replies hold."""
        if isinstance(value, Nothing):
            return Result(self.block.empty_message, status="not_found")
        picked = self.expressions["pick"].read(value) if "pick" in self.expressions else value
        said = self.expressions["text"].read(picked) if "text" in self.expressions else picked
        if said is None and picked is None:
            is_done = self.block.method not in {"GET", "HEAD"} and "pick" not in self.expressions
            return Result("Done.") if is_done else Result(self.block.empty_message, status="not_found")
        return Result(said if isinstance(said, str) else to_json(said), data=picked)

    def _judged(self, value: Json) -> Json | Nothing:
        if self._holds("error_when", value):
            raise failed(self._read_text("error_message", value), is_retryable=self._holds("retry_when", value))
        return Nothing() if self._holds("empty_when", value) else value

    def _holds(self, field: str, value: Json) -> bool:
        return field in self.expressions and self.expressions[field].holds(value)

    def _read_text(self, field: str, value: Json) -> str:
        found = self.expressions[field].read(value) if field in self.expressions else None
        return "" if found is None else found if isinstance(found, str) else to_json(found)

    def _said_of_failure(self, response: Response, secrets: tuple[str, ...]) -> str:
        """Return what a reply of a bad status says, where it is declared or standard (RFC 9457) how it says it."""
        is_problem = response.header("content-type").startswith("application/problem+json")
        if "error_message" not in self.expressions and not is_problem:
            return ""
        try:
            value = masked(decoded(response, "json"), secrets)
            if "error_message" in self.expressions:
                return self._read_text("error_message", value)
        except UpstreamFailed:
            return ""
        told = (value.get("detail") or value.get("title")) if isinstance(value, dict) else None
        return told if isinstance(told, str) else ""
