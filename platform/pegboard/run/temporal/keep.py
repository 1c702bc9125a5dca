"""`Keep`: what nodes gave and recorded, frozen; what is large is a blob, in a folder that all workers share."""

from dataclasses import dataclass

from pegboard.catalog.contract import Result
from pegboard.catalog.result_json import result_json
from pegboard.run.journal.blobs import Blobs
from pegboard.run.journal.log import kept_output, output_of
from pegboard.run.journal.stored import Output
from pegboard.text import to_json


@dataclass(frozen=True, slots=True)
class Keep:
    """Freezes results and reads them again; fulfils `run.work.Keeping`."""

    blobs: Blobs

    async def keep(self, result: Result) -> Output:
        """Freeze what a node gave.

        Raises:
            JournalBroken: it cannot be written.
        """
        return await self.keep_text(to_json(result_json(result)))

    async def keep_text(self, text: str) -> Output:
        """Freeze a text.

        Raises:
            JournalBroken: it cannot be written.
        """
        return await kept_output(text, self.blobs)

    async def read(self, written: str) -> Output:
        """Return what is held as `written`.

        Raises:
            JournalBroken: its blob is not there.
        """
        return await output_of(written, self.blobs)
