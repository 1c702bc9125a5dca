"""Which charset a reply is in, among those of texts."""

import codecs
import re

_CHARSET = re.compile(r"""charset\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)
_KNOWN = re.compile(
    r"ascii|utf-(?:7|8|16|32)(?:-[bl]e)?(?:-sig)?|iso8859-\d+|cp\d+|mac-\w+|gbk|gb2312|gb18030|hz|big5\w*"
    r"|shift_jis\w*|euc_\w+|iso2022_\w+|koi8-\w|johab|tis-620|kz1048|ptcp154"
)
"""Codecs of texts; Python has others that are none, and slow ones."""


def charset_in(content_type: str) -> str:
    """Return the charset that a content type names; `utf-8` where it names none."""
    named = _CHARSET.search(content_type)
    return named[1] if named else "utf-8"


def codec_of(charset: str) -> str:
    """Return Python's codec of `charset`.

    Raises:
        LookupError: it is none of a text.
    """
    codec = codecs.lookup(charset).name
    if not _KNOWN.fullmatch(codec):
        raise LookupError(charset)
    return "utf-8-sig" if codec == "utf-8" else codec
