"""What checking declarations costs: a whole `platform check` from cold, beside plain parsing of the same bytes.

    python benchmarks/declarations.py            1,000 tools over 50 sites, 10,000 over 500, 10,000 sites that share
    python benchmarks/declarations.py --quick    the first alone, three rounds

Each round runs every command once, one after the other, each in a process of its own. The floors read the same
files with lxml and with PyYAML's C loader and do nothing else; `pass` is Python itself. Written for this benchmark:
tools with examples in two languages, a prompt, what they return, and every second one a schema.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

TYPES = ("Recipe", "Movie", "Product", "Event", "Restaurant", "Book", "Course", "Article", "Hotel", "PodcastSeries")
HANDLER = "pegboard.handlers.details:details"
SCHEMA = (
    '{"type": "object", "required": ["item_name"], "properties": {'
    '"item_name": {"type": "string", "minLength": 1, "description": "what is asked about"}, '
    '"details_requested": {"type": "string", "description": "what is wanted to know of it"}}}'
)
FLOORS = {
    "yaml": "import sys, yaml\nfor name in sys.argv[1:]:\n    yaml.load(open(name, 'rb'), yaml.CSafeLoader)",
    "xml": "import sys\nfrom lxml import etree\nfor name in sys.argv[1:]:\n    etree.parse(name)",
}
HELD = """
import gc, resource, sys, time
from pathlib import Path
from pegboard.catalog.load import catalog_of
from pegboard.config.server.settings import read_settings
settings, _ = read_settings(config=Path(sys.argv[1]), environ={})
started = time.perf_counter()
catalog = catalog_of(settings)
built = time.perf_counter() - started
gc.collect()
resident = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
names = list(catalog.sites)
started = time.perf_counter()
for name in names:
    catalog.toolset(name).tool("search")
    assert catalog.site_of_host(f"www.{name}.example") == name
found = (time.perf_counter() - started) / len(names)
shared = len({id(site.tools) for site in catalog.sites.values()})
held = {"catalog": catalog}
other = catalog_of(settings)
del catalog
started = time.perf_counter()
held["catalog"] = other
swapped = time.perf_counter() - started
print(f"built in {built:.2f} s, {shared} different toolsets; peak {peak:.0f} MiB, held {resident:.0f} MiB")
print(f"host, site and tool found in {found * 1e6:.1f} us; built per site {built / len(names) * 1e3:.3f} ms")
print(f"swapped in {swapped * 1e3:.2f} ms, the old snapshot freed with it")
"""


def subject(site: int, number: int) -> dict[str, str]:
    return {
        "name": f"tool_{site}_{number}",
        "description": f"Tells of subject {number} at place {site}, and of what is near it.",
        "english": f"what about {number} in {site}?",
        "chinese": f"{site}的{number}怎么样",
        "prompt": f"A visitor asks: {{request.query}}\nHow well does subject {number} of {site} fit?\nScore 0 to 100.",
    }


def yaml_tool(site: int, number: int) -> Iterator[str]:
    told = subject(site, number)
    yield f"      - name: {told['name']}"
    yield f"        description: {told['description']}"
    yield f"        examples: {{en: ['{told['english']}', tell me of {number} at {site}], zh: [{told['chinese']}]}}"
    yield "        prompt: |"
    yield from (f"          {line}" for line in told["prompt"].split("\n"))
    yield "        returns: {score: integer between 0 and 100, item_name: what is asked about}"
    if number % 2:
        yield f"        parameters: {SCHEMA}"
    yield f"        handler: {HANDLER}"
    yield "        read_only: true"
    yield "        call: {timeout: 5s}"


def yaml_site(site: int, tools: int) -> str:
    lines = [
        "sites:",
        f"  - name: site{site}",
        f"    description: What there is at place {site}.",
        f"    domains: [site{site}.example, '*.site{site}.example']",
        f"    types: [{TYPES[site % len(TYPES)]}]",
        "    tools:",
    ]
    return "\n".join([*lines, *(line for number in range(tools) for line in yaml_tool(site, number))]) + "\n"


def xml_tool(site: int, number: int) -> str:
    told = {key: escape(text) for key, text in subject(site, number).items()}
    parameters = f"<parameters>{SCHEMA}</parameters>" if number % 2 else ""
    return f"""
    <tool name="{told["name"]}" read_only="true">
      <description>{told["description"]}</description>
      <example lang="en">{told["english"]}</example><example lang="en">tell me of {number} at {site}</example>
      <example lang="zh">{told["chinese"]}</example>
      <prompt>{told["prompt"]}</prompt>
      <returns>{{"score": "integer between 0 and 100", "item_name": "what is asked about"}}</returns>{parameters}
      <handler>{HANDLER}</handler><call timeout="5s"/>
    </tool>"""


def xml_site(site: int, tools: int) -> str:
    return f"""<Tools><site name="site{site}"><description>What there is at place {site}.</description>
    <domain>site{site}.example</domain><domain>*.site{site}.example</domain>
    <type>{TYPES[site % len(TYPES)]}</type>{"".join(xml_tool(site, number) for number in range(tools))}
    </site></Tools>
"""


def write(folder: Path, suffix: str, *, tools: int, sites: int) -> list[Path]:
    """Write a configuration, one file for each site, and return its files."""
    (folder / "tools.d").mkdir(parents=True)
    make = yaml_site if suffix == "yaml" else xml_site
    search = {
        "yaml": "tools:\n  - {name: search, description: Finds things., examples: [something new]}\n",
        "xml": '<Tools><Item><Tool name="search"><description>Finds things.</description></Tool></Item></Tools>\n',
    }
    (folder / f"tools.{suffix}").write_text(search[suffix], "utf-8")
    for site in range(sites):
        (folder / "tools.d" / f"{site:05}.{suffix}").write_text(make(site, tools // sites), "utf-8")
    return sorted(folder.rglob(f"*.{suffix}"))


def write_sharing(folder: Path, sites: int) -> None:
    """Write sites that declare nothing but their domains and types, and extend a base of 40 tools."""
    folder.mkdir()
    base = yaml_site(99999, 40).replace("site99999", "base")
    types = [
        f"  - {{name: {name.lower()}_tool, type: {name}, description: About {name}., handler: '{HANDLER}'}}"
        for name in TYPES
    ]
    search = "  - {name: search, description: Finds things.}"
    (folder / "tools.yaml").write_text("\n".join(["tools:", search, *types, base]), "utf-8")
    (folder / "tools.d").mkdir()
    for start in range(0, sites, 1000):
        lines = [
            f"  - {{name: site{site}, description: Place {site}., "
            f"domains: [site{site}.example, '*.site{site}.example'], "
            f"types: [{TYPES[site % len(TYPES)]}], extends: [base]}}"
            for site in range(start, min(start + 1000, sites))
        ]
        (folder / "tools.d" / f"{start:05}.yaml").write_text("\n".join(["sites:", *lines]) + "\n", "utf-8")


def seconds(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def compare(folder: Path, *, tools: int, sites: int, rounds: int) -> None:
    """Run the check of both syntaxes, their floors and Python itself in turns, and print what each took."""
    commands = {"pass": [sys.executable, "-c", "pass"]}
    sizes = {}
    for suffix in ("yaml", "xml"):
        files = write(folder / suffix, suffix, tools=tools, sites=sites)
        sizes[suffix] = sum(path.stat().st_size for path in files) / 2**20
        commands[f"{suffix} floor"] = [sys.executable, "-c", FLOORS[suffix], *map(str, files)]
        commands[f"{suffix} check"] = [sys.executable, "-m", "pegboard", "check", "-c", str(folder / suffix)]
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            taken[name].append(seconds(command))
    print(f"{tools:,} tools over {sites} sites: {sizes['yaml']:.1f} MiB of YAML, {sizes['xml']:.1f} MiB of XML")
    for name, times in taken.items():
        ratio = ""
        if name.endswith("check"):
            floor = taken[name.replace("check", "floor")]
            ratio = f", {statistics.median(a / b for a, b in zip(times, floor, strict=True)):.2f} of its floor"
        print(f"  {name:10} median {statistics.median(times):.3f} s ({min(times):.3f} to {max(times):.3f}){ratio}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compare(folder / "small", tools=1000, sites=50, rounds=3 if quick else 9)
        if quick:
            return
        compare(folder / "large", tools=10_000, sites=500, rounds=9)
        write_sharing(folder / "sharing", 10_000)
        print("10,000 sites that share toolsets")
        subprocess.run([sys.executable, "-c", HELD, str(folder / "sharing")], check=True)


if __name__ == "__main__":
    main()
