"""A collection on a Ray cluster, which here is this machine."""

from pathlib import Path

from perfectplay.foreign.cluster import clustered
from perfectplay.foreign.collection import audit_collection
from tests.foreign.test_collection import NAMES, SETTINGS, lasting


def test_ray_gives_the_same_records(tmp_path: Path) -> None:
    plain = audit_collection(NAMES[:3], tmp_path / "plain", SETTINGS)
    spread = audit_collection(NAMES[:3], tmp_path / "ray", SETTINGS, clustered(chunk=2))
    assert lasting(spread) == lasting(plain)
