"""Tables in Markdown."""

from perfectplay.render.markdown import markdown_table


def test_columns_are_aligned_and_bars_are_escaped() -> None:
    table = markdown_table(["a", "b"], [["1", "left"], ["10", "x|y"]])
    assert table.splitlines() == ["| a  | b    |", "|----|------|", "| 1  | left |", "| 10 | x\\|y |"]
