"""`exported_name`: what a tool of a site is called where all sites' tools stand in one list (MCP, function calling)."""

import base64
import hashlib
import re

LONGEST = 64
"""Characters that function calling takes; MCP takes more."""

_LEGAL = re.compile(r"[A-Za-z0-9_-]+")
_JOINT = re.compile("(?=__)")
_SHOWN = 21
"""Characters of the site and of the tool that a shortened name keeps: with two joints and the hash 62 in all."""


def exported_name(site: str, tool: str) -> str:
    """Return `site__tool`, legal for MCP and function calling: at most 64 of letters, digits, `_` and `-`.

    Where that is too long, holds another character, or could be split in two ways (`a__b` of a site `a` and `b`
    of a site `a__`), the name is `site__tool__hash` with both cut. A name holds one joint or two, so the forms
    never meet; the hash is 80 bits of SHA-256. So two tools never share a name, and a tool keeps its own
    whatever else is declared.
    """
    plain = f"{site}__{tool}"
    if len(plain) <= LONGEST and site and tool and _LEGAL.fullmatch(plain) and len(_JOINT.findall(plain)) == 1:
        return plain
    return f"{_cut(site)}__{_cut(tool)}__{_hash(site, tool)}"


def _cut(name: str) -> str:
    """Return what a reader knows `name` by."""
    return re.sub(r"[^A-Za-z0-9-]+", "_", name).strip("_")[:_SHOWN] or "x"


def _hash(site: str, tool: str) -> str:
    told = f"{len(site)}:{site}{tool}".encode("utf-8", "surrogatepass")
    return base64.b32encode(hashlib.sha256(told).digest()[:10]).decode("ascii").lower()
