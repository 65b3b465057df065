from __future__ import annotations

import subprocess
import sys

import pytest

_JUDGE = """
import sys
from datetime import UTC, datetime
from memory.policy import Candidate, Gate, Heard, judge
said = "I always prefer window seats"
heard = [Heard(said)]
proposal = Candidate(text="Prefers window seats", quote=said)
assert judge(proposal, Gate(), heard=heard, now=datetime(2026, 1, 1, tzinfo=UTC), key=b"k").code is None
print(",".join(sorted({"phonenumbers", "stdnum", "chromadb", "langchain_core", "numpy"} & set(sys.modules))))
"""


@pytest.mark.slow
def test_judging_a_text_without_digits_imports_no_heavy_library() -> None:
    done = subprocess.run([sys.executable, "-c", _JUDGE], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
