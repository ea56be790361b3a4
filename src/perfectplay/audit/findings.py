"""What an audit can find: one function per finding, each over a prepared game."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from perfectplay.audit.case import Case, Path, is_standard, prepare, variants
from perfectplay.audit.loops import first_loop
from perfectplay.audit.measures import EQUALS, measures
from perfectplay.audit.readings import plural, readings
from perfectplay.audit.strength import percent
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Action, Game
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side, other
from perfectplay.core.value import Value
from perfectplay.core.wording import listed, none_of

Severity = Literal["problem", "warning", "note"]

SAFE_PLIES = 8
"""How far play without end is shown where no position comes back."""
SIDES: tuple[Side, Side] = (0, 1)


class Finding(NamedTuple):
    """Something that a rule set does or lacks, with moves from the start that show it.

    There are none where the finding is that something never happens; the text then says among how
    many positions.
    """

    code: str
    severity: Severity
    text: str
    witness: tuple[str, ...] = ()


Finder = Callable[[Case], Iterator[Finding]]


def findings(case: Case) -> tuple[Finding, ...]:
    """Everything that is found, problems first.

    >>> import perfectplay as pp
    >>> from perfectplay.audit.case import prepare
    >>> [finding.code for finding in findings(prepare(pp.load("race-to-the-center")))]
    ['forced-win', 'dead-refusal', 'reading-decides', 'skill']
    """
    order = ("problem", "warning", "note")
    found = [finding for finder in FINDERS.values() for finding in finder(case)]
    return tuple(sorted(found, key=lambda finding: order.index(finding.severity)))


def forced_win(case: Case) -> Iterator[Finding]:
    value = case.value(0)
    if value is None or value.kind not in ("win", "loss") or not case.graph.moves(0):
        return
    line = case.line
    starter = case.game.side_to_move(case.graph.states[0])
    winner = starter if value.kind == "win" else other(starter)
    who = f"{case.game.side_names[winner]}, who moves {'first' if winner == starter else 'second'},"
    if value.plies is not None:
        text = f"{who} wins by force in {plural(value.plies)}."
    elif case.game.outcome(tuple(case.along(line))[-1]) is None:
        # A theory without distances may lead in circles, which shows nothing.
        line, text = line[:1], f"{who} wins by force; the theory of the game does not say how soon."
    else:
        how_soon = f"the theory of the game does not say how soon, this line takes {plural(len(line))}"
        text = f"{who} wins by force; {how_soon}."
    yield Finding("forced-win", "warning", text, case.texts(line))


def every_opening_wins(case: Case) -> Iterator[Finding]:
    moves = case.moves(0)
    if len(moves) > 1 and all(value.kind == "win" for _, value in moves):
        who = case.game.side_names[case.game.side_to_move(case.graph.states[0])]
        text = f"Each of the {len(moves)} first moves wins for {who}: the opening is no decision."
        yield Finding("every-opening-wins", "warning", text, case.texts((moves[-1][0],)))


def no_decision(case: Case) -> Iterator[Finding]:
    if not case.judged or case.choices:
        return
    if case.whole:
        none = none_of(case.visited, "position", "positions")
        text = f"No choice in the whole game changes the value: {none} has one that does."
        yield Finding("no-decision", "problem", text)
    else:
        text = f"No choice was seen to change the value in the first {case.visited:,} positions."
        yield Finding("no-decision", "note", text)


def endless_possible(case: Case) -> Iterator[Finding]:
    loop = first_loop(lambda number: case.graph.moves(number) if number < case.visited else [])
    if loop is not None:
        text = f"Play can go on for ever: {_where(loop.into)} can come back {plural(len(loop.around))} later."
        yield Finding("endless-possible", "warning", text, case.texts(loop.into + loop.around))
    elif not case.whole and case.theory is not None:
        path = _way_to_endless(case)
        if path is not None:
            text = (
                f"Play can go on for ever without a position coming back: after {plural(len(path))} neither"
                f" side can force an end, by the theory of the game; {SAFE_PLIES} safe plies are shown."
            )
            yield Finding("endless-possible", "warning", text, case.texts(_safely_on(case, path)))


def _way_to_endless(case: Case) -> Path | None:
    """Moves to a position that nobody can force to an end, from the first positions or a random game."""
    assert case.theory is not None
    for number in range(case.visited):
        if _is_endless(case.value(number)):
            return case.path(number)
    for walk in case.walks:
        for ply, state in enumerate(case.along(walk)):
            if _is_endless(case.theory.value(state)):
                return walk[:ply]
    return None


def endless_perfect(case: Case) -> Iterator[Finding]:
    if not _is_endless(case.value(0)):
        return

    def kept(number: int) -> list[tuple[Action, int]]:
        """The moves of perfect play: those that leave it endless."""
        if number >= case.visited:
            return []
        endless = {action for action, value in case.moves(number) if value.kind == "endless"}
        return [move for move in case.graph.moves(number) if move[0] in endless]

    loop = first_loop(kept)
    if loop is not None:
        text = (
            "Perfect play never ends: neither side can force a win, and"
            f" {_where(loop.into)} comes back {plural(len(loop.around))} later."
        )
        yield Finding("endless-perfect", "problem", text, case.texts(loop.into + loop.around))
    elif not case.whole:
        text = (
            "Perfect play never ends: neither side can force a win, by the theory of the game;"
            f" {SAFE_PLIES} safe plies are shown."
        )
        yield Finding("endless-perfect", "problem", text, case.texts(_safely_on(case, ())))


def _is_endless(value: Value | None) -> bool:
    return value is not None and value.kind == "endless"


def _safely_on(case: Case, path: Path) -> Path:
    """Some moves, and more after them that leave neither side a way to force an end."""
    *_, state = case.along(path)
    for _ in range(SAFE_PLIES):
        action = next(action for action, value in case.moves_at(state) if value.kind == "endless")
        path = (*path, action)
        state = case.game.apply(state, action)
    return path


def _where(path: Path) -> str:
    return f"the position after {plural(len(path))}" if path else "the start position"


def one_winner(case: Case) -> Iterator[Finding]:
    if not case.wins:
        return
    winners = {winner for winner, _ in case.wins}
    endings = sum(count for count, _ in case.wins.values())
    for side in SIDES:
        if side not in winners:
            who = case.game.side_names[side]
            if case.whole:
                none = none_of(endings, "move that ends", "moves that end")
                text = f"{who} can never win: {none} the game wins for them."
                yield Finding("one-winner", "problem", text)
            else:
                text = f"{who} was not seen to win in the {case.scope}; nothing is proved beyond them."
                yield Finding("one-winner", "note", text)


def wins_only_by_suicide(case: Case) -> Iterator[Finding]:
    for side in SIDES:
        if (side, other(side)) in case.wins and (side, side) not in case.wins:
            count, path = case.wins[side, other(side)]
            who, opponent = case.game.side_names[side], case.game.side_names[other(side)]
            if case.whole:
                moves = (
                    "the one move that does it is" if count == 1 else f"all {count:,} moves that do it are"
                )
                text = f"{who} can win only by a move of {opponent}: {moves} theirs."
                yield Finding("wins-only-by-suicide", "problem", text, case.texts(path))
            else:
                text = f"{who} was seen to win only by moves of {opponent} in the {case.scope}."
                yield Finding("wins-only-by-suicide", "note", text, case.texts(path))


def forced_suicide(case: Case) -> Iterator[Finding]:
    _, forced = _suicides(case)
    if forced:
        text = (
            f"A side can be forced to hand the win over: in {len(forced):,} of the {case.scope} every move"
            " loses at once."
        )
        path = (*case.path(forced[0]), case.graph.moves(forced[0])[0][0])
        yield Finding("forced-suicide", "note", text, case.texts(path))


def suicide_never_forced(case: Case) -> Iterator[Finding]:
    handing, forced = _suicides(case)
    if handing and not forced and case.whole:
        text = (
            f"Nobody is ever forced to hand the win over: in {len(handing):,} of the {case.scope} a move"
            " loses at once, and there is always another."
        )
        yield Finding("suicide-never-forced", "note", text)


def _suicides(case: Case) -> tuple[list[int], list[int]]:
    """The positions where some move loses at once, and those where every move does."""
    handing, forced = [], []
    for number in range(case.visited):
        opponent = other(case.game.side_to_move(case.graph.states[number]))
        ends = [case.game.outcome(case.graph.states[target]) for _, target in case.graph.moves(number)]
        given = [end is not None and end.winner == opponent for end in ends]
        if any(given):
            handing.append(number)
            if all(given):
                forced.append(number)
    return handing, forced


def dead_event(case: Case) -> Iterator[Finding]:
    for event in case.game.event_names:
        if event not in case.seen.events:
            among = f"{none_of(case.graph.edges, 'move', 'moves')} in the {case.scope} brings it about"
            live = [name for name, seen in _elsewhere(case) if event in seen.seen.events]
            yield _dead(case, "dead-event", f'The event "{event}"', "happens", among, live)


def dead_reason(case: Case) -> Iterator[Finding]:
    for reason in case.game.outcome_reasons:
        if reason not in case.seen.reasons:
            among = f"{none_of(case.visited, 'position', 'positions')} is ended by it"
            live = [name for name, seen in _elsewhere(case) if reason in seen.seen.reasons]
            yield _dead(case, "dead-reason", f'The ending "{reason}"', "happens", among, live)


def dead_refusal(case: Case) -> Iterator[Finding]:
    if type(case.game).refusal_names is Game.refusal_names:
        return  # the game declares no prohibitions of its own
    for rule in case.game.refusal_names:
        if rule not in case.seen.refusals:
            actions = case.game.num_actions
            any_action = "the one action" if actions == 1 else f"any of the {actions:,} actions"
            none = none_of(case.visited, "position", "positions")
            among = f"in {none} does it forbid {any_action}"
            live = [name for name, seen in _elsewhere(case) if rule in seen.seen.refusals]
            yield _dead(case, "dead-refusal", f'The prohibition "{rule}"', "applies", among, live)


def _dead(case: Case, code: str, what: str, does: str, among: str, live: list[str]) -> Finding:
    if case.whole:
        elsewhere = f" (it {does} under {listed(live, 'and')})" if live else ""
        return Finding(code, "warning", f"{what} never {does}: {among}{elsewhere}.")
    elsewhere = f"; it {does} under {listed(live, 'and')}" if live else "; nothing is proved beyond them"
    return Finding(code, "note", f"{what} was not seen in the {case.scope}{elsewhere}.")


def _elsewhere(case: Case) -> Iterator[tuple[str, Case]]:
    """The game under its other readings."""
    for parameter, reading, game in variants(case.game):
        if game != case.game:
            yield f"{parameter}={reading}", prepare(game)


def dead_end(case: Case) -> Iterator[Finding]:
    stuck = [
        number
        for number in range(case.visited)
        if not case.graph.moves(number) and case.game.outcome(case.graph.states[number]) is None
    ]
    if stuck:
        count = "1 position has" if len(stuck) == 1 else f"{len(stuck):,} positions have"
        text = f"Play can get stuck: {count} no legal move and no outcome, of the {case.scope}."
        yield Finding("dead-end", "problem", text, case.texts(case.path(stuck[0])))


def forced_pass(case: Case) -> Iterator[Finding]:
    game, states = case.game, case.graph.states
    numbers = [number for number in range(case.visited) if game.is_forced_pass(states[number])]
    if numbers:
        first = numbers[0]
        who = game.side_names[game.side_to_move(states[first])]
        plies = plural(len(case.path(first)))
        text = (
            f"A turn can be lost: in {len(numbers):,} of the {case.scope} the side to move can only pass,"
            f" first {who} after {plies}."
        )
        yield Finding(
            "forced-pass", "note", text, case.texts((*case.path(first), case.graph.moves(first)[0][0]))
        )


def example_fails(case: Case) -> Iterator[Finding]:
    reading = " and ".join(f"{name}={getattr(case.game, name)}" for name in case.game.readings())
    for example in case.examples:
        problem = example.problem(case.game) if is_standard(case, example) else None
        if problem is not None:
            under = f" under {reading}" if reading else ""
            text = f"The worked example {example.name} ({example.where}) does not hold{under}: {problem}."
            yield Finding("example-fails", "problem", text, _playable(case, example.moves))


def _playable(case: Case, moves: tuple[str, ...]) -> tuple[str, ...]:
    """The moves of an example up to the first that cannot be played."""
    match = Match(case.game)
    for ply, move in enumerate(moves):
        try:
            match.play(move)
        except PerfectplayError:
            return moves[:ply]
    return moves


def reading_decides(case: Case) -> Iterator[Finding]:
    for parameter in case.game.readings():
        rows = [row for row in readings(case) if row.parameter == parameter]
        side_by_side = "; ".join(f"{row.reading}: {row.outlook}" for row in rows)
        if len({row.result for row in rows}) > 1:
            text = f"The reading of {parameter} decides what the game is worth: {side_by_side}."
            yield Finding("reading-decides", "warning", text)
        elif len({row.outlook for row in rows}) > 1:
            text = f"The reading of {parameter} changes how long perfect play takes, not its result"
            yield Finding("reading-decides", "note", f"{text}: {side_by_side}.")


def skill(case: Case) -> Iterator[Finding]:
    found = measures(case)
    if not found.decisions or found.only_moves is None:
        return
    share = found.decisions / found.with_moves
    among = f"{found.with_moves:,} positions with a move"
    among += "" if case.whole else f" among the first {found.positions:,}"
    parts = [
        f"The choice changes the value in {found.decisions:,} of the {among} ({share:.1%}),"
        f" and just one move keeps it in {found.only_moves:,}"
    ]
    if found.differences:
        most = found.differences[-1]
        parts.append(f"a player {most.levels} levels stronger wins {most.text(most.stronger)}")
    if found.equals is not None:
        one, two = case.game.side_names
        first, second = (percent(found.equals.wins[side], found.equals.interval(side)) for side in SIDES)
        parts.append(f"of two equals at {EQUALS}, {one} wins {first} and {two} {second}")
    if found.table is not None and found.table.games is not None:
        parts.append("in brackets 95 % intervals of sampled games")
    number, moves = case.choices[0]
    worst = min(moves, key=lambda move: move[1].rank)[0]
    yield Finding("skill", "note", "; ".join(parts) + ".", case.texts((*case.path(number), worst)))


FINDERS: dict[str, Finder] = {
    "forced-win": forced_win,
    "every-opening-wins": every_opening_wins,
    "no-decision": no_decision,
    "endless-possible": endless_possible,
    "endless-perfect": endless_perfect,
    "one-winner": one_winner,
    "wins-only-by-suicide": wins_only_by_suicide,
    "forced-suicide": forced_suicide,
    "suicide-never-forced": suicide_never_forced,
    "dead-event": dead_event,
    "dead-reason": dead_reason,
    "dead-refusal": dead_refusal,
    "dead-end": dead_end,
    "forced-pass": forced_pass,
    "example-fails": example_fails,
    "reading-decides": reading_decides,
    "skill": skill,
}
"""By the code of what it finds. A new finding is one function and one line here."""

MEANINGS: dict[str, str] = {
    "forced-win": "a side wins whatever the other does; the witness is a line of best play",
    "every-opening-wins": "every first move wins for the side that makes it; the witness is one of them",
    "no-decision": "no choice anywhere changes who wins",
    "endless-possible": "play need not end; in the witness a position comes back",
    "endless-perfect": "best play of both sides does not end; in the witness a position comes back",
    "one-winner": "a side can never win",
    "wins-only-by-suicide": "a side can win only by a move of its opponent; the witness ends with one",
    "forced-suicide": "every move of a position loses at once; the witness ends with one",
    "suicide-never-forced": "moves that lose at once exist, and there is always another",
    "dead-event": "a declared event that never happens",
    "dead-reason": "a declared ending that never happens",
    "dead-refusal": "a declared prohibition that never forbids anything",
    "dead-end": "a position without a legal move and without an outcome; the witness leads there",
    "forced-pass": "a turn that can only be passed; the witness ends with the pass",
    "example-fails": "a worked example of the rulebook that the rules contradict; the witness plays it",
    "reading-decides": "readings of an unclear rule that lead to different perfect play",
    "skill": "how much there is to decide; the witness ends with a mistake",
}
"""What each code means, for the pages."""
