from perfectplay.games.race_to_the_center.rules import RaceToTheCenter, State

__all__ = ["RaceToTheCenter", "State"]
