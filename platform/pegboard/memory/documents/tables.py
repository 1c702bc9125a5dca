"""The tables of documents, the same in SQLite and in Postgres."""

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()

SHELVES = Table(
    "pegboard_shelves",
    METADATA,
    Column("site", Text, primary_key=True),
    Column("documents", Integer, nullable=False),
    Column("bytes", BigInteger, nullable=False),
)
"""What each site keeps, counted; whoever writes for a site holds its row."""

DOCUMENTS = Table(
    "pegboard_documents",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("site", Text, nullable=False),
    Column("folded", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    Column("latest", Integer, nullable=False),
    Column("base", Text, nullable=False),
    UniqueConstraint("site", "folded", name="pegboard_documents_title"),
    Index("pegboard_documents_updated", "site", "updated"),
)
"""A document; `folded` is its title as titles are compared, `base` the knowledge that it is part of."""

VERSIONS = Table(
    "pegboard_document_versions",
    METADATA,
    Column("document", Text, ForeignKey("pegboard_documents.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("site", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("bytes", Integer, nullable=False),
    Column("updated", Double, nullable=False),
    Column("run", Text, nullable=False),
    Column("node", Text, nullable=False),
    Column("sources", Text, nullable=False),
    Column("once", Text),
    PrimaryKeyConstraint("document", "version"),
    UniqueConstraint("site", "once", name="pegboard_document_versions_once"),
)
"""What a document said; `once` is what a write of a run is known by, null outside of one."""
