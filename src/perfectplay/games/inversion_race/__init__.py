from perfectplay.games.inversion_race.rules import InversionRace as InversionRace
