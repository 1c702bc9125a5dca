"""The direction of imports, and what an import may cost."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]


@pytest.mark.parametrize("contract", [contract["id"] for contract in CONTRACTS["contracts"]])
def test_the_contract_holds(contract: str) -> None:
    code = "import sys; from importlinter.cli import lint_imports as lint; sys.exit(lint({}))"
    options = f"'pyproject.toml', ({contract!r},), no_cache=True, no_logo=True"
    found = subprocess.run(
        [sys.executable, "-c", code.format(options)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import sys, pegboard; print(*sorted(sys.modules))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"anyio", "fastapi", "lancedb", "lxml", "numpy", "openai", "pydantic", "rich", "typer", "yaml"}
    assert heavy & set(answer.stdout.split()) == set()


def test_the_package_leaves_the_standard_library_its_platform() -> None:
    code = "import pegboard, platform; print(platform.python_version())"
    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == ".".join(map(str, sys.version_info[:3]))


def test_checking_the_demo_imports_no_numpy() -> None:
    code = "import sys; from pegboard.app import check; check(config=None, environ={}); print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout == "False\n"
