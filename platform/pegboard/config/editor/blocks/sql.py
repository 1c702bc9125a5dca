"""Samples of the block `sql`."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from pegboard.config.blocks.sql import SqlDeclaration, SqlSourceDeclaration
from pegboard.text import Json

SAMPLES: Mapping[type[BaseModel], Mapping[str, Sequence[Json]]] = {
    SqlDeclaration: {"source": ["orders"], "statement": ["SELECT status FROM orders WHERE number = :number"]},
    SqlSourceDeclaration: {"url": ["${ORDERS_DATABASE}", "file:orders_database"]},
}
