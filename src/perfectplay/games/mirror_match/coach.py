"""Mirror Match explained: the mirror reply."""

from perfectplay.core.game import Action
from perfectplay.games.mirror_match.rules import MirrorMatch, State
from perfectplay.games.mirror_match.theory import is_palindrome
from perfectplay.solver.oracle import Oracle


def reason(oracle: Oracle[State], state: State, action: Action) -> str:
    """Why a number is best: the palindrome it makes, or the one it leaves for mirror play."""
    game = oracle.game
    assert isinstance(game, MirrorMatch)
    after = game.apply(state, action)
    shown = " ".join(map(str, after.sequence))
    value = oracle.value(state)
    length = len(after.sequence)
    if game.outcome(after) is not None:
        return f"It makes {shown}, a palindrome of {length}."
    if value.kind == "win":
        goal = game.shortest if (game.shortest - length) % 2 == 0 else game.shortest + 1
        return (
            f"It leaves {shown}, a palindrome of {length}: copy every number the opponent adds to the other"
            f" end, and your copy makes a palindrome of {goal}."
        )
    if value.kind == "loss":
        now = " ".join(map(str, state.sequence)) or "the empty sequence"
        return (
            f"{now[0].upper()}{now[1:]} is a palindrome: whatever you add, the opponent can copy it to the"
            " other end until that wins."
        )
    if action == 2 * game.digits:
        return "Passing leaves a sequence that no single number makes a palindrome long enough to win."
    assert not is_palindrome(after.sequence) or game.forfeit == "move"
    return f"It leaves {shown}, which no single number makes a palindrome long enough to win."
