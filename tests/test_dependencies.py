"""Every package that the code imports is declared, so that an upgrade of another can't take it away."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CODE = tuple(PROJECT["tool"]["importlinter"]["root_packages"])
ONLY_FOR_WORK = ("tests", "benchmarks", "evals")


def _imported(folder: str) -> set[str]:
    """Top-level packages that the files of a folder import from outside the project and the standard library."""
    found: set[str] = set()
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add((node.module or "").partition(".")[0])
    return found - {*sys.stdlib_module_names, *CODE, *ONLY_FOR_WORK}


def _declared(*extras: str) -> set[str]:
    project = PROJECT["project"]
    wanted = [*project["dependencies"], *(one for extra in extras for one in project["optional-dependencies"][extra])]
    return {_name(one) for one in wanted}


def _name(requirement: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=!~; ]", requirement)[0]).lower()


def _undeclared(folders: tuple[str, ...], declared: set[str]) -> set[str]:
    offered = packages_distributions()
    imported = set().union(*(_imported(folder) for folder in folders))
    return {module for module in imported if declared.isdisjoint(map(_name, offered.get(module, [module])))}


def test_the_code_imports_what_is_declared() -> None:
    assert _undeclared(CODE, _declared("postgres", "server", "mcp")) == set()


def test_the_tests_import_what_the_extras_declare() -> None:
    project = PROJECT["project"]
    assert _undeclared(ONLY_FOR_WORK, _declared(*project["optional-dependencies"])) == set()


def test_every_lower_bound_is_met_by_what_is_tested() -> None:
    from packaging.requirements import Requirement

    project = PROJECT["project"]
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").split()
    tested = {_name(line): line.partition("==")[2] for line in lines}
    extras = [one for extra in project["optional-dependencies"].values() for one in extra]
    wanted = [Requirement(one) for one in (*project["dependencies"], *extras)]
    ours = [one for one in wanted if _name(one.name) != "travel-concierge"]
    assert [str(one) for one in ours if not one.specifier.contains(tested.get(_name(one.name), "0"))] == []
