"""Games that are too large, or too deep, to solve."""

from perfectplay.core.errors import PerfectplayError


class TooLargeError(PerfectplayError):
    """A game with more positions than the limit, or than fit into the memory it may use."""

    def __init__(self, spec: str, limit: int, *, visited: int = 0, memory: int | None = None) -> None:
        reached = f" (it came to the moves of position {visited:,})" if visited else ""
        too_many = f"it has more than {limit:,} positions{reached}"
        if memory is not None:
            too_many = (
                f"its first {limit:,} positions{reached} take more than {memory / 2**20:,.0f} MiB of memory"
            )
        self.problem = f"{spec} is too large to solve: {too_many}"
        super().__init__(
            f"{self.problem}; a player such as search:depth=6 can still play it, and for a game with rules on"
            " arrays, a table base answers that solve --save made and PERFECTPLAY_TABLES names"
        )
        self.spec = spec
        self.limit = limit


class TooDeepError(PerfectplayError):
    """A game with too many plies for its rules on arrays."""

    def __init__(self, plies: int) -> None:
        super().__init__(f"a game of more than {plies:,} plies cannot be solved by rules on arrays")
