"""A client that leaves is no defect of ours."""

import anyio

from pegboard.edges.web.response import _quietly


async def test_what_is_written_to_a_client_that_has_left_goes_nowhere() -> None:
    chunks, outgoing = anyio.create_memory_object_stream[str](1)
    outgoing.close()
    _quietly(chunks)({"message_type": "notice"})
    chunks.close()
