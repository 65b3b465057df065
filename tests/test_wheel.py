"""The wheel: its contents, and that it runs in an empty environment."""

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
"""The suffixes of the files in the code folders that the wheel must contain."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as a release does: from the files of the checkout, in an isolated environment."""
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


def test_wheel_contains_exactly_the_package_files(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        contents = {name for name in opened.namelist() if ".dist-info/" not in name}
    sources = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    assert contents == {str(path.relative_to(ROOT)) for path in sources}


@pytest.fixture
def on_disk() -> Iterator[Path]:
    """Create a folder on disk, as a folder in memory may not allow running programs."""
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
    chat = subprocess.run(
        [str(binaries / "concierge"), "chat", "--message", "hi", "--user", "x", "--json"],
        capture_output=True, text=True, cwd=on_disk, env=env,
    )  # fmt: skip
    assert chat.returncode == 0, chat.stderr
    turn = json.loads(chat.stdout)
    assert turn["stop_reason"] == "answered"
    assert (on_disk / ".concierge").is_dir()


def _uv() -> str:
    """Return the path of `uv` next to this Python, where `make` installs it, or "" if there is none."""
    path = Path(sys.executable).with_name("uv")
    return str(path) if path.exists() else ""
