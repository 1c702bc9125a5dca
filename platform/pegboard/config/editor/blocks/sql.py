"""Samples of the block `sql`."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from pegboard.config.blocks.sql import IdentifierDeclaration, SqlDeclaration, SqlSourceDeclaration
from pegboard.text import Json

SAMPLES: Mapping[type[BaseModel], Mapping[str, Sequence[Json]]] = {
    IdentifierDeclaration: {"name": ["order"], "allowed": [["price ASC", "price DESC", "name"]]},
    SqlDeclaration: {
        "source": ["orders"],
        "statement": ["SELECT status FROM orders WHERE number = :number"],
        "identifiers": [[{"name": "order", "allowed": ["price ASC", "price DESC"]}]],
        "one": [True],
        "writes": [True],
        "rows": [100],
        "size": ["1MiB"],
        "timeout": ["2s"],
    },
    SqlSourceDeclaration: {
        "url": ["${ORDERS_DATABASE}", "file:orders_database"],
        "file": ["data/orders.db"],
        "connections": [4],
        "connect_timeout": ["3s"],
    },
}
