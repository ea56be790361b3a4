"""The result of perfect play."""

from collections.abc import Iterator

from perfectplay.audit.case import Case
from perfectplay.audit.findings.finding import Finding, finds, prove_or_note
from perfectplay.audit.readings import plural
from perfectplay.core.formatting import none_of
from perfectplay.core.outcome import other


@finds("forced-win", "a side wins whatever the other does; the witness is a line of best play")
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
        # A theory without distances may lead in circles, so the line proves nothing.
        line, text = line[:1], f"{who} wins by force; the theory of the game does not say how soon."
    else:
        how_soon = f"the theory of the game does not say how soon, but this line takes {plural(len(line))}"
        text = f"{who} wins by force; {how_soon}."
    yield Finding("forced-win", "warning", text, case.texts(line))


@finds("tie-perfect", "best play by both sides ends in a tie; the witness is such a line")
def tie_perfect(case: Case) -> Iterator[Finding]:
    value = case.value(0)
    if value is None or value.kind != "tie" or not case.graph.moves(0):
        return
    if value.plies is not None:
        text = f"Perfect play ends in a tie in {plural(value.plies)}: neither side can force a win."
        yield Finding("tie-perfect", "warning", text, case.texts(case.line))
    else:
        text = f"Perfect play ends in a tie: neither side can force a win, {case.grounds}."
        yield Finding("tie-perfect", "warning", text, case.texts(case.line[:1]))


@finds("every-opening-wins", "every first move wins for the side that makes it; the witness is one of them")
def every_opening_wins(case: Case) -> Iterator[Finding]:
    moves = case.moves(0)
    if len(moves) > 1 and all(value.kind == "win" for _, value in moves):
        who = case.game.side_names[case.game.side_to_move(case.graph.states[0])]
        text = f"Each of the {len(moves)} first moves wins for {who}: the opening does not matter."
        yield Finding("every-opening-wins", "warning", text, case.texts((moves[-1][0],)))


@finds("no-decision", "no choice anywhere changes who wins")
def no_decision(case: Case) -> Iterator[Finding]:
    if not case.judged or case.choices or not case.graph.moves(0):
        return
    none = none_of(case.visited, "position", "positions")
    proved = f"No choice in the whole game changes the value: {none} has one that does."
    seen = f"No choice was seen to change the value in the first {case.visited:,} positions."
    yield prove_or_note(case, "no-decision", "problem", proved, seen)
