"""How a host plays an environment: whose turn it is, who sees rewards, and from how many starts it is judged."""

import json
from pathlib import Path

import pytest

from perfectplay_foreign.audit import audit_environment, merge_starts
from perfectplay_foreign.collections.collection import audit_collection
from perfectplay_foreign.records import AuditRecord, Found, empty_record
from perfectplay_foreign.sandbox.client import ForkServer
from perfectplay_foreign.sandbox.request import AuditOptions
from tests.conftest import Run

ENVS = Path(__file__).parent / "envs"


def audit(name: str, server: ForkServer, options: AuditOptions) -> AuditRecord:
    return audit_environment(str(ENVS / f"{name}.py"), options, server).record


def codes(record: AuditRecord) -> set[str]:
    return {each["code"] for each in record["findings"]}


def test_where_sides_alternate_another_turn_is_one_finding(server: ForkServer) -> None:
    said = audit("turn_kept", server, AuditOptions())
    hosted = audit("turn_kept", server, AuditOptions(turns="alternating"))
    assert "turn-kept" in codes(said)
    assert {"turn-kept", "turn-stuck", "turn-unused"}.isdisjoint(codes(hosted))
    [found] = [each for each in hosted["findings"] if each["code"] == "turn-contradicted"]
    assert (found["severity"], found["witness"]) == ("problem", [0])
    assert hosted["value"] == audit("sound", server, AuditOptions())["value"]
    assert hosted["value"] != said["value"]


def test_an_environment_that_always_names_one_side_is_fine_where_sides_alternate(server: ForkServer) -> None:
    hosted = audit("turn_stuck", server, AuditOptions(turns="alternating"))
    assert codes(hosted) & {"turn-stuck", "turn-kept", "turn-contradicted", "turn-unused"} == {"turn-unused"}
    assert hosted["value"] == {"kind": "win", "plies": 3}


def test_always_is_said_of_what_was_visited_where_that_is_not_everything(server: ForkServer) -> None:
    for moves, severity, beyond in ((100, "warning", False), (2, "note", True)):
        record = audit("turn_stuck", server, AuditOptions(turns="alternating", moves=moves))
        [found] = [each for each in record["findings"] if each["code"] == "turn-unused"]
        assert record["whole"] != beyond
        assert found["severity"] == severity
        assert found["text"].endswith(" Nothing is proved beyond what was visited.") == beyond


def test_rewards_are_read_as_the_host_reads_them(server: ForkServer) -> None:
    by_mover = audit("reward_contradicted", server, AuditOptions())
    by_first = audit("reward_contradicted", server, AuditOptions(rewards="first"))
    assert {"reward-contradicted", "one-winner"} <= codes(by_mover)
    assert {"reward-contradicted", "one-winner"}.isdisjoint(codes(by_first))
    assert by_first["value"] == audit("sound", server, AuditOptions())["value"]


def test_an_environment_with_several_starts_is_judged_from_each(server: ForkServer) -> None:
    record = audit("random_setup", server, AuditOptions(starts=4))
    assert [each["seed"] for each in record["starts"]] == [0, 1, 2, 3]
    alone = [audit("random_setup", server, AuditOptions(seed=seed))["value"] for seed in range(4)]
    assert [each["value"] for each in record["starts"]] == alone
    assert len({value and value["kind"] for value in alone}) == 2
    assert record["value"] is None
    assert audit("sound", server, AuditOptions(starts=4))["starts"] == []
    assert audit("random_setup", server, AuditOptions())["starts"] == []


def test_what_never_happens_has_to_hold_at_every_start() -> None:
    first, second = empty_record("a.py"), empty_record("a.py")
    first["findings"] = [Found(code, "problem", "So.").record() for code in ("one-winner", "idle-side")]
    crash, outside = Found("crash", "problem", "", 1, (3,)), Found("moves-outside", "problem", "", 1)
    second["findings"] = [each.record() for each in (crash, outside, Found("idle-side", "problem", "So."))]
    merge_starts(first, 0, [second])
    assert codes(first) == {"crash", "moves-outside", "idle-side"}
    [idle] = [each for each in first["findings"] if each["code"] == "idle-side"]
    assert idle["text"] == "So. So it is at the start of seed 0; each other start has a finding like it."


def test_what_one_side_never_does_has_to_be_that_side_at_every_start() -> None:
    never = [
        Found("one-winner", "problem", f"{who} can never win.").record() for who in ("Player 1", "Player 2")
    ]
    for here, there, kept in (
        ([0], [1], []),
        ([0], [0, 1], [0]),
        ([0, 1], [0, 1], [0, 1]),
    ):
        first, second = empty_record("a.py"), empty_record("a.py")
        first["findings"] = [{**never[side]} for side in here]
        second["findings"] = [{**never[side]} for side in there]
        merge_starts(first, 0, [second])
        said = [each["text"].partition(".")[0] for each in first["findings"]]
        assert sorted(said) == [never[side]["text"].rstrip(".") for side in kept]


def test_measures_are_exact(server: ForkServer) -> None:
    measured = audit("sound", server, AuditOptions())["measures"]
    assert measured is not None
    # Seven stones, of which one to three are taken: worked out by hand.
    wins = [0.0, 1.0]
    for stones in range(2, 8):
        after = [1 - wins[stones - take] if stones > take else 1.0 for take in (1, 2, 3) if take <= stones]
        wins.append(sum(after) / len(after))
    best = {0: (0.0, 1.0)}
    for stones in range(1, 8):
        takes = [take for take in (1, 2, 3) if take <= stones]
        mine = max(1.0 if take == stones else best[stones - take][1] for take in takes)
        theirs = sum(0.0 if take == stones else best[stones - take][0] for take in takes) / len(takes)
        best[stones] = (mine, theirs)
    assert measured["random"] == [pytest.approx(wins[7], abs=1e-6), pytest.approx(1 - wins[7], abs=1e-6)]
    assert measured["best"] == [pytest.approx(best[7][0], abs=1e-6), pytest.approx(best[7][1], abs=1e-6)]
    assert measured["perfect"][0] == 1.0
    assert measured["ends"] is True
    assert audit("dead_end", server, AuditOptions())["measures"] is None


def test_a_collection_keeps_times_apart_and_its_protocol_fixed(run: Run, tmp_path: Path) -> None:
    names = [str(ENVS / "sound.py")]
    audit_collection(names, tmp_path, AuditOptions(moves=500, turns="alternating"))
    [record] = map(json.loads, (tmp_path / "results.jsonl").read_text().splitlines())
    [times] = map(json.loads, (tmp_path / "times.jsonl").read_text().splitlines())
    assert record["protocol"] == {
        "turns": "alternating",
        "rewards": "mover",
        "starts": 1,
        "generators": "seeded",
    }
    assert "seconds" not in record
    assert times.keys() == {"env", "seconds", "cpu", "memory"}
    done = run("audit-env", *names, "--out", str(tmp_path), "--moves", "500")
    assert done.returncode == 2
    assert "choose another folder" in done.stderr
