"""The whole study: `python -m studies.gg_bench GG_BENCH`. A run that was stopped continues.

Audits go to the folder WORK. What was concluded goes to studies/gg_bench/data and docs/studies.
"""

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import perfectplay
from studies.gg_bench import page
from studies.gg_bench.agree import compare_checkers
from studies.gg_bench.graphs import graph_rows
from studies.gg_bench.replay import replay_all
from studies.gg_bench.rows import (
    DATA,
    HOSTED,
    STARTS,
    JsonRow,
    finding_rows,
    game_rows,
    hash_input,
    list_scored,
    merge,
    number_of,
    read_lines,
    write_lines,
)
from studies.gg_bench.score import read_counts, score

MOVES, DEEPEN = 30_000, 300_000
"""Moves in each game, for either checker, and in scored games whose value is not known then."""
OURS = {
    "bit-flip": 923,
    "dual-direction": 247,
    "inversion-race": 843,
    "mirror-match": 871,
    "race-to-the-center": 542,
}
"""The games of this package, and the environments with the same rulebooks."""
DRAWN = 10
"""How many findings of each severity are read by hand."""


def run(arguments: Sequence[str], folder: Path, good: Sequence[int]) -> str:
    """What a command of the package, or a module, says in a folder; other exit codes end the study."""
    path = os.pathsep.join([str(page.ROOT / "src"), str(page.ROOT)])
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode not in good:
        sys.exit(f"{' '.join(arguments[:2])} failed with {done.returncode}")
    return done.stdout


def audit(envs: Path, games: Sequence[int], out: Path, *options: str) -> list[JsonRow]:
    """Audit games; those that have a record are not audited again."""
    names = [f"env_{game}.py" for game in games if (envs / f"env_{game}.py").exists()]
    if names:
        run(["perfectplay", "audit-env", *names, "--out", str(out), *options], envs, (0, 3))
    records = read_lines(out / "results.jsonl")
    if len(records) < len(names):  # an audit that broke off has the same exit code as an unfinished one
        sys.exit(f"perfectplay audit-env left {len(names) - len(records)} games out")
    return records


def find_records(folder: Path, work: Path, options: Sequence[str]) -> tuple[list[JsonRow], int]:
    """The records of all games, and how many were audited once more with more moves."""
    envs = (folder / DATA / "envs").resolve()
    scored = list_scored(folder)
    every = sorted(number_of(path.name) for path in envs.glob("env_*.py"))
    plain = audit(envs, every, work / "plain", *HOSTED, "--moves", str(MOVES), *options)
    large = {number_of(each["env"]) for each in plain if _is_large(each)}
    unknown = [game for game in scored if game in large]
    deep = audit(envs, unknown, work / "deep", *HOSTED, "--moves", str(DEEPEN), *options)
    return merge(plain, deep), len(unknown)


def _is_large(record: JsonRow) -> bool:
    """Whether more moves may tell the value of a game with one start."""
    return record["value"] is None and not record["starts"] and record["moves"] >= MOVES


def compare_rules(folder: Path) -> list[dict[str, str]]:
    """What `perfectplay compare` says of our games and their environments."""
    envs, found = (folder / DATA / "envs").resolve(), []
    for game, number in OURS.items():
        if (envs / f"env_{number}.py").exists():
            asked = ["perfectplay", "compare", game, f"env:env_{number}.py", "--turns", "alternating"]
            said = " ".join(run(asked, envs, (0, 1, 3)).split())
            found.append({"game": game, "env": str(number), "said": said})
    return found


def read_titles(folder: Path) -> dict[int, str]:
    """The first line of each rulebook."""
    found = {}
    for path in (folder / DATA / "descriptions").glob("*.txt"):
        lines = path.read_text("utf-8", errors="replace").strip().splitlines()
        title = (lines or [""])[0].strip("#*_ ").replace("Game Title:", "").replace("Game Name:", "")
        found[int(path.stem)] = title.strip("#*_ ").partition(" Rule Book")[0].rstrip(":")[:80]
    return found


def draw_findings(findings: Sequence[JsonRow], scored: Sequence[int]) -> list[JsonRow]:
    """Ten findings of each severity in scored games, by least digest, and what was read there."""
    by_hand = json.loads((page.HERE / "read.json").read_text("utf-8"))
    verdicts = {(each["game"], each["code"]): each["verdict"] for each in by_hand}

    def digest(key: tuple[int, str]) -> str:
        return hashlib.sha256(f"{key[0]} {key[1]}".encode()).hexdigest()

    drawn = []
    for severity in ("problem", "warning", "note"):
        these = [row for row in findings if row["severity"] == severity and row["game"] in scored]
        for game, code in sorted({(row["game"], row["code"]) for row in these}, key=digest)[:DRAWN]:
            verdict = verdicts.get((game, code), "not read yet")
            drawn.append({"game": game, "code": code, "severity": severity, "verdict": verdict})
    return drawn


def conclude(folder: Path, work: Path, records: list[JsonRow], deepened: int) -> dict[str, Any]:
    """Everything that is written down, from the records of all games."""
    scored = list_scored(folder)
    games = list(game_rows(records, scored, read_titles(folder)))
    findings = list(finding_rows(records))
    whole = [row["game"] for row in games if row["scored"] and row["whole"]]
    second = read_lines(work / "second.jsonl")
    about = {
        "perfectplay": perfectplay.__version__,
        "input": hash_input(folder),
        "moves": MOVES,
        "deepen": DEEPEN,
        "deepened": deepened,
        "starts": STARTS,
        "agreement": compare_checkers(records, second),
        "second_games": len(second),
        "second_undecided": [number_of(each["env"]) for each in second if "whole" not in each],
        "compared": compare_rules(folder),
        "read": draw_findings(findings, scored),
        "replayed": replay_all(findings, folder / DATA / "envs", work / "replayed.jsonl"),
    }
    return {
        "games": games,
        "findings": findings,
        "graphs": graph_rows(folder, whole, work / "graphs.jsonl"),
        "scores": score(read_counts(folder), games, findings),
        "about": about,
    }


def write(data: dict[str, Any], out: Path, docs: Path) -> None:
    """Write the data, and the page with its figures."""
    for name in page.ROWS:
        write_lines(out / f"{name}.jsonl", data[name])
    for name in ("scores", "about"):
        (out / f"{name}.json").write_text(json.dumps(data[name], indent=1) + "\n", "utf-8")
    digests = {row["game"]: row["digest"] for row in data["graphs"]}
    sound = {game: digests[game] for game in data["scores"]["sound"]}
    (out / "sound.json").write_text(json.dumps(sound, indent=1) + "\n", "utf-8")
    docs.mkdir(parents=True, exist_ok=True)
    kept = page.read_data(out)  # as JSON has it, which is what the page is checked against
    (docs / page.PAGE.name).write_text(page.write_page(kept, page.TEMPLATE.read_text("utf-8")), "utf-8")
    for name, figure in page.draw_figures(kept).items():
        (docs / name).write_text(figure + "\n", "utf-8")


def main(arguments: Sequence[str]) -> None:
    """Run the study."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="a copy of gg-bench")
    parser.add_argument("--work", type=Path, default=Path("build/gg-bench"), help="where audits are kept")
    parser.add_argument("--out", type=Path, default=page.DATA)
    parser.add_argument("--docs", type=Path, default=page.PAGE.parent)
    parser.add_argument("--on", choices=["ray"], help="spread the audits over machines")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args(arguments)
    if not (asked.folder / DATA / "envs").is_dir():
        parser.error(f"{asked.folder} is not a copy of gg-bench: it has no {DATA / 'envs'}")
    work, begun = asked.work.resolve(), time.monotonic()
    fresh = not work.exists()
    options = ["--on", "ray"] if asked.on else ["--workers", str(asked.workers)]
    records, deepened = find_records(asked.folder.resolve(), work, options)
    envs = str((asked.folder / DATA / "envs").resolve())
    checker = [f"{__package__}.second", envs, str(work / "second.jsonl"), "--moves", str(MOVES)]
    run(checker, page.ROOT, (0,))
    write(conclude(asked.folder.resolve(), work, records, deepened), asked.out, asked.docs)
    if fresh:  # a run that continued says nothing about the whole
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        processor = sum(each.ru_utime + each.ru_stime for each in used)
        took = {"seconds": round(time.monotonic() - begun), "processor": round(processor)}
        (work / "time.json").write_text(json.dumps(took) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
