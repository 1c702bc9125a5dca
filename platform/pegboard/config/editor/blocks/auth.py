"""Samples of the block `auth`."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from pegboard.config.blocks.auth import AuthDeclaration, HeaderDeclaration
from pegboard.text import Json

SAMPLES: Mapping[type[BaseModel], Mapping[str, Sequence[Json]]] = {
    AuthDeclaration: {
        "bearer": ["${SHOP_TOKEN}", "file:shop_token"],
        "user": ["pegboard"],
        "password": ["${SHOP_PASSWORD}"],
        "header": [{"name": "X-Api-Key", "value": "${SHOP_KEY}"}],
        "query": [{"name": "key", "value": "${AMAP_KEY}"}],
        "missing": ["Set AMAP_KEY to a key of your own."],
    },
    HeaderDeclaration: {"name": ["X-Api-Key"], "value": ["${SHOP_KEY}", "file:shop_key"]},
}
