"""Mirror Match solved by the mirror argument, for any numbers, any `shortest` and any length.

Let m be `shortest` and n the length of the sequence. Call a sequence *open* if removing its first or
its last number leaves a palindrome: then one added number makes it a palindrome.

- A player who leaves a palindrome of m - 2k numbers (k >= 1) wins by copying each number the opponent
  adds to the other end, until the copy makes m numbers.
- A player who leaves a palindrome of m - 2k + 1 numbers (k >= 1) wins in the same way, one copy later,
  with m + 1 numbers, unless all its numbers are equal: then the opponent may add the same number.
- From any other sequence, with at least two numbers to choose from, the mover can always add a number
  that does not leave an open sequence, so neither side can force a win.

From n = m on only an immediate win counts: an open sequence is won, any other is endless. If passing
is a legal move, the player losing to the mirror play passes instead, and only immediate wins remain.
"""

from perfectplay.core.theory import Theory
from perfectplay.core.value import Value
from perfectplay.games.mirror_match.rules import MirrorMatch, State


class MirrorMatchTheory(Theory[State]):
    """The value of any position, with its distance."""

    game: MirrorMatch
    knows_plies = True

    def value(self, state: State) -> Value:
        if self.game.outcome(state) is not None:
            return Value("loss", 0)
        sequence = state.sequence
        missing = self.game.shortest - len(sequence)
        is_open = is_palindrome(sequence[1:]) or is_palindrome(sequence[:-1])
        if missing <= 1 and is_open:
            return Value("win", 1)
        if missing <= 0 or self.game.forfeit == "move":
            return Value("endless")
        if missing % 2:
            # From an open sequence the mover starts the mirror play; any other palindrome loses to it.
            if is_open:
                return Value("win", missing)
            return Value("loss", missing + 1) if is_palindrome(sequence) else Value("endless")
        if is_palindrome(sequence):
            return Value("loss", missing)
        return Value("win", missing + 1) if is_open else Value("endless")

    def count_best(self, state: State) -> int:
        sequence = state.sequence
        is_open = is_palindrome(sequence[1:]) or is_palindrome(sequence[:-1])
        if len(sequence) < self.game.shortest or is_palindrome(sequence) or is_open:
            return super().count_best(state)
        # Nobody wins at once, so a move is best unless it leaves an open sequence. At each end only the
        # number that stands next to the other end can do that.
        return self.game.num_actions - is_palindrome(sequence[:-2]) - is_palindrome(sequence[2:])


def is_palindrome(sequence: tuple[int, ...]) -> bool:
    """Whether a sequence reads the same from both ends."""
    return sequence == sequence[::-1]
