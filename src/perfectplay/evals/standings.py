"""Who scored what in an arena, and how strong its players are."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from perfectplay.core.formatting import pluralize
from perfectplay.core.outcome import SIDES, Side, other
from perfectplay.evals.arena import Arena, Contestant, contestant
from perfectplay.evals.samples import Sample
from perfectplay.players.base import KnownPlayer
from perfectplay.players.level import LEVELS
from perfectplay.render.markdown import markdown_table
from perfectplay.strength.points import PLIES, SAMPLES, expected_decisions, expected_points, graph_of
from perfectplay.strength.rating import Fit, estimate_strength, fit_strengths
from perfectplay.strength.reference import NO_INFORMATION, reference_scores, seat_columns, seat_text
from perfectplay.strength.statistics import ratio, show

LADDER = ("random", *(f"level:{n}" for n in LEVELS), "perfect")
"""The known players whose exact table fixes the scale of strengths."""


def results(arena: Arena, samples: Iterable[Sample], *, best_response: bool = False) -> dict[str, Any]:
    """The scores of every pair and the strengths of the unknown agents, as JSON-serializable data.

    `samples` are the games that `play` has played. With `best_response`, each score also has that of
    the best response, whether the seat says anything about an agent, and the share of decisions that a known
    agent keeps, corrected for guessing; nobody is rated then if all are known.

    >>> scores = results(Arena("bit-flip:bits=3", ("random", "perfect")), [])["scores"]
    >>> [(each["agent"], each["seat"], round(each["points"], 3)) for each in scores]
    [('random', 1, 0.333), ('random', 2, 0.0), ('perfect', 1, 1.0), ('perfect', 2, 0.667)]
    """
    played = list(samples)
    everyone = [arena.contestants[each] for each in arena.players]
    opponents = [arena.contestants[each] for each in arena.opponents]
    rated = not (best_response and all(each.known for each in (*everyone, *opponents)))
    fit, sampled = _scale(arena) if rated else (None, False)
    scores, strengths = [], []
    for one in everyone:
        for seat in SIDES:
            place = seat_columns(arena.rules, seat)
            against: dict[str, Sequence[tuple[object, float]]] = {}
            for two in opponents or everyone:
                if two == one and not (opponents and one.known):
                    continue
                score, points = _score(arena, one, two, seat, played)
                reference = _compare(arena, one, two, seat) if best_response else {}
                scores.append({"agent": one.name, "opponent": two.name, **place, **score, **reference})
                if points and fit and two.name in fit.strengths:
                    against[two.name] = points
            if fit and fit.holds and (strength := _rate(fit, one.name, against, seat)):
                strengths.append({"agent": one.name, **place, **strength})
    found: dict[str, object] = {"game": arena.rules.spec, "plies": arena.plies, "scores": scores}
    if fit:
        errors = {"mean_error": fit.mean_error, "worst_error": fit.worst_error}
        found["model"] = {"holds": fit.holds, **errors, "sampled": sampled}
        found["strengths"] = strengths
    return found


def _score(
    arena: Arena, one: Contestant, two: Contestant, seat: Side, samples: Sequence[Sample]
) -> tuple[dict[str, object], list[tuple[object, float]]]:
    """The points of an agent against an opponent in a seat: computed, or from the games they played.

    The second part has the cluster and the points of each game played.
    """
    if one.known and two.known:
        exact = expected_points(arena.rules, one.known, two.known, seat, arena.plies)
        sampled = None if exact.interval is None else SAMPLES
        known = {"points": exact.value, "interval": exact.interval, "samples": sampled}
        return {**known, "games": None, "forfeits": None}, []
    points: list[tuple[object, float]] = []
    forfeits = 0
    for each in samples:
        who, won = (each.agent, each.setup.opponent, each.seat), each.counts.points or 0.0
        if who == (one.name, two.name, seat + 1):
            points.append((each.cluster, won))
            forfeits += each.counts.result == "forfeit"
        elif who == (two.name, one.name, other(seat) + 1):
            points.append((each.cluster, 1 - won))
            forfeits += each.counts.result == "opponent forfeit"
    mean = ratio((cluster, won, 1) for cluster, won in points)
    assert mean is not None  # every unknown pair has played
    games = {"samples": None, "games": len(points), "forfeits": forfeits}
    return {"points": mean.value, "interval": mean.interval, **games}, points


def _compare(arena: Arena, one: Contestant, two: Contestant, seat: Side) -> dict[str, object]:
    if not two.known:
        return {"best": None, "informative": None, "corrected": None}
    reference = reference_scores(arena.rules, two.known, seat, arena.plies)
    kept = one.known and expected_decisions(arena.rules, one.known, two.known, seat, arena.plies or PLIES)
    corrected = kept.corrected if kept else None
    return {"best": reference.best, "informative": reference.informative, "corrected": corrected}


def _rate(
    fit: Fit, name: str, against: dict[str, Sequence[tuple[object, float]]], seat: Side
) -> dict[str, object] | None:
    if name in fit.strengths:
        return {"strength": fit.strengths[name][seat], "interval": None}
    found = estimate_strength(fit, against, seat)
    return found and {"strength": found.value, "interval": found.interval}


def _scale(arena: Arena) -> tuple[Fit, bool]:
    """The strengths of the known players. Where tables are sampled, only those taking part are compared."""
    rules, exact = arena.rules, graph_of(arena.rules) is not None
    known: dict[str, KnownPlayer] = {}
    for spec in dict.fromkeys([*LADDER, *arena.contestants] if exact else arena.contestants):
        if (player := contestant(spec).known) is not None:
            known[spec] = player
    if not known:
        return Fit({}, 0.0, 1.0), not exact

    def fit(plies: int | None) -> Fit:
        players = known.values()
        points = [[expected_points(rules, i, j, 0, plies).value for j in players] for i in players]
        return fit_strengths(list(known), points)

    # Games that are left at the limit are half a point to each: that may hide that the model does not fit.
    found, whole = fit(arena.plies), fit(None if exact else arena.plies)
    worst = max(found.worst_error, whole.worst_error)
    return Fit(found.strengths, max(found.mean_error, whole.mean_error), worst), not exact


def results_text(data: dict[str, Any]) -> str:
    """The results as tables in Markdown.

    >>> found = results(Arena("bit-flip:bits=3", ("random", "perfect")), [])
    >>> results_text(found).splitlines()[0]
    'Points in bit-flip:bits=3, with 95% intervals where games were played:'
    """
    scores, plies = data["scores"], data["plies"]
    compared = "best" in scores[0]
    rows = [
        [
            each["agent"],
            each["opponent"],
            seat_text(each["seat"], each["side"]),
            show(each["points"], each["interval"]),
            *([show(each["best"]), show(each["corrected"])] if compared else []),
            _source(each),
            "-" if each["forfeits"] is None else str(each["forfeits"]),
        ]
        for each in scores
    ]
    head = ["agent", "opponent", "seat", "points", *(["best response", "kept"] if compared else [])]
    parts = [
        f"Points in {data['game']}, with 95% intervals where games were played:",
        markdown_table([*head, "from", "forfeits"], rows),
    ]
    if plies != PLIES:
        left = f"that is not over after {plies} plies" if plies else "without an end"
        parts.append(f"A game {left} counts one half.")
    if compared:
        parts.append(
            "Best response: the most points that any agent can expect. Kept: the share of decisions that"
            f" were kept, corrected for guessing, in the first {plies or PLIES} plies."
        )
    silent = dict.fromkeys(
        f"{each['opponent']}, seat {each['seat']}" for each in scores if each.get("informative") is False
    )
    if silent:
        parts.append(
            f"No information about an agent (best response less than {NO_INFORMATION} above random):"
            f" {'; '.join(silent)}"
        )
    return "\n\n".join([*parts, *(_strengths_text(data) if "model" in data else [])])


def _source(score: Mapping[str, Any]) -> str:
    if score["games"] is not None:
        return pluralize(score["games"], "game", "games")
    return "computed" if score["samples"] is None else f"{score['samples']} samples"


def _strengths_text(data: dict[str, Any]) -> list[str]:
    model = data["model"]
    errors = f"mean error {model['mean_error']:.3f}, worst {model['worst_error']:.3f}"
    tables = "sampled" if model["sampled"] else "exact"
    if not model["holds"]:
        return [f"Nobody is rated: strengths by seat do not fit the {tables} tables here ({errors})."]
    rows = [
        [each["agent"], seat_text(each["seat"], each["side"]), show(each["strength"], each["interval"])]
        for each in data["strengths"]
    ]
    return [
        f"Strengths by seat, on the scale of the {tables} tables of known players ({errors}):",
        markdown_table(["agent", "seat", "strength"], rows),
    ]
