"""A project with handlers, and around it all that a path should never reach.

`shop.handlers` is allowed. Everything else that lies here notes when it is imported (`imported.txt`) or when any of
it is called or asked for (`called.txt`).
"""

from pathlib import Path

NOTE = """
from pathlib import Path
def note(name, file="called.txt"):
    with Path({folder!r}, file).open("a") as opened:
        opened.write(name + "\\n")
"""

IMPORTED = "from notes import note\nnote(__name__, 'imported.txt')\nfrom pegboard.catalog.contract import tool\n@tool\ndef run(): note('run')\n"

LIBRARY = '''
"""What others wrote: not below an allowed prefix."""
import functools
from notes import note
from pegboard.catalog.contract import Handler, tool

def unmarked(): note("unmarked")

@tool
def marked(): note("marked")

@tool
def forged(): note("forged")
forged.__module__ = "shop.handlers"

class Marked(Handler):
    async def call(self, context, arguments): note("Marked")

class Forged(Handler):
    __module__ = "shop.handlers"
    async def call(self, context, arguments): note("Forged")

class ForgedBelow(Marked):
    __module__ = "shop.handlers"

def loud(function):
    @functools.wraps(function)
    def wrapper(*arguments, **named):
        note("wrapper")
    return wrapper
'''

HANDLERS = '''
"""What the site owner wrote."""
import contextlib, functools, json, os, subprocess
from operator import attrgetter
import library
from library import Forged, ForgedBelow, Marked, forged, marked, unmarked
from notes import note
from pegboard.catalog.contract import MARK, Handler, Result, tool
from pegboard.handlers.calculator import calculator
from shop import sub

system = os.system
popen = subprocess.Popen
evaluate = eval
load_module = __import__
everything = object
number = 7
nothing = None
text = "os.system"

@tool
async def run(name: str = "") -> str:
    return "fine"

marked_lambda = tool(lambda: "fine")

@tool
@library.loud
def noisy(): return "fine"

@tool
@functools.cache
def kept(): return "fine"

@library.loud
@tool
def copied(): note("copied")

def plain(): note("plain")

def old_mark(): note("old_mark")
old_mark.__dict__[MARK] = True

def borrowed_mark(): note("borrowed_mark")
borrowed_mark.__dict__[MARK] = run

quiet_lambda = lambda: note("quiet_lambda")
partial = tool(functools.partial(plain))
bare_partial = functools.partial(run)

class Counter:
    def __call__(self): note("Counter")
    @tool
    def method(self): note("method")
    @staticmethod
    @tool
    def still(): note("still")
counter = Counter()
marked_counter = Counter()
marked_counter.__dict__[MARK] = marked_counter
bound = counter.method
still = Counter.__dict__["still"]

class Liar:
    """Says yes to everything, and notes that it was asked."""
    def __getattr__(self, name):
        note("Liar." + name)
        return self
    def __call__(self): note("Liar")
    @property
    def __class__(self):
        note("Liar.__class__")
        return type
    @property
    def __dict__(self):
        note("Liar.__dict__")
        return {MARK: self}
liar = Liar()

class Meta(type):
    def __eq__(self, other):
        note("Meta.__eq__")
        return True
    __hash__ = type.__hash__
    def __getattribute__(self, name):
        note("Meta." + name)
        return type.__getattribute__(self, name)
    def __instancecheck__(self, other):
        note("Meta.__instancecheck__")
        return True
    def __subclasscheck__(self, other):
        note("Meta.__subclasscheck__")
        return True
class Strange(metaclass=Meta):
    async def call(self, context, arguments): note("Strange")

class Registered:
    async def call(self, context, arguments): note("Registered")
Handler.register(Registered)

class Abstract(Handler):
    pass

class Blocking(Handler):
    def call(self, context, arguments): note("Blocking")

class Needy(Handler):
    def __init__(self, key): note("Needy")
    async def call(self, context, arguments): note("Needy.call")

class Inherits(Marked):
    """Its work is done by code from elsewhere."""

class Attribute(Handler):
    @property
    def call(self): note("Attribute.call")

class Fine(Handler):
    async def call(self, context, arguments): return Result("fine")

class Pairings:
    """Of NLWeb's contract, and not listed."""
    def __init__(self, params, handler): note("Pairings")
    async def do(self): note("Pairings.do")

class Sync:
    def do(self): note("Sync.do")

@tool
def by_position(name, /): note("by_position")

def __getattr__(name):
    note("__getattr__ " + name)
    return marked
'''

OTHER = {
    "shop/__init__.py": "",
    "shop/sub.py": "from notes import note\ndef __getattr__(name): note('sub.' + name)\n",
    "shop/handlers/sub.py": "from notes import note\n",
    "shop/handlers/odd.py": (
        "import sys\nfrom notes import note\nclass Odd:\n"
        "    def __getattribute__(self, name):\n"
        "        if not name.startswith('__spec'): note('Odd.' + name)\n"
        "        return self\n"
        "    def __call__(self): note('Odd')\n"
        "odd = Odd()\nsys.modules[__name__] = odd\n"
    ),
    "shop/handlers/broken.py": "import not_installed_anywhere\n",
}

STRANGERS = (
    "evil", "shops", "shop_handlers", "shopx/handlers", "shop/handlersx", "shop/handlers_", "shop/other", "methods/evil",
    "methods/item_details", "xmlrpclib",
)  # fmt: skip


def lay_down(folder: Path) -> None:
    """Write the project into `folder`."""
    files = {
        "notes.py": NOTE.format(folder=str(folder)),
        "library.py": LIBRARY,
        "shop/handlers/__init__.py": HANDLERS,
        **OTHER,
        **{f"{name}.py": IMPORTED for name in STRANGERS},
        "shopx/__init__.py": IMPORTED,
        "json.py": IMPORTED,
        "antigravity.py": IMPORTED,
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def notes(folder: Path) -> list[str]:
    """Return what was imported or called that should not have been."""
    found = [folder / name for name in ("imported.txt", "called.txt")]
    return [line for path in found if path.exists() for line in path.read_text("utf-8").splitlines()]
