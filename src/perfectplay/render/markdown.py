"""Tables in Markdown."""

from collections.abc import Sequence


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    r"""Format a Markdown table with aligned columns."""
    lines = [[cell.replace("|", r"\|") for cell in row] for row in (head, *rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    drawn = [
        f"| {' | '.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))} |"
        for line in lines
    ]
    rule = f"|{'|'.join('-' * (width + 2) for width in widths)}|"
    return "\n".join([drawn[0], rule, *drawn[1:]])
