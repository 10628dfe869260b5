"""Puts a layout into effect: the one place that gives the main screen's parts their sizes."""

from __future__ import annotations

from textual.screen import Screen

from ctxviz.tui.layout import Layout
from ctxviz.tui.widgets.budget import Budget
from ctxviz.tui.widgets.heading import ItemsHeading
from ctxviz.tui.widgets.items import ItemList
from ctxviz.tui.widgets.notice import Notice
from ctxviz.tui.widgets.report import ReportView
from ctxviz.tui.widgets.tabs import TabBar

_BARS_FROM = 100
"""In one column, bars have room beside a preview from this width on."""


def arrange(screen: Screen[None], place: Layout) -> None:
    """Show, hide and size the parts of `screen`."""
    narrow, tiny = place.mode != "wide", place.mode == "tiny"
    for mode in ("wide", "narrow", "tiny"):
        screen.set_class(place.mode == mode, f"-{mode}")

    heading = screen.query_one(ItemsHeading)
    heading.display = not narrow
    heading.styles.height = 2 if place.column_header else 1

    screen.query_one(ItemList).bars = not narrow or screen.size.width >= _BARS_FROM

    side = screen.query_one("#side")
    side.styles.width = "100%" if narrow else place.side_width
    tab_rows = 0 if tiny else 1 + place.page_height
    side.styles.height = place.budget_height + tab_rows if narrow else "1fr"
    budget = screen.query_one(Budget)
    budget.display = not (place.player and narrow)
    budget.styles.height = place.budget_height
    for player in screen.query("PlayerView"):  # there is none before it is first opened
        player.display = place.player
        player.set_class(narrow, "-compact")

    report = screen.query_one("#report", ReportView)
    report.display = not narrow and place.report_height > 0 and not place.player
    report.styles.height = place.report_height
    for view in screen.query(ReportView):
        view.note_rows = place.note_rows

    tabs = screen.query_one(TabBar)
    tabs.display = not tiny and not place.player
    tabs.in_one_row = narrow
    tabs.tabs = ("Report", "Why", "Content", "Findings") if narrow else ("Why", "Content", "Findings")
    pages = screen.query_one("#pages")
    pages.display = not tiny and not place.player
    pages.styles.height = place.page_height if narrow else "1fr"
    for page in pages.children:
        page.set_class(narrow, "-compact")

    height = screen.size.height
    screen.query_one(Notice).most_rows = 3 if height >= 24 else 2 if height >= 18 else 1
