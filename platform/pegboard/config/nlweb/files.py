"""NLWeb's other files beside `tools.xml`: recognised by their names, and said what takes their place.

They set up NLWeb's own server, models and stores. Nothing of them is read: they may stay where they are.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from pegboard.config.problems import Problems
from pegboard.config.span import Span, shown

_HINTS: Mapping[str, str] = {
    "config_llm": "Name the model by the variables OPENAI_BASE_URL, OPENAI_MODEL and OPENAI_API_KEY.",
    "config_embedding": "Nothing takes its place: an embedder is built in.",
    "config_retrieval": "Declare the content to search under `knowledge:` in tools.d/; it is indexed at the start.",
    "config_nlweb": "The sites are those of sites.xml; how a site chooses its tools is its `route`.",
    "config_webserver": "Set `host` and `port` in pegboard.toml, or give --host and --port.",
    "config_oauth": "This version asks nobody to log in: let it listen on loopback, behind a proxy that does.",
    "config_conv_store": "This version stores no conversations.",
    "config_logging": "The log goes to the standard error stream.",
}
_OTHER = "Nothing takes its place."
_SUFFIXES = frozenset({".yaml", ".yml"})


def hint_for(path: Path) -> str | None:
    """Say what takes the place of a file of NLWeb's own; None where the name is none of them."""
    return _HINTS.get(path.stem.lower()) if path.suffix.lower() in _SUFFIXES else None


def _is_settings(path: Path) -> bool:
    is_called_so = path.name.lower().startswith("config_") and path.suffix.lower() in _SUFFIXES
    return is_called_so and os.path.isfile(path)  # noqa: PTH113 (false for a loop of links or a folder that is shut)


def report_unread(folder: Path, problems: Problems) -> None:
    """Report NLWeb's files in `folder` that are not read, one warning for each.

    `config_….yaml` of a name that is not known counts only beside one that is: alone, it may be anybody's.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if _is_settings(path))
    except OSError:  # reported by the one who reads the documents
        return
    if not any(hint_for(path) for path in paths):
        return
    for path in paths:
        hint = hint_for(path) or _OTHER
        message = "this file sets up NLWeb's own server and is not read"
        problems.add("PB008", Span(shown(path), 1, 1), message, hint=f"{hint} The file may stay.", dialect="nlweb")
