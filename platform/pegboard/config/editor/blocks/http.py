"""Samples of the block `http`."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from pegboard.config.blocks.http import HttpDeclaration, HttpSourceDeclaration
from pegboard.text import Json

SAMPLES: Mapping[type[BaseModel], Mapping[str, Sequence[Json]]] = {
    HttpDeclaration: {
        "source": ["shop"],
        "method": ["GET", "POST"],
        "url": ["/orders/{number}", "https://api.shop.example/orders/{number}"],
        "query": [{"city": "{city}", "units": "metric"}],
        "headers": [{"Accept-Language": "en"}],
        "body": [{"city": "{city}"}],
        "auth": [{"bearer": "${SHOP_TOKEN}"}],
    },
    HttpSourceDeclaration: {
        "base_url": ["https://api.shop.example/v1"],
        "headers": [{"Accept-Language": "en"}],
        "auth": [{"bearer": "${SHOP_TOKEN}"}],
    },
}

CHOICES: Mapping[type[BaseModel], Mapping[str, Mapping[str, str]]] = {
    HttpDeclaration: {
        "method": {
            "GET": "Asks for something and changes nothing.",
            "HEAD": "Asks for what a GET would say of it, without it.",
            "POST": "Sends something to be worked on.",
            "PUT": "Puts something in its place.",
            "PATCH": "Changes a part of something.",
            "DELETE": "Removes something.",
        },
    },
}
