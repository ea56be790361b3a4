from perfectplay.games.inversion_race.rules import InversionRace, State

__all__ = ["InversionRace", "State"]
