"""Every imported package is declared, so that an upgrade of another package can't remove it."""

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
DEVELOPMENT = ("tests", "benchmarks", "evals")


def _imported(folder: str) -> set[str]:
    """Return the top-level packages that a folder imports from outside the project and the standard library."""
    packages: set[str] = set()
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                packages |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                packages.add((node.module or "").partition(".")[0])
    return packages - {*sys.stdlib_module_names, *CODE, *DEVELOPMENT}


def _declared(*extras: str) -> set[str]:
    project = PROJECT["project"]
    optional = [requirement for extra in extras for requirement in project["optional-dependencies"][extra]]
    return {_name(requirement) for requirement in (*project["dependencies"], *optional)}


def _name(requirement: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=!~; ]", requirement)[0]).lower()


def _undeclared(folders: tuple[str, ...], declared: set[str]) -> set[str]:
    distributions = packages_distributions()
    imported = set().union(*(_imported(folder) for folder in folders))
    return {module for module in imported if declared.isdisjoint(map(_name, distributions.get(module, [module])))}


def test_code_imports_only_declared_packages() -> None:
    assert _undeclared(CODE, _declared("postgres", "server", "mcp")) == set()


def test_tests_import_only_packages_of_the_extras() -> None:
    project = PROJECT["project"]
    assert _undeclared(DEVELOPMENT, _declared(*project["optional-dependencies"])) == set()


def test_constraints_satisfy_every_lower_bound() -> None:
    from packaging.requirements import Requirement

    project = PROJECT["project"]
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").split()
    tested = {_name(line): line.partition("==")[2] for line in lines}
    extras = [requirement for extra in project["optional-dependencies"].values() for requirement in extra]
    requirements = [Requirement(text) for text in (*project["dependencies"], *extras)]
    external = [one for one in requirements if _name(one.name) != "travel-concierge"]
    assert [str(one) for one in external if not one.specifier.contains(tested.get(_name(one.name), "0"))] == []
