"""A PostgreSQL server for the tests of statements."""

from tests.postgres import postgres

__all__ = ["postgres"]
