"""What a game declares but never happens."""

from collections.abc import Iterable, Iterator
from typing import Literal

from perfectplay.audit.case import Case
from perfectplay.audit.findings.finding import Finding, finds, prove_or_note
from perfectplay.audit.readings import elsewhere
from perfectplay.core.game import Game
from perfectplay.core.wording import join_words, none_of


@finds("dead-event", "a declared event that never happens")
def dead_event(case: Case) -> Iterator[Finding]:
    for event, live in _unseen(case, case.game.event_names, "events"):
        among = f"{none_of(case.graph.edges, 'move', 'moves')} in the {case.scope} brings it about"
        yield _dead(case, "dead-event", f'The event "{event}"', "happens", among, live)


@finds("dead-reason", "a declared ending that never happens")
def dead_reason(case: Case) -> Iterator[Finding]:
    for reason, live in _unseen(case, case.game.outcome_reasons, "reasons"):
        among = f"{none_of(case.visited, 'position', 'positions')} is ended by it"
        yield _dead(case, "dead-reason", f'The ending "{reason}"', "happens", among, live)


@finds("dead-refusal", "a declared prohibition that never forbids anything")
def dead_refusal(case: Case) -> Iterator[Finding]:
    if type(case.game).refusal_names is Game.refusal_names:
        return  # the game declares no prohibitions of its own
    actions = case.game.num_actions
    any_action = "the one action" if actions == 1 else f"any of the {actions:,} actions"
    among = f"in {none_of(case.visited, 'position', 'positions')} does it forbid {any_action}"
    for rule, live in _unseen(case, case.game.refusal_names, "refusals"):
        yield _dead(case, "dead-refusal", f'The prohibition "{rule}"', "applies", among, live)


def _unseen(
    case: Case, declared: Iterable[str], kind: Literal["events", "reasons", "refusals"]
) -> Iterator[tuple[str, list[str]]]:
    """Each declared name that was never seen, with the readings of the rules under which it is seen."""
    for name in declared:
        if name not in getattr(case.seen, kind):
            yield name, [reading for reading, other in elsewhere(case) if name in getattr(other.seen, kind)]


def _dead(case: Case, code: str, what: str, does: str, among: str, live: list[str]) -> Finding:
    under = f"it {does} under {join_words(live, 'and')}" if live else ""
    never = f"{what} never {does}: {among}{f' ({under})' if under else ''}."
    seen = f"{what} was not seen in the {case.scope}; {under or 'nothing beyond them is proved'}."
    return prove_or_note(case, code, "warning", never, seen)
