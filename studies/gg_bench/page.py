"""The page of the study: a text whose every number is filled in from the data, and its figures."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from perfectplay.core.formatting import join_words
from perfectplay.render.charts import draw_tally, write_picture
from studies.gg_bench.graphs import find_graph, show_graph
from studies.gg_bench.rows import HOSTED, JsonRow, read_lines
from studies.gg_bench.score import is_clear

HERE = Path(__file__).parent
DATA, TEMPLATE = HERE / "data", HERE / "page.md"
ROOT = HERE.parents[1]
PAGE = ROOT / "docs" / "studies" / "gg-bench.md"
MODELS = {
    "o1": "o1",
    "deepseek-reasoner": "DeepSeek-R1",
    "o3-mini": "o3-mini",
    "claude-3.7-sonnet": "Claude 3.7 Sonnet",
    "gpt-4o": "GPT-4o",
    "gpt-4o-mini": "GPT-4o mini",
    "llama3.3-70b": "Llama 3.3 70B",
}
EXPECTED = (
    *("problem_turn_contradicted", "problem_one_winner", "problem_no_decision", "warning_random_step"),
    "note_turn_unused",
)
"""Findings in scored games that the page speaks of even if there are none."""
KINDS = {
    "published": "as published",
    "failures_as_losses": "failures as losses",
    "clean": "no problem, no chance",
    "sound": "sound part",
}
"""The ways of counting in which models are compared, and what the page calls them."""
ROWS = ("games", "findings", "graphs")
"""The files of rows."""
OWN_OPPONENT: dict[str, str] = json.loads((HERE / "own_opponent.json").read_text("utf-8"))
"""The scored games that play an opponent of their own in each step, by number, as read in their source."""
EXPLAINED: dict[str, str] = json.loads((HERE / "explained.json").read_text("utf-8"))
"""Why the two checkers say something else, by class and game."""
SEATS = {
    "win": "only the side that moves first can win",
    "loss": "only the side that moves second can win",
    "tie": "neither side can win, and both can tie",
    "endless": "neither side can win, and both can play on without end",
}
"""What each value means for the two seats."""
VALUES = ("win", "loss", "tie", "endless", None)


def read_data(folder: Path = DATA) -> dict[str, Any]:
    """Everything that the study found, from its files."""
    kept = {name: json.loads((folder / f"{name}.json").read_text("utf-8")) for name in ("scores", "about")}
    return kept | {name: read_lines(folder / f"{name}.jsonl") for name in ROWS}


def write_page(data: Mapping[str, Any], template: str) -> str:
    """The page: the template with every number filled in."""
    return template.format_map(_Numbers(numbers(data)))


class _Numbers(dict[str, str]):
    """A number that the page wants and the data do not have is a mistake in one of them."""

    def __missing__(self, name: str) -> str:
        raise KeyError(f"the page wants {name}, which the data do not have")


def numbers(data: Mapping[str, Any]) -> dict[str, str]:
    """Every number of the page by its name, as text."""
    games, findings, scores, about = data["games"], data["findings"], data["scores"], data["about"]
    scored = [row for row in games if row["scored"]]
    found: dict[str, str] = {}
    for which, rows in (("all", games), ("scored", scored)):
        here = {row["game"] for row in rows}
        found |= {
            f"{which}_games": f"{len(rows):,}",
            f"{which}_problem": str(sum(row["problems"] > 0 for row in rows)),
            f"{which}_whole": str(sum(row["whole"] for row in rows)),
            f"{which}_undecided_list": join_words(
                [str(row["game"]) for row in rows if row["undecided"] is not None] or ["none"], "and"
            ),
            f"{which}_undecided": str(sum(row["undecided"] is not None for row in rows)),
            **{f"{which}_value_{kind}": str(sum(row["value"] == kind for row in rows)) for kind in VALUES},
            f"{which}_findings": f"{sum(row['game'] in here for row in findings):,}",
        }
    having: dict[str, set[int]] = {name: set() for name in EXPECTED}
    numbered = {row["game"]: row for row in scored}
    for row in findings:
        if row["game"] in numbered:
            name = f"{row['severity']}_{row['code']}".replace("-", "_")
            having.setdefault(name, set()).add(row["game"])
    found |= {f"scored_{name}": str(len(those)) for name, those in having.items()}
    several = {row["game"] for row in scored if row["starts"]}
    chance = having["warning_random_step"]
    random = scores["random"]
    models, read = scores["models"].values(), about["read"]
    apart = [mean for means in scores["pairs"].values() for mean in means.values()]
    found |= {
        "several": str(len(several)),
        "several_known": str(sum(numbered[game]["value"] is not None for game in several)),
        "several_one_winner": str(len(several & having["problem_one_winner"])),
        "several_no_decision": str(len(several & having["problem_no_decision"])),
        "chance": str(len(chance)),
        "own_opponent": str(sum(int(game) in chance for game in OWN_OPPONENT)),
        "own_opponent_list": ", ".join(game for game in OWN_OPPONENT if int(game) in chance) or "none",
        "chance_alone": str(sum(not numbered[game]["problems"] for game in chance)),
        "clean": str(len(scores["clean"])),
        "sound": str(len(scores["sound"])),
        "sound_list": ", ".join(map(str, scores["sound"])) or "none",
        "refusing": str(len(scores["refusing"])),
        "never_won": str(len(scores["never_won"])),
        **same_games(data["graphs"], scores["sound"]),
        "deciding": list_deciding(scores["deciding"]),
        "widest": ", ".join(map(str, scores["widest"])) or "none",
        "widest_count": str(len(scores["widest"])),
        "cut": str(scores["cut"]),
        "few_decisions": str(scores["few_decisions"]),
        "measured": str(random["games"]),
        "random_first": f"{random['random'][0]:.1f}",
        "random_second": f"{random['random'][1]:.1f}",
        "best_first": f"{random['best'][0]:.1f}",
        "best_second": f"{random['best'][1]:.1f}",
        "most_failures": f"{max(each['failures'] for each in models):,}",
        "model_games": f"{max(each['games'] for each in models):,}",
        "refused_faults": str(sum(each["failures_where_legal_moves_are_refused"] for each in models)),
        "opponent_faults": str(sum(each["failures_of_opponents"] for each in models)),
        "opponents_failed": ", ".join(map(str, scores["opponents_failed"])) or "none",
        "opponent_errors": f"{sum(each['opponent_errors'] for each in models):,}",
        "fewest_games": str(min(each["published"][3] for each in models)),
        "most_games": str(max(each["published"][3] for each in models)),
        "intervals": str(len(apart)),
        "by_chance": f"{0.05 * len(apart):.0f}",
        "clear": str(sum(map(is_clear, apart))),
        "capped": str(sum(bool(row["ceiling"]) for row in scored)),
        "moves": f"{about['moves']:,}",
        "starts": str(about["starts"]),
        "deepen": f"{about['deepen']:,}",
        "deepened": str(about["deepened"]),
        "deepened_undecided": str(about["deepened"] - sum(row["limit"] == about["deepen"] for row in games)),
        "input": about["input"],
        "second_games": f"{about['second_games']:,}",
        "second_undecided": str(len(about["second_undecided"])),
        "second_undecided_list": list_undecided(about["second_undecided"]),
        "both_whole": f"{about['agreement']['positions']['games']:,}",
        "untested": ", ".join(
            f"`{name}`" for name, each in about["agreement"].items() if each.get("both") == 0
        )
        or "none",
        "perfectplay": about["perfectplay"],
        "read": str(len(read)),
        "read_right": str(sum(each["verdict"].startswith("Right") for each in read)),
        "witnesses": f"{about['replayed']['witnesses']:,}",
        "not_replayed": str(len(about["replayed"]["failed"])),
        "scores_table": scores_table(scores),
        "orders_table": orders_table(scores),
        "orders": list_orders(scores),
        "disagreements": list_disagreements(about["agreement"]),
        "least_agreement": f"{min(map(_percent, about['agreement'].values())):.1f}",
        "agreement_table": agreement_table(about["agreement"]),
        "compare_table": compare_table(about["compared"]),
        "codes_table": codes_table(findings, {row["game"] for row in scored}),
        "mends_table": mends_table(findings, scored),
        "read_table": read_table(about["read"]),
    }
    return found


def same_games(graphs: Sequence[JsonRow], sound: Sequence[int]) -> dict[str, str]:
    """Which games have the same graph, move by move, and how many different ones the sound part has."""
    alike: dict[str, list[int]] = {}
    for row in graphs:
        alike.setdefault(row["digest"], []).append(row["game"])
    groups = [those for those in alike.values() if len(those) > 1]
    digests = {row["digest"] for row in graphs if row["game"] in sound}
    return {
        "graphs": str(len(graphs)),
        "graphs_kept": str(sum("moves" in row for row in graphs)),
        "same_groups": str(len(groups)),
        "same_list": "; ".join(join_words([str(game) for game in those], "and") for those in groups)
        or "none",
        "sound_different": str(len(digests)),
    }


def _cells(rows: Sequence[Sequence[str]], head: Sequence[str]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _interval(mean: Sequence[float] | None) -> str:
    return "-" if mean is None else f"{mean[0]:.1f} [{mean[1]:.1f}, {mean[2]:.1f}]"


def scores_table(scores: Mapping[str, Any]) -> str:
    """The scores of every model, counted in different ways."""
    kinds = {**KINDS, "relative_to_ceiling": "of the ceiling"}
    rows = [
        [MODELS[name], *(_interval(each[kind]) for kind in kinds)] for name, each in scores["models"].items()
    ]
    return _cells(rows, ["model", *kinds.values()])


def orders_table(scores: Mapping[str, Any]) -> str:
    """For each pair of neighbors the difference, and whether it is more than chance."""
    names = list(scores["models"])
    rows = []
    for one, other in [*pairwise(names), *zip(names[:1], names[2:3], strict=False)]:
        cells = [f"{MODELS[one]} and {MODELS[other]}"]
        for kind in KINDS:
            cells.append(_interval(scores["pairs"].get(kind, {}).get(f"{one} - {other}")))
        rows.append(cells)
    return _cells(rows, ["pair", *KINDS.values()])


def list_orders(scores: Mapping[str, Any]) -> str:
    """Which pairs of models keep their order however they are counted, in some ways only, and in none."""
    kept: dict[str, list[str]] = {"all": [], "some": [], "none": []}
    pairs = {kind: scores["pairs"][kind] for kind in KINDS if kind in scores["pairs"]}
    for pair in pairs["published"]:
        clear = {kind: means[pair] for kind, means in pairs.items() if is_clear(means[pair])}
        ways = {mean[0] > 0 for mean in clear.values()}
        one, other = (MODELS[name] for name in pair.split(" - "))
        if not clear:
            kept["none"].append(f"{one} and {other}")
        elif len(clear) == len(pairs) and len(ways) == 1:
            kept["all"].append(f"{one} over {other}" if ways == {True} else f"{other} over {one}")
        else:
            kept["some"].append(f"{one} and {other} ({', '.join(KINDS[kind] for kind in clear)})")
    said = {"all": "In every column", "some": "In some columns only", "none": "In no column"}
    return "\n".join(
        f"- {said[where]} ({len(those)}): {', '.join(those) or 'none'}." for where, those in kept.items()
    )


def list_deciding(deciding: Mapping[str, Sequence[int]]) -> str:
    """The pairs of models that one game tells apart, or keeps from being told apart."""
    return (
        "; ".join(
            f"{join_words([MODELS[name] for name in pair.split(' - ')], 'and')} ({join_words(games, 'or')})"
            for pair, games in deciding.items()
        )
        or "none"
    )


def _percent(each: Mapping[str, Any]) -> float:
    """In how many games of a class the two checkers agree; all, if none has been decided."""
    return 100 * each["agree"] / each["games"] if each["games"] else 100.0


def agreement_table(agreement: Mapping[str, Any]) -> str:
    """For each class, in how many games the two checkers agree, and how many have it."""
    rows = []
    for name, each in agreement.items():
        percent = f"{_percent(each):.1f}"
        having = [str(each["both"]), str(len(each["alone"]))] if "both" in each else ["-", "-"]
        rows.append([name, str(each["games"]), str(each["agree"]), percent, *having])
    return _cells(rows, ["class", "games", "agree", "percent", "found by both", "by the auditor alone"])


def list_disagreements(agreement: Mapping[str, Any]) -> str:
    """Every game in which the two checkers say something else, with the reason."""
    apart = [f"{name} {game}" for name, each in agreement.items() for game in each["apart"]]
    lines = [
        f"- `{key.partition(' ')[0]}` in {key.partition(' ')[2]}: {EXPLAINED.get(key, 'not explained yet')}"
        for key in apart
    ]
    return "\n".join(lines) or "They agree everywhere."


def list_undecided(games: Sequence[int]) -> str:
    """The games that the second checker could not decide, with the reason of each."""
    lines = [f"- {game}: {EXPLAINED.get(f'undecided {game}', 'not explained yet')}" for game in games]
    return "\n".join(lines) or "None."


def compare_table(compared: Sequence[Mapping[str, str]]) -> str:
    """For each of our games, how its environment differs from its rulebook."""
    rows = [[f"`{each['game']}`", each["env"], each["said"]] for each in compared]
    return _cells(rows, ["rules", "environment", "`perfectplay compare` says"])


def codes_table(findings: Sequence[JsonRow], scored: set[int]) -> str:
    """How many games have each finding that is a problem or a warning."""
    every: Counter[tuple[str, str]] = Counter()
    ours: Counter[tuple[str, str]] = Counter()
    items = {row["code"]: row["checklist"] for row in findings}
    for severity, code, game in {(row["severity"], row["code"], row["game"]) for row in findings}:
        every[severity, code] += 1
        ours[severity, code] += game in scored
    rows = [
        [f"`{code}`", severity, str(every[severity, code]), str(ours[severity, code]), items[code] or "-"]
        for severity, code in sorted(every, key=lambda key: (key[0], -every[key], key[1]))
        if severity != "note"
    ]
    return _cells(rows, ["code", "severity", "of all", "of the scored", "checklist"])


def mends_table(findings: Sequence[JsonRow], scored: Sequence[JsonRow]) -> str:
    """For each scored game with a problem that a line of code mends: what and where it is."""
    mends = {
        "one-winner": "let the last reward say who has won",
        "endless-perfect": "end the game when a position recurs",
        "crash": "handle the move that raises",
        "dead-end": "end the game where no move is left",
        "legal-refused": "list only moves that are accepted, or accept them",
        "illegal-accepted": "refuse what is not in the list",
        "seed-ignored": "draw from self.np_random",
        "turn-contradicted": "let the host follow the side to move",
        "not-repeatable": "draw from self.np_random",
    }
    limits = {row["game"]: row["limit"] for row in scored}
    own = {int(game): "leave the opponent to the host, and do not play it in `step`" for game in OWN_OPPONENT}
    rows = [
        (
            str(row["game"]),
            f"`{row['code']}`",
            own.get(row["game"], mends[row["code"]]),
            f"`{replay_command(row, limits[row['game']])}`",
        )
        for row in findings
        if row["game"] in limits and row["severity"] == "problem" and row["code"] in mends
    ]
    once = list(dict.fromkeys(rows))  # a finding about each side is one mend
    return _cells(once, ["game", "code", "mend", "shown by"])


def read_table(read: Sequence[Mapping[str, str]]) -> str:
    """What was read by hand."""
    rows = [[str(each["game"]), f"`{each['code']}`", each["severity"], each["verdict"]] for each in read]
    return _cells(rows, ["game", "code", "severity", "seen"])


def replay_command(row: Mapping[str, Any], limit: int) -> str:
    """The command that plays a witness, or repeats the audit, on the reader's own copy of gg-bench."""
    moves = " ".join(map(str, row["witness"]))
    path = f"gg_bench/data/envs/env_{row['game']}.py"
    if not moves:
        return f"perfectplay audit-env {path} {' '.join(HOSTED)} --moves {limit}"
    return f'perfectplay replay-env {path} --moves "{moves}" --seed {row["seed"]}'


def draw_figures(data: Mapping[str, Any]) -> dict[str, str]:
    """The figures of the page, as SVG by their file names."""
    scored = {row["game"] for row in data["games"] if row["scored"]}
    counts = Counter(
        (severity, code)
        for severity, code, game in {(row["severity"], row["code"], row["game"]) for row in data["findings"]}
        if game in scored and severity != "note"
    )
    tally = [
        (code, count, f"{severity}s")
        for (severity, code), count in sorted(
            counts.items(), key=lambda each: (each[0][0], -each[1], each[0])
        )
    ]
    values = Counter(row["value"] or "unknown" for row in data["games"] if row["scored"])
    order = [kind for kind in ("win", "loss", "tie", "endless", "unknown") if values[kind]]
    first = "What perfect play leads to, for the side that moves first"
    charts = {
        "gg-bench-findings.svg": draw_tally("Scored games with each finding", tally, len(scored)),
        "gg-bench-values.svg": draw_tally(
            first, [(kind, values[kind], "value") for kind in order], len(scored)
        ),
    }
    return {name: write_picture(chart) for name, chart in charts.items()}


def write_game_page(row: JsonRow, findings: Sequence[JsonRow], graph: JsonRow | None) -> str:
    """The page of one game: what it is worth, and every finding with a command that shows it."""
    worth = row["value"] or "unknown"
    worth += f" in {row['plies']} moves" if row["plies"] else ""
    if row["starts"]:
        kinds = ", ".join(kind or "unknown" for kind in row["starts"])
        worth += f" (at the {len(row['starts'])} starts that were judged: {kinds})"
    parts = [
        f"# {row['title'] or 'Game'} (gg-bench {row['game']})",
        f"Value for the side that moves first: {worth}. Positions visited, without ends: {row['positions']:,}"
        f"{', which are all' if row['whole'] else ''}. Sound part: {'yes' if row['sound'] else 'no'}.",
    ]
    if row["ceiling"] is not None:
        parts.append(f"Against a perfect opponent, {SEATS[row['value']]}.")
    if row["random"]:
        first, second = (f"{100 * each:.1f}" for each in row["random"])
        met = sum(row["decisions_met"])
        best = " and ".join(f"{100 * each:.1f} %" for each in row["best"])
        parts.append(
            f"If both play at random, the first side wins {first} % and the second {second} % of the games,"
            f" which have {met:.1f} decisions on average. The best player wins {best} of the games against a"
            " random one, moving first and second."
        )
    if row["chance"] == "moves":
        own = OWN_OPPONENT.get(str(row["game"]))
        parts.append(
            "A move draws a random number, so there is no value and no map."
            + (f" It plays an opponent of its own: {own}." if own else "")
        )
    parts += show_graph(graph) if graph else ()
    parts.append("## Findings")
    lines = []
    for each in findings:
        shown = f"\n  `{replay_command(each, row['limit'])}`"
        lines.append(f"- {each['severity']}, `{each['code']}`: {each['text']}{shown}")
    parts.append("\n".join(lines) or "No findings.")
    return "\n\n".join(parts) + "\n"


def game_pages(data: Mapping[str, Any]) -> dict[str, str]:
    """The pages of the scored games, by their file names."""
    by_game: dict[int, list[JsonRow]] = {}
    for each in data["findings"]:
        by_game.setdefault(each["game"], []).append(each)
    return {
        f"{row['game']}.md": write_game_page(
            row, by_game.get(row["game"], []), find_graph(data["graphs"], row["game"])
        )
        for row in data["games"]
        if row["scored"]
    }
