"""Operations of an OpenAPI document as tools: OpenAPI 3.0 and 3.1, and Swagger 2.0.

    document -> Api -> arguments of an operation -> request -> reply
    reading    parse   arguments, schemas           request    replies

The document is a file of the configuration; nothing of it is fetched but by `platform import`. Not here: sending
(`net`), nor how long a call may take (`run`).
"""

from pegboard.handlers.openapi.kind import operation

__all__ = ["operation"]
