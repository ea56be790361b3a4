"""The order in which questions are answered."""

from perfectplay.workers.thinker import FairQueue


def test_addresses_take_turns_and_the_longest_queue_gives_way() -> None:
    queue = FairQueue[str](most=3)
    given = [
        queue.put(item, address) for address, item in (("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"))
    ]
    assert given == [None, None, None, "a3"]
    assert [queue.get() for _ in range(4)] == ["a1", "b1", "a2", None]
