"""Cannot be made."""

from sound import Nim


class Env(Nim):
    def __init__(self) -> None:
        raise RuntimeError("no board")
