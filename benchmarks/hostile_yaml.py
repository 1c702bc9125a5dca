"""Documents in YAML that cost as much as possible to refuse, or to read."""

from benchmarks.hostile_documents import Document, counted, filled

YAML_TOKENS = (
    *("[", "- ", "{", "}", "a: ", ",", '"', "'", "&a ", "*a", "*a ", "!", "! ", "!!str ", "%", "#", "\n", "\r", "\t"),
    *("- - - ", "- \n", "? ", "?\n", ": ", ":\n", "x: {x: ", "x: [", "|\n", ">\n", "---\n", "...\n", "--- {}\n"),
    *("--- a\n", "{}", "[]", "[],", "- x\n", "a\n", "a: 1\n", "@", "`", "\\", "~\n", "\x85", "\u2028", "é", "😀"),
    *("[x,", "{a: ", "{a, ", "{? ", "- ? ", "- a: ", '"" ', '"":\n', "%YAML 1.1\n", "%TAG ! !\n", "&a\n", " ", "  - "),
)


def _wide() -> dict[str, Document]:
    """Return documents as dense as those may be that are read to their end."""
    pad = "x" * 24
    return {
        "duplicate tools": filled(f"{{name: clock, type: Item{pad}}},", before="tools: [", after="]"),
        "duplicate names": filled(f"{{name: {pad}}},", before="tools: [", after="]"),
        "different tools": counted(lambda i: f"{{name: {pad}{i}}},", before="tools: [", after="]"),
        "rooms' tools": counted(
            lambda i: f"{{name: t{i}, handler: pegboard.handlers.clock:clock, description: {i}a}},",
            before="tools: [",
            after="]",
        ),
        "tools of unknown handlers": counted(
            lambda i: f"{{name: t{i}, handler: pegboard.handlers.a{i}:{pad}}},", before="tools: [", after="]"
        ),
        "tools of refused handlers": counted(
            lambda i: f"{{name: t{i}, handler: a{i}.b:{pad}}},", before="tools: [", after="]"
        ),
        "tools of unknown types": counted(
            lambda i: f"{{name: t{i}, type: Recipi{pad}{i}}},", before="tools: [", after="]"
        ),
        "sites": counted(lambda i: f"{{name: {pad}{i}}},", before="sites: [", after="]"),
        "sites of types": counted(
            lambda i: f"{{name: {i}, types: [Recipe, Thing]}},", before="tools: [{name: clock}]\nsites: [", after="]"
        ),
        "sites that extend in a chain": counted(
            lambda i: f"{{name: sssssssssss{i}, extends: [sssssssssss{i + 1}]}},", before="sites: [", after="]"
        ),
        "sites that extend unknown ones": counted(
            lambda i: f"{{name: sssssssssss{i}, extends: [uuuuuuuuuuu{i + 1}]}},", before="sites: [", after="]"
        ),
        "sites that extend all before": counted(
            lambda i: f"{{name: {pad}{i}, extends: [{', '.join(f'{pad}{j}' for j in range(i))}]}},",
            before="tools: [{name: clock}]\nsites: [",
            after="]",
        ),
        "sites with the same domain": filled(f"{{name: {pad}, domains: [a.b.{pad}]}},", before="sites: [", after="]"),
        "sites of own tools": counted(
            lambda i: f"{{name: s{pad}{i}, tools: [{{name: {pad}}}]}},", before="sites: [", after="]"
        ),
        "sites and tools": (
            "tools: ["
            + ",".join(f"{{name: clock{i:05}, description: aaaaaa}}" for i in range(10_000))
            + "]\nsites: ["
            + ",".join(f"{{name: s{i:05}{pad}}}" for i in range(10_000))
            + "]"
        ).encode,
        "types": counted(lambda i: f"{{name: {pad}{i}}},", before="types: [", after="]"),
        "types in a chain": counted(
            lambda i: f"{{name: ttttttttttt{i}, parents: [ttttttttttt{i + 1}]}},", before="types: [", after="]"
        ),
        "types in a cycle": counted(
            lambda i: f"{{name: ttttttttttt{i}, parents: [ttttttttttt{(i + 1) % 9000}]}},", before="types: [", after="]"
        ),
        "types, each with all before": counted(
            lambda i: f"{{name: {pad}{i}, parents: [{','.join(f'{pad}{j}' for j in range(i))}]}},",
            before="types: [",
            after="]",
        ),
        "examples": counted(lambda i: f"{pad}{i},", before="tools: [{name: clock, examples: [", after="]}]"),
        "the same example": filled(f"{pad},", before="tools: [{name: clock, examples: [", after="]}]"),
        "returns": counted(lambda i: f"a{i}: {pad},", before="tools: [{name: clock, returns: {", after="}}]"),
        "parameters": counted(
            lambda i: f"a{i}{pad}: {{}},", before="tools: [{name: clock, parameters: {properties: {", after="}}}]"
        ),
        "wrong parameters": counted(
            lambda i: f"a{i}{pad}: {{type: strin}},",
            before="tools: [{name: clock, parameters: {properties: {",
            after="}}}]",
        ),
        "references": counted(
            lambda i: f"a{i}: {{$ref: '#/{pad}{i}'}},",
            before="tools: [{name: clock, parameters: {properties: {",
            after="}}}]",
        ),
        "required": counted(
            lambda i: f"{pad}{i},", before="tools: [{name: clock, parameters: {required: [", after="]}}]"
        ),
        "an enum": counted(lambda i: f"{pad}{i},", before="tools: [{name: clock, parameters: {enum: [", after="]}}]"),
        "patterns": counted(
            lambda i: f"a{i}: {{pattern: '({pad}{i}){{1000}}'}},",
            before="tools: [{name: clock, parameters: {properties: {",
            after="}}}]",
        ),
        "excluded": counted(lambda i: f"{pad}{i},", before="sites: [{name: a, exclude: [", after="]}]"),
        "tags": counted(lambda i: f"{{name: t{i}, tags: [{pad}{i}]}},", before="tools: [", after="]"),
        "ambiguous keys": filled("1" + "0" * 18 + ": 1,", before="x-a: {", after="}"),
        "placeholders": counted(
            lambda i: f"{{request.quer{i}}} ", before="tools: [{name: clock, prompt: '", after="'}]"
        ),
        "the same placeholder": filled("{request.quer} ", before="tools: [{name: clock, prompt: '", after="'}]"),
        "source patterns that find something": counted(
            lambda i: f"'**/*.y{i}aml'," if i else "'*.yaml',", before="knowledge: [{name: a, sources: [", after="]}]"
        ),
    }


YAML_DOCUMENTS: dict[str, Document] = {
    "one plain scalar": filled("x", before="x-a: "),
    "one plain scalar of words": filled("word ", before="x-a: "),
    "one quoted scalar": filled("x", before='x-a: "', after='"'),
    "one quoted scalar of escapes": filled("\\x41", before='x-a: "', after='"'),
    "one quoted scalar of lines": filled("x\n  ", before='x-a: "', after='"'),
    "one block scalar of lines": filled("  x\n", before="x-a: |\n"),
    "one folded scalar of empty lines": filled("\n", before="x-a: >\n  x", after="  y\n"),
    "one key": filled("k", after=": 1"),
    "one quoted key": filled("k", before='"', after='": 1'),
    "one name": filled("n", before="tools: [{name: ", after="}]"),
    "one prompt of variables": filled("${A}", before="tools: [{name: a, prompt: '", after="'}]"),
    "one prompt of different variables": counted(
        lambda i: f"${{A{i}}}", before="tools: [{name: a, prompt: '", after="'}]"
    ),
    "one prompt of open variables": filled("${", before="tools: [{name: a, prompt: '", after="'}]"),
    "one prompt of placeholders": counted(lambda i: f"{{a.b{i}}}", before="tools: [{name: a, prompt: '", after="'}]"),
    "a number": filled("1", before="x-a: "),
    "a number with underscores": filled("1_", before="x-a: "),
    "a sexagesimal number": filled(":1", before="x-a: 1"),
    "a number of points": filled(".1", before="x-a: "),
    "a date": filled(" ", before="x-a: 2001-01-01", after="x"),
    "a comment": filled("#", before="x-a: 1 "),
    "a flow list of own": filled("1,", before="x-a: [", after="]"),
    "a flow list of nothing": filled("~,", before="x-a: [", after="]"),
    "a flow list of lists": filled("[],", before="x-a: [", after="]"),
    "a flow list of quoted": filled('"",', before="x-a: [", after="]"),
    "a block list of own": filled("- 1\n", before="x-a:\n"),
    "a flow mapping of own": counted(lambda i: f"a{i}: 1,", before="x-a: {", after="}"),
    "a flow mapping of bare keys": counted(lambda i: f"{i:x},", before="x-a: {", after="}"),
    "a flow mapping of the same key": filled("a,", before="x-a: {", after="}"),
    "unknown keys": counted(lambda i: f"toolz{i}: 1\n"),
    "unknown keys, 10,000": lambda: "".join(f"tool_{i}: {'x' * 80}\n" for i in range(10_000)).encode(),
    "unknown keys far from all": counted(lambda i: f"{i:x}: 1\n"),
    "unknown keys, each long": counted(lambda i: f"{'descriptio' * 500}{i}: 1\n"),
    "duplicate keys": filled("a: 1\n"),
    "duplicate keys, 100,000": lambda: b"tools: []\n" * 100_000,
    "duplicate names": filled("{name: a},", before="tools: [", after="]"),
    "duplicate names in blocks": filled("- name: a\n", before="tools:\n"),
    "different names": counted(lambda i: f"{{name: t{i}}},", before="tools: [", after="]"),
    "different sites": counted(lambda i: f"{{name: t{i}}},", before="sites: [", after="]"),
    "different types": counted(lambda i: f"{{name: t{i}}},", before="types: [", after="]"),
    "types in a chain": counted(lambda i: f"{{name: t{i}, parents: [t{i + 1}]}},", before="types: [", after="]"),
    "types in a cycle": counted(
        lambda i: f"{{name: t{i}, parents: [t{(i + 1) % 9000}]}},", before="types: [", after="]"
    ),
    "types, each with all before": counted(
        lambda i: f"{{name: t{i}, parents: [{','.join(f't{j}' for j in range(i))}]}},", before="types: [", after="]"
    ),
    "one type of many parents": counted(lambda i: f"t{i},", before="types: [{name: a, parents: [", after="]}]"),
    "one site of many types": counted(lambda i: f"t{i},", before="sites: [{name: a, types: [", after="]}]"),
    "sites that extend in a chain": counted(
        lambda i: f"{{name: s{i}, extends: [s{i + 1}]}},", before="sites: [", after="]"
    ),
    "sites that extend twice": (
        "tools: [{name: clock}]\nsites: ["
        + "".join(f"{{name: s{i}, extends: [s{i + 1}, s{i + 1}]}}," for i in range(64))
        + "{name: s64}]"
    ).encode,
    "sites that extend two that extend two": (
        "tools: [{name: clock}]\nsites: ["
        + "".join(f"{{name: {c}{i}, extends: [a{i + 1}, b{i + 1}]}}," for i in range(64) for c in "ab")
        + "{name: a64}, {name: b64}]"
    ).encode,
    "sites that all extend all": (
        "sites: ["
        + ",".join(f"{{name: s{i}, extends: [{','.join(f's{j}' for j in range(60))}]}}" for i in range(60))
        + "]"
    ).encode,
    "sites with the same domain": filled("{name: a, domains: [a.b]},", before="sites: [", after="]"),
    "sites and tools": (
        "tools: ["
        + ",".join(f"{{name: clock{i}}}" for i in range(20_000))
        + "]\nsites: ["
        + ",".join(f"{{name: s{i}}}" for i in range(20_000))
        + "]"
    ).encode,
    "sites that exclude": counted(lambda i: f"t{i},", before="sites: [{name: a, exclude: [", after="]}]"),
    "sites of many tools": counted(lambda i: f"{{name: t{i}}},", before="sites: [{name: a, tools: [", after="]}]"),
    "tools that are numbers": filled("1,", before="tools: [", after="]"),
    "tools that are empty": filled("{},", before="tools: [", after="]"),
    "tools of unknown keys": counted(lambda i: f"{{nam: t{i}}},", before="tools: [", after="]"),
    "a tool of unknown keys": counted(lambda i: f"k{i}: 1, ", before="tools: [{name: a, ", after="}]"),
    "tools of wrong values": filled(
        "{name: 1, type: no, enabled: 2, handler: [], call: 3},", before="tools: [", after="]"
    ),
    "tools of wrong handlers": counted(lambda i: f"{{name: t{i}, handler: a{i}.b:c}},", before="tools: [", after="]"),
    "tools of our prefix": counted(
        lambda i: f"{{name: t{i}, handler: pegboard.handlers.a{i}:c}},", before="tools: [", after="]"
    ),
    "tools of unknown types": counted(lambda i: f"{{name: t{i}, type: Recipi{i}}},", before="tools: [", after="]"),
    "many examples": filled("a,", before="tools: [{name: clock, examples: [", after="]}]"),
    "many languages": counted(lambda i: f"a{i}: [b],", before="tools: [{name: clock, examples: {", after="}}]"),
    "many wrong examples": filled("1,", before="tools: [{name: clock, examples: [", after="]}]"),
    "many empty examples": filled('"",', before="tools: [{name: clock, examples: [", after="]}]"),
    "many returns": counted(lambda i: f"a{i}: b,", before="tools: [{name: clock, returns: {", after="}}]"),
    "many parameters": counted(
        lambda i: f"a{i}: {{}},", before="tools: [{name: clock, parameters: {type: object, properties: {", after="}}}]"
    ),
    "many wrong parameters": counted(
        lambda i: f"a{i}: 1,", before="tools: [{name: clock, parameters: {type: object, properties: {", after="}}}]"
    ),
    "many references": counted(
        lambda i: f"a{i}: {{$ref: '#/a{i}'}},",
        before="tools: [{name: clock, parameters: {type: object, properties: {",
        after="}}}]",
    ),
    "a pattern that backtracks": lambda: b"tools: [{name: clock, parameters: {properties: {a: {pattern: '(a+)+$'}}}}]",
    "a pattern of counts": filled(
        "(?:a{1000})", before="tools: [{name: clock, parameters: {properties: {a: {pattern: '", after="'}}}}]"
    ),
    "many patterns": counted(
        lambda i: f"a{i}: {{pattern: 'a{{1000}}{i}'}},",
        before="tools: [{name: clock, parameters: {properties: {",
        after="}}}]",
    ),
    "many returns patterns": filled(" ", before="tools: [{name: clock, returns: {score: '", after="'}}]"),
    "many sources": counted(lambda i: f"a{i},", before="knowledge: [{name: a, sources: [", after="]}]"),
    "many source patterns": counted(lambda i: f"'**/a{i}*',", before="knowledge: [{name: a, sources: [", after="]}]"),
    "a source pattern of stars": filled("*a", before="knowledge: [{name: a, sources: ['", after="']}]"),
    "a source pattern of few stars": lambda: b"knowledge: [{name: a, sources: ['" + b"*a" * 60 + b"b']}]",
    "a source pattern of double stars": filled("**/", before="knowledge: [{name: a, sources: ['", after="b']}]"),
    "a source pattern up": filled("../", before="knowledge: [{name: a, sources: ['", after="*b']}]"),
    "a source of the whole disk": lambda: b"knowledge: [{name: a, sources: ['/**/nothing-is-called-this']}]",
    "aliases": filled("*a,", before="x-a: &a 1\nx-b: [", after="]"),
    "aliases of a list": filled("*a,", before="x-a: &a [1,1,1,1]\nx-b: [", after="]"),
    "aliases of tools": filled("*a,", before="x-a: &a {name: clock}\ntools: [", after="]"),
    "aliases of wrong tools": filled("*a,", before="x-a: &a {nam: clock}\ntools: [", after="]"),
    "anchors": counted(lambda i: f"&a{i} 1,", before="x-a: [", after="]"),
    "anchors, tags and spaces": filled("&a" + " " * 1000 + "1,", before="x-a: [", after="]"),
    "one anchor": filled("a", before="x-a: &a", after=" 1"),
    "merges": filled("{<<: *a},", before="x-a: &a {a: 1}\nx-b: [", after="]"),
    "merges of many": filled(
        "{<<: *a},", before="x-a: &a {" + ",".join(f"a{i}: 1" for i in range(1000)) + "}\nx-b: [", after="]"
    ),
    "merges of merges": (
        "x-0: &a0 {a: 1}\n" + "".join(f"x-{i}: &a{i} {{<<: [*a{i - 1}, *a{i - 1}], b{i}: 1}}\n" for i in range(1, 9000))
    ).encode,
    "one merge of many": filled("*a,", before="x-a: &a {a: 1}\nx-b: {<<: [", after="]}"),
    "an alias bomb": (
        "x-a: &a ["
        + "x," * 9
        + "]\n"
        + "".join(f"x-{b}: &{b} [{f'*{a},' * 9}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    ).encode,
    "an alias bomb in a tool": (
        "x-a: &a {"
        + ",".join(f"k{i}: x" for i in range(9))
        + "}\n"
        + "".join(
            f"x-{b}: &{b} {{{','.join(f'k{i}: *{a}' for i in range(9))}}}\n"
            for a, b in zip("abcd", "bcde", strict=True)
        )
        + "tools: ["
        + ",".join(f"{{name: t{i}, parameters: *e}}" for i in range(50))
        + "]"
    ).encode,
    "depth of 64": filled("[" * 60 + "]" * 60 + ",", before="x-a: [", after="]"),
    "tags": filled("!!str a,", before="x-a: [", after="]"),
    "tags that are not allowed": filled("!a a,", before="x-a: [", after="]"),
    "one tag": filled("a", before="x-a: !", after=" a"),
    "ambiguous values": filled("no,", before="x-a: [", after="]"),
    "ambiguous keys": filled("no: 1\n"),
    "keys that are lists": filled("? []\n"),
    "long lines of problems": filled("1: 1, ", before="x-a: {", after="}"),
    "documents": filled("---\nx-a: 1\n"),
    "documents that are no mapping": filled("--- 1\n"),
    "another tool's file": filled("a,", before="mcpServers: [", after="]"),
    **{f"wide {name}": document for name, document in _wide().items()},
    "a prompt of private keys": filled(
        "-----BEGIN PRIVATE KEY-----", before="tools: [{name: clock, prompt: '", after="'}]"
    ),
    "a prompt of one private key": filled(
        "ab- ", before="tools: [{name: clock, prompt: '-----BEGIN PRIVATE KEY-----", after="'}]"
    ),
    "a prompt of URLs": filled("://a:b", before="tools: [{name: clock, prompt: '", after="'}]"),
    "a prompt of keys": counted(
        lambda i: f"sk-{i:x}abcdefgh0123456789zz ", before="tools: [{name: clock, prompt: '", after="'}]"
    ),
    "tools of keys": counted(
        lambda i: f"{{name: t{i}, prompt: sk-{i:x}abcdefgh0123456789zz}},", before="tools: [", after="]"
    ),
    "duplicate keys on two long lines": (
        "x-a: {"
        + "".join(f"a{i:05}: 1, " for i in range(900))
        + "b: '"
        + "x" * 500_000
        + "',\n"
        + "".join(f"a{i:05}: 1, " for i in range(900))
        + "c: '"
        + "x" * 500_000
        + "'}"
    ).encode,
    "a mistake before empty lines": filled("\n", before="tools:\n- a: {b: {c: {d: {e: {f: {g: "),
    "mistakes before comments": filled("#\n", before="tools:\n- nam: a\n  x: 1\n- nam:\n    - - - a: b\n"),
}
