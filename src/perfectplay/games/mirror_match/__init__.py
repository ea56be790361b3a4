from perfectplay.games.mirror_match.rules import MirrorMatch as MirrorMatch
