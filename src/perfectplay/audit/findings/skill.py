"""How much there is to decide."""

from collections.abc import Iterator

from perfectplay.audit.case import Case
from perfectplay.audit.findings.finding import Finding, finds
from perfectplay.audit.measures import EQUALS, measures
from perfectplay.core.outcome import SIDES
from perfectplay.strength.head_to_head import percent


@finds("skill", "how much there is to decide; the witness ends with a mistake")
def skill(case: Case) -> Iterator[Finding]:
    found = measures(case)
    if not found.decisions or found.only_moves is None:
        return
    share = found.decisions / found.positions_with_moves
    among = f"{found.positions_with_moves:,} positions with a move"
    among += "" if case.whole else f" among the first {found.positions:,}"
    parts = [
        f"The choice changes the value in {found.decisions:,} of the {among} ({share:.1%}),"
        f" and only one move keeps it in {found.only_moves:,}"
    ]
    if found.level_differences:
        most = found.level_differences[-1]
        parts.append(f"a player {most.levels} levels stronger wins {most.text(most.stronger)}")
    if found.equal_levels is not None:
        one, two = case.game.side_names
        first, second = (
            percent(found.equal_levels.wins[side], found.equal_levels.interval(side)) for side in SIDES
        )
        parts.append(f"when two {EQUALS} players meet, {one} wins {first} and {two} {second}")
    if found.cross_table is not None and found.cross_table.games is not None:
        parts.append("brackets show 95% intervals of sampled games")
    number, moves = case.choices[0]
    worst = min(moves, key=lambda move: move[1].rank)[0]
    yield Finding("skill", "note", "; ".join(parts) + ".", case.texts((*case.path(number), worst)))
