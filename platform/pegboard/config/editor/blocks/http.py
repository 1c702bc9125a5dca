"""Samples of the block `http`."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from pegboard.config.blocks.http import HttpDeclaration, HttpSourceDeclaration, PagingDeclaration
from pegboard.text import Json

SAMPLES: Mapping[type[BaseModel], Mapping[str, Sequence[Json]]] = {
    HttpDeclaration: {
        "source": ["shop"],
        "method": ["GET", "POST"],
        "url": ["/orders/{number}", "https://api.shop.example/orders/{number}"],
        "query": [{"city": "{city}", "units": "metric"}],
        "lists": ["repeat", "comma", "space", "pipe"],
        "headers": [{"Accept-Language": "en"}],
        "body": [{"city": "{city}"}, {"photo": {"file": "{photo}", "name": "photo.jpg", "encoding": "base64"}}],
        "body_as": ["json", "form", "multipart", "text"],
        "auth": [{"bearer": "${SHOP_TOKEN}"}],
        "reply": ["auto", "json", "text", "bytes"],
        "pick": ["orders[0]", "results[].{name: title, url: url}"],
        "text": ["join(' ', [city, weather])"],
        "error_when": ["status == '0'", "errors"],
        "error_message": ["info", "errors[0].message"],
        "retry_when": ["code == 'BUSY'"],
        "empty_when": ["count == '0'"],
        "empty_message": ["There is no such order."],
        "missing_is_empty": [True],
        "paging": [{"cursor": "next_cursor", "parameter": "cursor", "items": "orders"}],
        "redirects": [0, 3],
        "max_size": ["4MiB", "512KiB"],
    },
    PagingDeclaration: {
        "link": [True],
        "next": ["links.next"],
        "cursor": ["next_cursor"],
        "page": [1],
        "offset": [0],
        "parameter": ["page"],
        "items": ["orders", "@"],
        "max_pages": [5],
        "max_items": [200],
    },
    HttpSourceDeclaration: {
        "base_url": ["https://api.shop.example/v1"],
        "headers": [{"Accept-Language": "en"}],
        "auth": [{"bearer": "${SHOP_TOKEN}"}],
        "missing": ["Set SHOP_URL to the address of the shop's API."],
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
        "lists": {
            "repeat": "The parameter stands once for each item: `tag=a&tag=b`.",
            "comma": "The items stand with commas between them: `tag=a,b`.",
            "space": "The items stand with blanks between them: `tag=a%20b`.",
            "pipe": "The items stand with bars between them: `tag=a%7Cb`.",
        },
        "body_as": {
            "json": "As JSON.",
            "form": "As the fields of a form, URL-encoded.",
            "multipart": "As the fields of a form with files: `{file: …, name: …, type: …, encoding: text|base64}`.",
            "text": "As it is.",
        },
        "reply": {
            "auto": "By its content type: JSON, text, else bytes; JSON wherever something is picked from it.",
            "json": "As JSON, whatever it is called.",
            "text": "As text.",
            "bytes": "As bytes, given in base64 with their content type and size.",
        },
    },
}
