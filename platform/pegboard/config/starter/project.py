"""The starter project: what `platform init` lays down."""

from importlib import resources

from pegboard.config.editor.schema import schema_files

TOOLS_FILE = "tools.d/10-tools"
_FILES = {
    "content/teas.json": "content/teas.json",
    "content/brewing.md": "content/brewing.md",
    "content/brewing-zh.md": "content/brewing-zh.md",
    "my_tools.py": "my_tools.py.txt",  # no module of this package
    "pegboard.toml": "pegboard.toml",
    "README.md": "README.md",
    ".gitignore": "gitignore",  # a name that builds would leave out
}
"""Where each file goes, and what it is called here."""


def starter_files(*, xml: bool = False) -> dict[str, str]:
    """Return the files of a new project by their path in it; with `xml`, the tools are declared in XML."""
    suffix = ".xml" if xml else ".yaml"
    here = resources.files(__package__).joinpath("files")
    names = {f"{TOOLS_FILE}{suffix}": f"10-tools{suffix}", **_FILES}
    files = {path: here.joinpath(name).read_text(encoding="utf-8") for path, name in names.items()}
    return files | {f"schemas/{name}": text for name, text in schema_files().items()}
