"""Variables of an environment that would make another program of the one that a setting allows."""

import re

_LOADING = re.compile(
    r"(?:LD|DYLD|GIT|NPM_CONFIG|PIP|JAVA_TOOL)_\w+|PERL5(?:OPT|LIB|DB)|RUBY(?:OPT|LIB|PATH)|NODE_(?:OPTIONS|PATH)"
    r"|PATH|ENV|BASH_ENV|SHELLOPTS|IFS|PS4|_JAVA_OPTIONS|CLASSPATH"
    r"|PYTHON(?:PATH|HOME|STARTUP|USERBASE|INSPECT|BREAKPOINT|WARNINGS|PLATLIBDIR|EXECUTABLE)"
)


def loads_code(name: str) -> bool:
    """Tell whether the variable `name` says where code is looked for, or what a program begins with."""
    return _LOADING.fullmatch(name.upper()) is not None
