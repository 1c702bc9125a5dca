"""Samples of the block `source`."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from pegboard.config.blocks.source import SourceDeclaration
from pegboard.text import Json

SAMPLES: Mapping[type[BaseModel], Mapping[str, Sequence[Json]]] = {
    SourceDeclaration: {
        "name": ["shop"],
        "description": ["The API of the shop."],
        "type": ["Item", "Product"],
        "prefix": ["shop_"],
        "call": [{"timeout": "5s"}],
        "http": [{"base_url": "https://api.shop.example/v1"}],
        "openapi": [{"document": "openapi/petstore.json"}],
        "mcp": [{"url": "https://mcp.shop.example/mcp"}],
        "sql": [{"url": "${ORDERS_DATABASE}"}],
        "untrusted": [False, True],
    },
}
