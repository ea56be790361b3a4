"""An audit as text and as data."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from perfectplay.audit.case import MOST_AUDITED, Case, prepare
from perfectplay.audit.findings import Finding, findings
from perfectplay.audit.measures import Measures, kinds_in, measures
from perfectplay.audit.readings import Reading, readings
from perfectplay.core.formatting import pluralize
from perfectplay.core.game import Game
from perfectplay.core.texts import summary
from perfectplay.render.markdown import markdown_table
from perfectplay.strength.crosstable import rates_dict

SHOWN_MOVES = 24
"""Longer witnesses are shortened in text output; the data contain them in full."""


class Audit(NamedTuple):
    """Everything that was found about a game.

    >>> import perfectplay as pp
    >>> found = audit(pp.load("bit-flip:bits=3"))
    >>> found.case.game.spec, found.findings[0].code
    ('bit-flip:bits=3', 'forced-win')
    """

    case: Case
    findings: tuple[Finding, ...]
    readings: tuple[Reading, ...] = ()
    measures: Measures | None = None
    """None for a game that breaks a law that the measures depend on; `readings` is then empty."""

    def _repr_html_(self) -> str:
        """The page of the audit without its frame, for notebooks."""
        from perfectplay.audit.page import write_parts
        from perfectplay.render.html import write_part

        return write_part(write_parts(self))


def audit(game: Game[Any], limit: int = MOST_AUDITED, search: int = 0) -> Audit:
    """Judge a rule set. A game with more than `limit` positions is judged by its theory and first positions.

    If such a game has no theory, dead ends are looked for among the first `search` positions.

    If a game breaks a law of `Game` that other findings depend on, only the broken laws are reported.

    >>> import perfectplay as pp
    >>> for finding in audit(pp.load("dual-direction")).findings[:2]:
    ...     print(finding.code, finding.witness)
    endless-perfect ('left', 'right')
    wins-only-by-blunder ('right', 'right', 'right', 'right', 'right')
    """
    case = prepare(game, limit, search)
    if not case.trusted:
        return Audit(case, findings(case))
    return Audit(case, findings(case), readings(case), measures(case))


def as_dict(found: Audit) -> dict[str, Any]:
    """Return the audit as JSON-serializable data.

    >>> import perfectplay as pp
    >>> list(as_dict(audit(pp.load("bit-flip:bits=3"))))
    ['game', 'findings', 'readings', 'errata', 'measures']
    """
    return {
        "game": found.case.game.spec,
        "findings": [{**each._asdict(), "witness": list(each.witness)} for each in found.findings],
        "readings": [each._asdict() for each in found.readings],
        "errata": [vars(each).copy() for each in found.case.errata],
        "measures": None if found.measures is None else _measures_dict(found.measures),
    }


def _measures_dict(found: Measures) -> dict[str, Any]:
    equal, table, lengths = found.equal_levels, found.cross_table, found.random_lengths
    shares = {str(plies): share for plies, share in lengths.shares.items()}
    return {
        **found._asdict(),
        "equal_levels": None if equal is None else rates_dict(equal),
        "level_differences": [each._asdict() for each in found.level_differences],
        "cross_table": None if table is None else table.as_dict(),
        "value_by_ply": [
            {"ply": each.ply, **each.counts(kinds_in(found.value_by_ply))} for each in found.value_by_ply
        ],
        "random_lengths": {**lengths._asdict(), "shares": shares},
        "left_out": list(found.left_out),
    }


def text(found: Audit) -> str:
    """Return the audit as Markdown that also reads well as plain text.

    >>> import perfectplay as pp
    >>> text(audit(pp.load("bit-flip:bits=3"))).splitlines()[0]
    '# Audit of Bit Flip'
    """
    case, game = found.case, found.case.game
    parts = [
        f"# Audit of {game.title}",
        f"`{game.spec}`: {summary(type(game))}",
        describe_scope(found),
        "## Findings",
    ]
    for each in found.findings:
        shown = f"\n  Shown by: {witness_text(each.witness)}" if each.witness else ""
        parts.append(f"- {each.severity}, `{each.code}`: {each.text}{shown}")
    parts += [] if found.findings else ["None."]
    if found.readings:
        parts += ["## Readings", markdown_table(*reading_rows(found.readings))]
        broken = [f"- {failure}" for failure in failures(found.readings)]
        parts += ["\n".join(broken)] if broken else []
    if case.errata:
        parts += ["## Errata of the rulebook", "\n".join(f"- {each}" for each in erratum_texts(case))]
    return "\n\n".join([*parts, *measures_text(found)]) + "\n"


def erratum_texts(case: Case) -> list[str]:
    """A sentence for each error of the rulebook."""
    return [f"{each.where}: {each.printed}. Right: {each.right}." for each in case.errata]


def describe_scope(found: Audit) -> str:
    """The sentence that says what the audit is based on."""
    case = found.case
    if found.measures is None:
        return "Nothing else is reported about this game, because it would depend on the broken laws below."
    if case.whole:
        positions = pluralize(case.visited, "position", "positions")
        return f"All {positions} and {pluralize(case.graph.edges, 'move', 'moves')} were visited."
    return " ".join(found.measures.left_out)


def witness_text(witness: Sequence[str]) -> str:
    """Join moves into one line, shortened if there are very many."""
    if len(witness) <= SHOWN_MOVES:
        return ", ".join(witness)
    return f"{', '.join(witness[:SHOWN_MOVES])}, ... ({len(witness)} plies)"


def failures(rows: Sequence[Reading]) -> list[str]:
    """A sentence for each worked example that does not hold under some reading."""
    return [
        f"{name} under {row.name}: {problem}"
        for row in rows
        for name, problem in row.examples.items()
        if problem is not None
    ]


def reading_rows(rows: Sequence[Reading]) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of the table of readings."""
    names = list(rows[0].examples)
    head = ["reading", "positions", "perfect play", *names]
    body = [
        [
            row.name,
            "too many" if row.positions is None else f"{row.positions:,}",
            row.outlook,
            *("holds" if row.examples[name] is None else "fails" for name in names),
        ]
        for row in rows
    ]
    return head, body


def difference_rows(numbers: Measures) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of the table of graded players."""
    rows = [
        [str(each.levels), each.text(each.stronger), each.text(each.weaker)]
        for each in numbers.level_differences
    ]
    return ["levels apart", "the stronger wins", "the weaker wins"], rows


def measures_text(found: Audit) -> list[str]:
    """The win rates of players as Markdown; empty if they were left out."""
    numbers = found.measures
    if numbers is None or numbers.cross_table is None:
        return []
    parts = ["## Players"]
    if numbers.level_differences:
        parts.append("Graded players against weaker ones, both seats combined:")
        parts.append(markdown_table(*difference_rows(numbers)))
    parts.append(numbers.cross_table.caption(found.case.game))
    return [*parts, markdown_table(*numbers.cross_table.rows())]
