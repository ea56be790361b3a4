from perfectplay.games.bit_flip.rules import BitFlip as BitFlip
