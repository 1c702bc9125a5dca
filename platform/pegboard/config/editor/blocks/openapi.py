"""Samples of the block `openapi`."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from pegboard.config.blocks.openapi import CredentialDeclaration, OpenapiDeclaration, OpenapiSourceDeclaration
from pegboard.text import Json

SAMPLES: Mapping[type[BaseModel], Mapping[str, Sequence[Json]]] = {
    OpenapiDeclaration: {"source": ["petstore"], "operation": ["getPetById", "GET /pets/{id}"]},
    CredentialDeclaration: {
        "scheme": ["api_key"],
        "value": ["${PETSTORE_TOKEN}", "file:petstore_token"],
        "user": ["shop"],
    },
    OpenapiSourceDeclaration: {
        "document": ["openapi/petstore.json"],
        "sha256": ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
        "base_url": ["https://petstore.example/v3"],
        "auth": [{"bearer": "${PETSTORE_TOKEN}"}],
        "security": [[{"scheme": "api_key", "value": "${PETSTORE_TOKEN}"}]],
        "headers": [{"Petstore-Version": "2026-05-01"}],
        "operations": [["get*", "findPetsByStatus"]],
        "tags": [["pet"]],
        "exclude": [["delete*"]],
    },
}
