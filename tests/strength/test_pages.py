"""The pages work out schedule and statistics themselves, so that nobody's games are sent: both say the same."""

import json
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

from perfectplay.coach.exercises import Trial, due_on
from perfectplay.strength.history import histories
from perfectplay.strength.journal import ENDINGS, PlayedGame
from perfectplay.strength.statistics import plays_like

GOLDEN = Path(__file__).parents[1] / "js" / "journal.json"
DAY = date(2026, 1, 5)


def schedule(rng: Random) -> dict[str, Any]:
    days = sorted(rng.choices(range(60), k=rng.randint(1, 9)))
    attempts = [Trial(DAY + timedelta(day), rng.random() < 0.7) for day in days]
    return {
        "attempts": [[day.isoformat(), solved] for day, solved in attempts],
        "due": due_on(attempts).isoformat(),
    }


def row(rng: Random, day: int) -> PlayedGame:
    decisions = rng.randint(0, 6)
    kept = rng.randint(0, decisions)
    guess, slips = (round(rng.random() * decisions, 3) for _ in range(2))
    return PlayedGame(
        DAY + timedelta(day),
        rng.choice(("bit-flip", "bit-flip:bits=12")),
        rng.choice(("human", "level:5", "level:10", "perfect")),
        rng.choice((0, 1)),
        rng.choice(ENDINGS),
        decisions,
        kept,
        guess,
        slips,
        assisted=rng.random() < 0.2,
    )


def statistics(rng: Random, count: int) -> dict[str, Any]:
    rows = [row(rng, day) for day in range(count)]
    found = histories(rows)
    return {
        "rows": [each.as_dict() for each in rows],
        "histories": [each.as_dict() for each in found],
        "words": [plays_like(each.plays_like) if each.plays_like else "" for each in found],
    }


def test_pages_and_python_say_the_same() -> None:
    """The other half is tests/js/journal.test.js."""
    rng = Random(7)
    wanted = {
        "schedule": [schedule(rng) for _ in range(40)],
        "statistics": [statistics(rng, count) for count in (0, 1, 3, 25, 80)],
    }
    assert json.loads(GOLDEN.read_text()) == json.loads(json.dumps(wanted))
