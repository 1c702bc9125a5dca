"""Put results into a store and read on in them, without holding the event loop."""

import base64

import anyio.to_thread

from pegboard.catalog.contract import Part
from pegboard.errors import CallFailed, UnknownResult, UsageError
from pegboard.run.results.store import NoRoom, ResultStore, media_type_of

PART_BYTES = 32 << 10
"""Of one part that is read."""
_CHARACTER_BYTES = 4
_CONTINUES = range(0x80, 0xC0)
"""The bytes of UTF-8 that go on with a character."""


async def kept_file(store: ResultStore, content: bytes, media_type: str) -> str:
    """Keep what a handler wants to be kept, and return its reference.

    Raises:
        CallFailed: there is no room for it.
    """
    try:
        kind = "application/octet-stream" if is_text(media_type) and not _is_utf8(content) else media_type
        return await anyio.to_thread.run_sync(store.put, content, kind)
    except NoRoom as error:
        raise CallFailed(f"The file cannot be kept. {error}") from error


def is_text(media_type: str) -> bool:
    """Tell whether content of this kind is text, and so is told as it is."""
    return media_type.startswith("text/") or media_type == "application/json"


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


async def part_of(store: ResultStore, ref: str, offset: int = 0) -> Part:
    """Return a part as `read_part` does, without holding the event loop."""
    return await anyio.to_thread.run_sync(read_part, store, ref, offset)


def read_part(store: ResultStore, ref: str, offset: int = 0, *, length: int = PART_BYTES) -> Part:
    """Return the part of what is kept under `ref` that begins at the byte `offset`, or at the next character.

    Raises:
        UsageError: the offset is no place.
        UnknownResult: nothing is kept under `ref`, or not any more.
    """
    if offset < 0:
        raise UsageError(f"The offset is {offset}; wanted is 0 or more.")
    stretch = store.read(ref, offset, length + _CHARACTER_BYTES)
    if stretch is None:
        raise UnknownResult(
            f"No result is kept under {ref[:80]!r}.", hint="Results are kept for a day; call the tool again."
        )
    media_type = media_type_of(ref)
    begin, end = 0, min(length, len(stretch.content))
    if is_text(media_type):
        begin, end = _characters(stretch.content, length)
    content = stretch.content[begin:end]
    text = content.decode("utf-8", "replace") if is_text(media_type) else base64.b64encode(content).decode("ascii")
    after = offset + end
    return Part(ref, media_type, offset + begin, stretch.total, text, after if after < stretch.total else None)


def _characters(content: bytes, length: int) -> tuple[int, int]:
    """Return where the whole characters of `content` begin and end, the end near `length`."""
    begin = next((at for at, byte in enumerate(content[:_CHARACTER_BYTES]) if byte not in _CONTINUES), 0)
    end = min(length, len(content))
    while end < len(content) and content[end] in _CONTINUES:
        end += 1
    return begin, end
