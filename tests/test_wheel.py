"""The wheel: what it carries, and that it runs where nothing else of the project is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
FOLDERS = {"graph", "nodes", "memory", "travel", "stores", "models", "prompts", "app", "text", "config"}
SUFFIXES = {".py", ".md", ".toml", ".txt", ".npz", ".html", ".css", ".js", ".json", ".svg"}
"""Code, prompts, word lists, weights and the page: all that may be in the code folders and that the wheel carries."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as a release would be: from the files of the checkout alone, in an isolated environment."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for folder in (*FOLDERS, "tests", "benchmarks"):
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__"))
    builder = [sys.executable, "-m", "build", "--wheel", "--outdir", str(out)]
    if _uv():
        builder += ["--installer", "uv"]
    done = subprocess.run([*builder, str(source)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_carries_the_code_and_the_prompts_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        carried = {name for name in opened.namelist() if ".dist-info/" not in name}
    written = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    assert carried == {str(path.relative_to(ROOT)) for path in written}


@pytest.fixture
def on_disk() -> Iterator[Path]:
    """A folder from which programs may be run, which memory may refuse."""
    with TemporaryDirectory(dir="/var/tmp") as folder:
        yield Path(folder)


def test_the_wheel_runs_in_an_empty_environment(wheel: Path, on_disk: Path) -> None:
    venv.create(on_disk / "venv", with_pip=not _uv())
    binaries = on_disk / "venv" / "bin"
    installer = (
        [_uv(), "pip", "install", "--python", str(binaries / "python")]
        if _uv()
        else [str(binaries / "python"), "-m", "pip", "install"]
    )
    command = [*installer, "--quiet", "-c", str(ROOT / "constraints.txt"), str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=on_disk)
    assert done.returncode == 0, done.stderr
    foreign = ("CONCIERGE_", "OPENAI_", "PYTHONPATH")
    env = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    said = subprocess.run(
        [str(binaries / "concierge"), "chat", "--message", "hi", "--user", "x", "--json"],
        capture_output=True, text=True, cwd=on_disk, env=env,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    turn = json.loads(said.stdout)
    assert turn["stop_reason"] == "answered"
    assert (on_disk / ".concierge").is_dir()


def _uv() -> str:
    """The installer that `make` put beside this Python; empty where it could not."""
    found = Path(sys.executable).with_name("uv")
    return str(found) if found.exists() else ""
