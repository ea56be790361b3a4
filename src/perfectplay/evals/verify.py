"""Whether the counts of samples are what their raw answers come to."""

from collections import Counter
from collections.abc import Collection
from math import isclose
from typing import Any

from perfectplay.evals.counts import Counts
from perfectplay.evals.files import Samples, Verification
from perfectplay.evals.samples import Row, again

COMPARED = ("game", "cluster", *Counts.__dataclass_fields__, "points")


def verify_samples(samples: Samples, files: Collection[str] = ()) -> Samples:
    """The samples as their raw answers have it, and what differs from their stored counts.

    A sample that cannot be played again keeps its counts and is named. Like every sample it is data: it runs
    nothing but the game files in `files`.

    >>> from perfectplay.evals.play import replay_answers
    >>> from perfectplay.evals.samples import play_row
    >>> from perfectplay.evals.setup import Setup
    >>> row = play_row(replay_answers(Setup("bit-flip:bits=3", "perfect"), 0, 0, ["Move: 0"]), 0, "me")
    >>> found = verify_samples(Samples([{**row, "kept": 1}]))
    >>> found.verification.differences
    ['me, bit-flip:bits=3, seat 1, game 0: kept is stored as 1, the answers give 0']
    """
    rows: list[Row] = []
    differences: list[str] = []
    unknown: Counter[str] = Counter()
    for row in samples.rows:
        found = again(row, files) if row.get("texts") is not None else {"problem": "no raw answers are kept"}
        if found["problem"] is not None and found["problem"] != row["problem"]:
            unknown[found["problem"]] += 1
            found = row
        changed = [name for name in COMPARED if not _same(row[name], found[name])]
        if changed:
            said = [f"{name} is stored as {row[name]}, the answers give {found[name]}" for name in changed]
            which = (
                row["cluster"] if row["item"] else f"{row['game']}, seat {row['seat']}, game {row['number']}"
            )
            differences.append(f"{row['agent']}, {which}: {'; '.join(said)}")
        rows.append({**row, **found})
    return samples._replace(rows=rows, verification=Verification(differences, dict(unknown)))


def _same(stored: Any, found: Any) -> bool:
    if isinstance(stored, float) and isinstance(found, float | int):
        return isclose(stored, found, abs_tol=1e-9)  # arithmetic may differ between machines
    return bool(stored == found)
