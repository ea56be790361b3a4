"""A collection on a Ray cluster, which here is this machine."""

import os
import subprocess
import sys
from pathlib import Path

from perfectplay_foreign.collections.collection import audit_collection
from tests.conftest import ROOT
from tests.foreign.collections.test_collection import NAMES, SETTINGS, lasting, read

ON_RAY = """
import sys
from pathlib import Path
from perfectplay_foreign.collections.collection import audit_collection, use_ray
from tests.foreign.collections.test_collection import NAMES, SETTINGS

audit_collection(NAMES[:3], Path(sys.argv[1]), SETTINGS, use_ray(chunk=2))
"""


def test_ray_gives_the_same_records(tmp_path: Path) -> None:
    plain = audit_collection(NAMES[:3], tmp_path / "plain", SETTINGS)
    # Ray cannot be started twice in one process, and another test starts it too.
    subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ON_RAY, str(tmp_path / "ray")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "RAY_USAGE_STATS_ENABLED": "0"},
        check=True,
        timeout=240,
    )
    assert read(tmp_path / "ray") == lasting(plain)
