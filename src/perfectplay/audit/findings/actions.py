"""Actions that are never, always or needlessly available, and what is declared but never happens."""

from collections.abc import Iterable, Iterator

from perfectplay.audit.case import Case
from perfectplay.audit.findings.finding import Finding, finds, prove_or_note
from perfectplay.audit.readings import elsewhere, plural
from perfectplay.core.formatting import join_words, none_of, pluralize
from perfectplay.core.game import Game
from perfectplay.core.outcome import SIDES

MOST_NAMED = 10
"""A finding names at most this many actions and counts the rest."""


@finds("dead-event", "a declared event that never happens")
def dead_event(case: Case) -> Iterator[Finding]:
    among = f"{none_of(case.graph.edges, 'move', 'moves')} in the {case.scope} brings it about"
    yield from _find_dead(case, "dead-event", case.game.event_names, "The event", "happens", among)


@finds("dead-reason", "a declared ending that never happens")
def dead_reason(case: Case) -> Iterator[Finding]:
    among = f"{none_of(case.visited, 'position', 'positions')} is ended by it"
    yield from _find_dead(case, "dead-reason", case.game.outcome_reasons, "The ending", "happens", among)


@finds("dead-refusal", "a declared prohibition that never forbids anything")
def dead_refusal(case: Case) -> Iterator[Finding]:
    if type(case.game).refusal_names is Game.refusal_names:
        return  # the game declares no prohibitions of its own
    actions = case.game.num_actions
    any_action = "the one action" if actions == 1 else f"any of the {actions:,} actions"
    among = f"in {none_of(case.visited, 'position', 'positions')} does it forbid {any_action}"
    yield from _find_dead(case, "dead-refusal", case.game.refusal_names, "The prohibition", "applies", among)


def _find_dead(
    case: Case, code: str, declared: Iterable[str], what: str, does: str, among: str
) -> Iterator[Finding]:
    """A finding for each declared name that was never seen; it names the readings under which it is seen."""
    kind = f"{code.removeprefix('dead-')}s"
    for name in declared:
        if name not in getattr(case.seen, kind):
            live = [reading for reading, other in elsewhere(case) if name in getattr(other.seen, kind)]
            under = f"it {does} under {join_words(live, 'and')}" if live else ""
            never = f'{what} "{name}" never {does}: {among}{f" ({under})" if under else ""}.'
            seen = f'{what} "{name}" was not seen in the {case.scope}; '
            seen += f"{under or 'nothing beyond them is proved'}."
            yield prove_or_note(case, code, "warning", never, seen)


@finds("idle-side", "a side that never has a move to make, apart from passing")
def idle_side(case: Case) -> Iterator[Finding]:
    game, states = case.game, case.graph.states
    if not case.graph.moves(0):
        return
    movers = {
        game.side_to_move(states[number])
        for number in range(case.visited)
        if case.graph.moves(number) and not game.is_forced_pass(states[number])
    }
    for path in case.games:
        movers.update(game.side_to_move(state) for state in case.along(path) if game.legal_actions(state))
    for side in SIDES:
        if side not in movers:
            who = game.side_names[side]
            never = f"{who} never has a move to make in any of the {case.scope}."
            seen = f"{who} was not seen to make a move in the {case.scope}; nothing beyond them is proved."
            yield prove_or_note(case, "idle-side", "problem", never, seen)


@finds("dead-action", "an action that is never legal")
def dead_action(case: Case) -> Iterator[Finding]:
    never = [action for action in range(case.game.num_actions) if action not in case.actions]
    if never and case.graph.moves(0):
        start = case.graph.states[0]
        names = _join_names([f'"{case.game.action_text(start, action)}"' for action in never])
        live = [name for name, other in elsewhere(case) if other.actions.issuperset(never)]
        under = f" (legal under {join_words(live, 'and')})" if live else ""
        how_many = f"{len(never):,} of the {case.game.num_actions:,} actions"
        which = f"in the {case.scope}: {names}{under}."
        proved = f"{how_many} {'is' if len(never) == 1 else 'are'} never legal {which}"
        seen = f"Not seen to be legal: {how_many} {which}"
        yield prove_or_note(case, "dead-action", "warning", proved, seen)


@finds("duplicate-action", "an action that does nothing another does not do; the witness ends with it")
def duplicate_action(case: Case) -> Iterator[Finding]:
    first, twins = _twins(case)
    pairs = []
    for action in sorted(twins):
        twin = min(twins[action], default=None)
        # Of two actions that duplicate each other, one may stay.
        if twin is not None and not (action in twins[twin] and action < twin):
            pairs.append((action, twin))
    if pairs:
        said = _join_names([_pair(case, first[action], action, twin) for action, twin in pairs])
        action = pairs[0][0]
        text = (
            f"{pluralize(len(pairs), 'action is', 'actions are')} superfluous in the {case.scope}: {said}."
            " Wherever the first is legal, the second is too, and leads to the same position."
        )
        witness = case.texts((*case.path(first[action]), action))
        yield prove_or_note(case, "duplicate-action", "warning", text, text, witness)


def _twins(case: Case) -> tuple[dict[int, int], dict[int, set[int]]]:
    """For each action: the first position where it is legal, and the actions that always do the same."""
    first: dict[int, int] = {}
    twins: dict[int, set[int]] = {}
    for number in range(case.visited):
        moves = case.graph.moves(number)
        leading: dict[int, set[int]] = {}
        for action, target in moves:
            leading.setdefault(target, set()).add(action)
        for action, target in moves:
            if action not in first:
                first[action], twins[action] = number, leading[target] - {action}
            elif twins[action]:
                twins[action] &= leading[target]
    return first, twins


@finds(
    "dominated-action", "an action never better than another, and sometimes worse; the witness ends with it"
)
def dominated_action(case: Case) -> Iterator[Finding]:
    if not case.whole:
        return
    pairs = [
        (action, better, numbers[better])
        for action, numbers in sorted(_find_dominated(case).items())
        if (better := min(numbers, default=None)) is not None
    ]
    if pairs:
        said = _join_names([_pair(case, number, action, better) for action, better, number in pairs])
        action, _, number = pairs[0]
        text = (
            f"{pluralize(len(pairs), 'action is', 'actions are')} dominated in the {case.scope}: {said}."
            " Wherever the first is legal, the second is too; it is never worse or slower, and somewhere it"
            " gives a better result."
        )
        yield Finding("dominated-action", "warning", text, case.texts((*case.path(number), action)))


def _find_dominated(case: Case) -> dict[int, dict[int, int]]:
    """For each action: the actions that dominate it, with the first position where each is better."""
    rivals: dict[int, set[int]] = {}
    better: dict[int, dict[int, int]] = {}
    for number in range(case.visited):
        values = dict(case.moves(number))
        for action, value in values.items():
            alive = {
                rival
                for rival in rivals.get(action, values.keys() - {action})
                if rival in values and values[rival].rank >= value.rank
            }
            rivals[action] = alive
            for rival in alive:
                if values[rival].kind != value.kind:
                    better.setdefault(action, {}).setdefault(rival, number)
    return {
        action: {rival: number for rival, number in found.items() if rival in rivals[action]}
        for action, found in better.items()
    }


@finds("forced-pass", "a turn that can only be passed; the witness ends with the pass")
def forced_pass(case: Case) -> Iterator[Finding]:
    game, states = case.game, case.graph.states
    numbers = [number for number in range(case.visited) if game.is_forced_pass(states[number])]
    if numbers:
        first = numbers[0]
        who = game.side_names[game.side_to_move(states[first])]
        plies = plural(len(case.path(first)))
        text = (
            f"A turn can be lost: in {len(numbers):,} of the {case.scope}, the side to move can only pass."
            f" The first is {who}, after {plies}."
        )
        line = (*case.path(first), case.graph.moves(first)[0][0])
        yield Finding("forced-pass", "note", text, case.texts(line))


def _pair(case: Case, number: int, action: int, other: int) -> str:
    state = case.graph.states[number]
    return f'"{case.game.action_text(state, action)}" beside "{case.game.action_text(state, other)}"'


def _join_names(names: list[str]) -> str:
    """Join names into a list, shortened if there are very many."""
    shown = names if len(names) <= MOST_NAMED else [*names[:MOST_NAMED], f"{len(names) - MOST_NAMED} more"]
    return join_words(shown, "and")
