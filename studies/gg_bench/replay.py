"""Plays every witness again, each from a fresh start in a process of its own."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from perfectplay_foreign.sandbox.client import ForkServer
from perfectplay_foreign.sandbox.request import AuditOptions, JobRequest
from studies.gg_bench.rows import JsonRow, read_lines

ENDS = ("hang", "memory", "killed")
"""Findings that end the process."""


def replay_all(findings: Sequence[JsonRow], envs: Path, kept: Path) -> dict[str, object]:
    """How many findings have moves that show them, and which of these do not.

    Games that are another one each time are left out. What is in the file `kept` is not played again.
    """
    unlike = {row["game"] for row in findings if row["code"] == "not-repeatable"}
    shown = [row for row in findings if row["witness"] and row["game"] not in unlike]
    known = {each["finding"]: each["good"] for each in read_lines(kept)}
    with ForkServer() as server, kept.open("a", encoding="utf-8") as file:
        for row in shown:
            if (key := json.dumps(row)) not in known:
                known[key] = _replay(row, envs, server)
                file.write(json.dumps({"finding": key, "good": known[key]}) + "\n")
                file.flush()
    failed = [[row["game"], row["code"]] for row in shown if not known[json.dumps(row)]]
    return {"witnesses": len(shown), "failed": failed}


def _replay(row: JsonRow, envs: Path, server: ForkServer) -> bool:
    options = AuditOptions(seed=row["seed"], turns="alternating")
    what = str(envs / f"env_{row['game']}.py")
    job = server.run(JobRequest(what, options, steps=row["witness"]))
    return job.ended == row["code"] if row["code"] in ENDS else shows(row, job.steps or [])


def shows(row: JsonRow, steps: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the moves of a witness are legal in turn and, for some codes, show what they say.

    The last one may be illegal, or come after the end, if that is what the finding is about.
    """
    moves, code = row["witness"], row["code"]
    if len(steps) != len(moves) + 1 or any("unknown" in step for step in steps):
        return False
    for ply, move in enumerate(moves):
        last = ply == len(moves) - 1
        legal, over = steps[ply].get("legal"), "game is over" in steps[ply].get("said", "")
        if over != (code == "plays-on" and last):
            return False
        if not over and (isinstance(legal, list) and move in legal) == (code.startswith("illegal") and last):
            return False
    end = steps[-1]
    if code == "crash":
        return "error" in end or isinstance(end.get("legal"), str)
    if code == "dead-end":
        return end.get("legal") == [] and "game is over" not in end.get("said", "")
    if code == "turn-contradicted":
        return end.get("mover") == steps[-2].get("mover")
    return code != "legal-refused" or "reward -" in end.get("said", "")
