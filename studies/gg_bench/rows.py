"""What was audited, as rows: one for each game, and one for each finding."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

DATA, RESULTS = Path("gg_bench") / "data", Path("results")
LEAST_SHARE, LEAST_DECISIONS = 0.1, 5
"""For the sound part: the share that each seat must win in random play, and the decisions of such a game."""
STARTS = 3
"""From how many starts a scored game is judged if it has several."""
HOSTED = ("--turns", "alternating", "--rewards", "mover", "--starts", str(STARTS))
"""The protocol of the authors, by which the scored games were played."""
SEVERAL = ("random-setup", "seed-ignored")
"""With one of these, a game may have starts that were not judged."""
CEILINGS = {"win": 0.5, "loss": 0.5, "tie": 0.0, "endless": 0.0}
"""The share of games that anyone can win against a perfect opponent, in both seats equally often."""
CHECKLIST = {
    "T.4": ("reset-leaks", "global-state", "threads"),
    "T.6": ("seed-ignored", "not-repeatable", "clock", "random-setup", "random-step"),
    "T.8": (
        *("import-fails", "construct-fails", "reset-fails", "moves-fail", "no-moves", "over-at-start"),
        *("dead-end", "trap", "one-winner", "idle-side", "endless-perfect", "wins-only-by-blunder"),
    ),
    "T.9": ("forced-win", "tie-perfect", "every-opening-wins", "no-decision"),
    "T.10": (
        *("crash", "hang", "memory", "killed", "legal-refused", "legal-punished", "illegal-accepted"),
        *("illegal-changes", "illegal-crashes", "plays-on", "turn-contradicted", "turn-unused", "turn-stuck"),
        *(
            "moves-outside",
            "moves-mutate",
            "moves-repeat",
            "moves-not-whole",
            "render-mutates",
            "render-fails",
        ),
        *("bad-reset", "bad-step", "bad-reward", "four-values", "odd-reward", "observation-outside"),
        *("observation-hides", "cut-only", "endless-sampled", "endless-possible"),
    ),
    "O": ("reward-contradicted", "reward-before-end", "not-zero-sum"),
}
"""The codes by the items of the Agentic Benchmark Checklist (arXiv 2507.02825) that they are evidence on."""

JsonRow = dict[str, Any]


def checklist_item(code: str) -> str | None:
    """The item of the checklist that a code belongs to, if there is one.

    >>> checklist_item("crash"), checklist_item("skill")
    ('T.10', None)
    """
    return next((item for item, codes in CHECKLIST.items() if code in codes), None)


def read_lines(path: Path) -> list[JsonRow]:
    """The rows of a file of JSON lines but a last one that was cut off; none if there is no such file."""
    if not path.exists():
        return []
    lines = path.read_text("utf-8").splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        path.write_text("".join(lines[:-1]), "utf-8")
        lines.pop()
    return [json.loads(line) for line in lines]


def number_of(env: str) -> int:
    """The number of a game, from the name of its file.

    >>> number_of("envs/env_12.py")
    12
    """
    return int(Path(env).stem.removeprefix("env_"))


def list_scored(folder: Path) -> list[int]:
    """The numbers of the games on which models were scored."""
    listed = json.loads((folder / DATA / "splits" / "valid_envs.json").read_text("utf-8"))
    return sorted(int(each[0]) for each in listed)


def hash_input(folder: Path) -> str:
    """A digest of everything that was read, file by file in order."""
    digest = hashlib.sha256()
    for path in sorted([*(folder / DATA).rglob("*"), *(folder / RESULTS).rglob("*")]):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(f"{path.relative_to(folder)} {path.stat().st_size}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def merge(plain: Iterable[JsonRow], deep: Iterable[JsonRow]) -> list[JsonRow]:
    """For each game the record of the deeper audit, if that was finished and the game has one start."""
    found = {number_of(each["env"]): each for each in plain}
    for each in deep:
        if each["error"] is None and not each["starts"] and number_of(each["env"]) in found:
            found[number_of(each["env"])] = each
    return [found[number] for number in sorted(found)]


def is_sound(record: Mapping[str, Any]) -> bool:
    """Whether a game belongs to the part that can be trusted."""
    measures = record["measures"]
    return (
        record["error"] is None
        and not any(each["severity"] == "problem" for each in record["findings"])
        and not has_several_starts(record)
        and measures is not None
        and measures["ends"]
        and min(measures["random"]) >= LEAST_SHARE
        and sum(measures["decisions_met"]) >= LEAST_DECISIONS
    )


def has_several_starts(record: Mapping[str, Any]) -> bool:
    """Whether a game may have starts that were not judged, so that nothing is known of all its positions."""
    return any(each["code"] in SEVERAL for each in record["findings"])


def game_rows(
    records: Sequence[JsonRow], scored: Sequence[int], titles: Mapping[int, str]
) -> Iterator[JsonRow]:
    """A row for each game."""
    for record in records:
        number = number_of(record["env"])
        several = has_several_starts(record)
        measures = (number in scored and not several and record["measures"]) or {}
        severities = [each["severity"] for each in record["findings"]]
        yield {
            "game": number,
            "title": titles.get(number, ""),
            "scored": number in scored,
            "problems": severities.count("problem"),
            "warnings": severities.count("warning"),
            "notes": severities.count("note"),
            "value": record["value"] and record["value"]["kind"],
            "plies": record["value"] and record["value"]["plies"],
            "starts": [each["value"] and each["value"]["kind"] for each in record["starts"]],
            "whole": record["whole"] and not several,
            "chance": record["chance"],
            "positions": record["positions"],
            "moves": record["moves"],
            "limit": record["limits"]["moves"],
            "undecided": record["error"],
            "sound": number in scored and is_sound(record),
            "ceiling": None if several else record["value"] and CEILINGS.get(record["value"]["kind"]),
            **{
                name: measures.get(name)
                for name in ("decisions", "decisions_met", "random", "perfect", "best")
            },
            "random_plies": measures.get("plies"),
            "always_ends": measures.get("ends"),
        }


def finding_rows(records: Sequence[JsonRow]) -> Iterator[JsonRow]:
    """A row for each finding."""
    for record in records:
        for each in record["findings"]:
            kept = ("code", "severity", "text", "seed", "witness", "beside")
            row = {"game": number_of(record["env"]), **{name: each[name] for name in kept}}
            yield {**row, "checklist": checklist_item(each["code"])}


def write_lines(path: Path, rows: Iterable[JsonRow]) -> None:
    """Write rows as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    path.write_text("".join(lines), "utf-8")


def write_parquet(folder: Path, out: Path) -> None:
    """Write the rows as Parquet too; moves, which may be numbers or lists, are JSON there."""
    import pyarrow
    from pyarrow import parquet

    for name in ("games", "findings"):
        rows = read_lines(folder / f"{name}.jsonl")
        for row in rows:
            row |= {moves: json.dumps(row[moves]) for moves in ("witness", "beside") if moves in row}
        parquet.write_table(pyarrow.Table.from_pylist(rows), out / f"{name}.parquet")
