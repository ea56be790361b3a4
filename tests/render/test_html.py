"""Pages, tables and lists: complete, and nothing that is shown becomes markup."""

from perfectplay.render.html import Markup, TableCell, write_list, write_page, write_part, write_table

EVIL = "<b>&"
SAFE = "&lt;b&gt;&amp;"


def test_a_page_has_its_title_its_parts_and_its_style() -> None:
    page = write_page(EVIL, ["<h1>One</h1>", "", "<p>Two</p>"], "p { color: red; }")
    assert f"<title>{SAFE}</title>" in page
    assert "<main>\n<h1>One</h1>\n<p>Two</p>\n</main>" in page
    assert "p { color: red; }</style>" in page


def test_a_part_styles_nothing_else() -> None:
    part = write_part(["<p>x</p>"])
    rules = part.partition("<style>")[2].partition("</style>")[0].strip().split("\n")
    assert rules
    assert all(rule.startswith(".perfectplay-report ") for rule in rules)


def test_cells_are_escaped_unless_they_are_markup() -> None:
    row: list[str | TableCell] = [
        EVIL,
        Markup("<i>x</i>"),
        TableCell(EVIL, "number", "color: red"),
        TableCell(EVIL, heads=True),
    ]
    table = write_table(EVIL, ["a", "", EVIL, "d"], [row], ["odd"])
    assert f"<caption>{SAFE}</caption>" in table
    assert f'<th scope="col">a</th><td></td><th scope="col">{SAFE}</th>' in table
    assert f'<tr class="odd"><td>{SAFE}</td><td><i>x</i></td>' in table
    assert f'<td class="number" style="color: red">{SAFE}</td><th scope="row">{SAFE}</th></tr>' in table
    assert "<caption>" not in write_table("", ["a"], [])


def test_a_list_without_items_is_nothing() -> None:
    assert write_list([EVIL, Markup("<i>x</i>")]) == f"<ul><li>{SAFE}</li><li><i>x</i></li></ul>"
    assert write_list([]) == ""
