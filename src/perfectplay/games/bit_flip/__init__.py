from perfectplay.games.bit_flip.rules import BitFlip, State

__all__ = ["BitFlip", "State"]
