"""The log of a server: one line a record, without characters that would drive the terminal."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from pegboard.edges.cli.output import plain

_LOGGER = "pegboard"


class _Plain(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return plain(super().format(record))


@contextmanager
def logged_to(stream: TextIO) -> Iterator[None]:
    """Write what the package logs, from INFO on, to `stream` while the block runs."""
    logger, handler = logging.getLogger(_LOGGER), logging.StreamHandler(stream)
    handler.setFormatter(_Plain("%(asctime)s %(levelname)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    before = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before[0])
        logger.propagate = before[1]
