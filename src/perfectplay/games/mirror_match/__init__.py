from perfectplay.games.mirror_match.rules import MirrorMatch, State

__all__ = ["MirrorMatch", "State"]
