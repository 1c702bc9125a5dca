"""Content that is compressed, unpacked piece by piece: never more of it at once than is wanted."""

import zlib
from collections.abc import Iterator

ACCEPTED = "gzip, deflate"
"""What is asked for: what can be unpacked within bounds."""
_PIECE = 64 << 10


class Damaged(Exception):
    """What came is not what its encoding says."""


class Unpacked:
    """Unpacks one body."""

    def __init__(self, encoding: str) -> None:
        """Begin with a body of that `Content-Encoding`.

        Raises:
            Damaged: it is none that was asked for.
        """
        wanted = encoding.strip().lower()
        if wanted not in {"", "identity", "gzip", "x-gzip", "deflate"}:
            raise Damaged(f"it is encoded as {wanted[:40]!r}, which was not asked for")
        self._is_plain = wanted in {"", "identity"}
        self._wants_guess = wanted == "deflate"
        self._unzip = zlib.decompressobj(zlib.MAX_WBITS if self._wants_guess else zlib.MAX_WBITS | 16)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield what `data` unpacks to, in pieces of bounded size.

        Raises:
            Damaged
        """
        if self._is_plain:
            yield data
            return
        if self._wants_guess and data:  # some send the bare stream under the name of the one with a header
            self._wants_guess = False
            if data[0] & 0x0F != 8 or (len(data) > 1 and int.from_bytes(data[:2], "big") % 31):
                self._unzip = zlib.decompressobj(-zlib.MAX_WBITS)
        while data and not self._unzip.eof:
            try:
                piece = self._unzip.decompress(data, _PIECE)
            except zlib.error as error:
                raise Damaged("it cannot be decompressed") from error
            data = self._unzip.unconsumed_tail
            if piece:
                yield piece

    def finish(self) -> None:
        """Tell that the body has ended.

        Raises:
            Damaged: in the middle.
        """
        if not self._is_plain and not self._unzip.eof and not self._wants_guess:
            raise Damaged("its compressed content ends in the middle")
