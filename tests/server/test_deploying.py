"""The files of an image, and the settings of `compose.yaml`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from config.settings import Settings
from tests.server.dev import ROOT


@pytest.mark.slow
def test_image_contains_the_files_that_langgraph_json_names(tmp_path: Path) -> None:
    program = Path(sys.executable).with_name("langgraph")
    file = tmp_path / "Dockerfile"
    subprocess.run([program, "dockerfile", "-c", ROOT / "langgraph.json", file], check=True, capture_output=True)
    written = file.read_text()
    named = json.loads((ROOT / "langgraph.json").read_text())
    variables = dict(re.findall(r"^ENV (\w+)='(.*)'$", written, re.MULTILINE))
    wanted = {"LANGGRAPH_STORE": "store", "LANGGRAPH_AUTH": "auth", "LANGGRAPH_HTTP": "http"}
    wanted |= {"LANGGRAPH_CHECKPOINTER": "checkpointer", "LANGSERVE_GRAPHS": "graphs"}
    assert {name: json.loads(variables[name]) for name in wanted} == {
        name: named[part] for name, part in wanted.items()
    }
    assert "langgraph-checkpoint-postgres" in written
    assert named["auth"]["disable_studio_auth"] is True
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".concierge", ".env", ".git", ".venv", ".langgraph_api"} <= set(ignored)


def test_compose_uses_existing_settings() -> None:
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())
    services = compose["services"]
    assert set(services) == {"server", "postgres", "redis", "chroma"}
    given = {name for name in services["server"]["environment"] if name.startswith("CONCIERGE_")}
    fields = {f"CONCIERGE_{name.upper()}" for name in Settings.model_fields}
    assert given - fields == set()
    assert given >= {"CONCIERGE_AUTH_KEY", "CONCIERGE_STORE_URL", "CONCIERGE_CHROMA_URL"}
    tested = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().split() if "==" in line)
    assert services["chroma"]["image"] == f"chromadb/chroma:{tested['chromadb']}"
    # Ports are only open to the machine itself, and the file holds no password.
    assert [port for one in services.values() for port in one.get("ports", ())] == ["127.0.0.1:8123:8000"]
    assert re.findall(r"(?:PASSWORD|KEY): (?!\$\{)(.+)", (ROOT / "compose.yaml").read_text()) == []
