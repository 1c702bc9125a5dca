"""What breaks a run off, to be gone on with; and the runs that have broken off here.

Its journal cannot be used, or another process has it: never the failure of one of its nodes, which would be recorded.
"""

from pegboard.errors import PegboardError
from pegboard.run.engine import RunBroken
from pegboard.run.journal.row import Fenced, JournalBroken

BREAKING = (Fenced, JournalBroken)


def what_broke(error: BaseException) -> Exception | None:
    """Return what breaks a run off among `error`, where that is a group; None: nothing of it does."""
    if isinstance(error, BaseExceptionGroup):
        return next((found for each in error.exceptions if (found := what_broke(each))), None)
    return error if isinstance(error, BREAKING) else None


class Broken:
    """Runs that cannot be driven here, and why."""

    def __init__(self) -> None:
        self._reasons: dict[str, RunBroken] = {}
        self._waiting: set[str] = set()

    def note(self, run: str, error: BaseException) -> None:
        """Note that a run has broken off."""
        cause = what_broke(error)
        reason = str(cause or f"{type(error).__name__}; the log says more").rstrip(".")
        self._reasons[run] = RunBroken(f"Run {run} broke off: {reason}.", hint=f"platform runs resume {run}")
        if isinstance(cause, JournalBroken):
            self._waiting.add(run)

    def refuse(self, run: str, error: PegboardError) -> None:
        """Note that a run cannot be resumed."""
        self._reasons[run] = RunBroken(error.message, hint=error.hint or f"platform runs resume {run}")

    def forget(self, run: str) -> None:
        """Note that a run is driven again."""
        self._reasons.pop(run, None)
        self._waiting.discard(run)

    def is_waiting(self, run: str) -> bool:
        """Tell whether a run goes on as soon as the journal can be used again."""
        return run in self._waiting

    def __contains__(self, run: str) -> bool:
        """Tell whether a run is left alone until somebody resumes it."""
        return run in self._reasons and run not in self._waiting

    def check(self, run: str) -> None:
        """Say why a run goes on no more.

        Raises:
            RunBroken: it does not.
        """
        if (broken := self._reasons.get(run)) is not None:
            raise RunBroken(broken.message, hint=broken.hint)
