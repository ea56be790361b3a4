"""What a game declares but never happens."""

from collections.abc import Iterator

from perfectplay.audit.case import Case, elsewhere
from perfectplay.audit.findings.finding import Finding, finds
from perfectplay.core.game import Game
from perfectplay.core.wording import listed, none_of


@finds("dead-event", "a declared event that never happens")
def dead_event(case: Case) -> Iterator[Finding]:
    for event in case.game.event_names:
        if event not in case.seen.events:
            among = f"{none_of(case.graph.edges, 'move', 'moves')} in the {case.scope} brings it about"
            live = [name for name, seen in elsewhere(case) if event in seen.seen.events]
            yield _dead(case, "dead-event", f'The event "{event}"', "happens", among, live)


@finds("dead-reason", "a declared ending that never happens")
def dead_reason(case: Case) -> Iterator[Finding]:
    for reason in case.game.outcome_reasons:
        if reason not in case.seen.reasons:
            among = f"{none_of(case.visited, 'position', 'positions')} is ended by it"
            live = [name for name, seen in elsewhere(case) if reason in seen.seen.reasons]
            yield _dead(case, "dead-reason", f'The ending "{reason}"', "happens", among, live)


@finds("dead-refusal", "a declared prohibition that never forbids anything")
def dead_refusal(case: Case) -> Iterator[Finding]:
    if type(case.game).refusal_names is Game.refusal_names:
        return  # the game declares no prohibitions of its own
    for rule in case.game.refusal_names:
        if rule not in case.seen.refusals:
            actions = case.game.num_actions
            any_action = "the one action" if actions == 1 else f"any of the {actions:,} actions"
            none = none_of(case.visited, "position", "positions")
            among = f"in {none} does it forbid {any_action}"
            live = [name for name, seen in elsewhere(case) if rule in seen.seen.refusals]
            yield _dead(case, "dead-refusal", f'The prohibition "{rule}"', "applies", among, live)


def _dead(case: Case, code: str, what: str, does: str, among: str, live: list[str]) -> Finding:
    if case.whole:
        elsewhere = f" (it {does} under {listed(live, 'and')})" if live else ""
        return Finding(code, "warning", f"{what} never {does}: {among}{elsewhere}.")
    elsewhere = f"; it {does} under {listed(live, 'and')}" if live else "; nothing beyond them is proved"
    return Finding(code, "note", f"{what} was not seen in the {case.scope}{elsewhere}.")
