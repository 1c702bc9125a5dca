"""Handlers of the desk: a weather that has no weather for Atlantis, and a store of documents."""

from pegboard.catalog.contract import tool
from pegboard.errors import CallFailed


@tool
def weather(city: str) -> str:
    """Say what the weather is."""
    if city == "Atlantis":
        raise CallFailed("There is no weather in Atlantis.")
    return f"{city}: rain, 12 degrees"


@tool
def write_document(title: str, text: str) -> str:
    """Keep a document."""
    return f"Kept “{title}”:\n{text}"
