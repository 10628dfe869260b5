"""The two themes. Four hues, one meaning each: gold pinned, blue kept, rose wrong, violet where you are."""

from __future__ import annotations

from textual.theme import Theme

_DARK = {
    "raised": "#242b38",
    "muted": "#97a0ae",
    "pinned": "#f5cd6b",
    "kept": "#58b2f0",
    "dropped": "#8d8a86",
    "bad": "#ff8482",
    "ghost": "#676b73",
    "track": "#4d5766",
    "line": "#2e3541",
    "accentbg": "#211f35",
    "badbg": "#3a2028",
    "dimmed": "#0b0d11",
}
_LIGHT = {
    "raised": "#e5e6ef",
    "muted": "#59606c",
    "pinned": "#8a5300",
    "kept": "#0a69b8",
    "dropped": "#6f6a63",
    "bad": "#c2134f",
    "ghost": "#8f8a82",
    "track": "#a39e94",
    "line": "#d8d4cb",
    "accentbg": "#f1ecfc",
    "badbg": "#fbe2e9",
    "dimmed": "#fcfbf8",
}
ANSI_VARIABLES = {
    "raised": "ansi_default",
    "muted": "ansi_default",
    "pinned": "ansi_yellow",
    "kept": "ansi_blue",
    "dropped": "ansi_bright_black",
    "bad": "ansi_red",
    "ghost": "ansi_bright_black",
    "track": "ansi_bright_black",
    "line": "ansi_bright_black",
    "accentbg": "ansi_default",
    "badbg": "ansi_default",
    "dimmed": "ansi_default",
    "accent": "ansi_magenta",
}
"""For themes of the terminal's own sixteen colours."""

DARK = Theme(
    name="ctxviz-dark",
    dark=True,
    primary="#c6b4ff",
    accent="#c6b4ff",
    foreground="#dce1e9",
    background="#101318",
    surface="#151920",
    panel="#151920",
    variables=_DARK,
)
LIGHT = Theme(
    name="ctxviz-light",
    dark=False,
    primary="#5f34c4",
    accent="#5f34c4",
    foreground="#20242b",
    background="#fcfbf8",
    surface="#f5f3ee",
    panel="#f5f3ee",
    variables=_LIGHT,
)


def missing_variables(theme: Theme) -> dict[str, str]:
    """The project's own variables, for a theme of somebody else's; none for the two here, which have them.

    On the terminal's own colours the accent is changed too, so that its four hues mean what they mean elsewhere.
    """
    if theme in (DARK, LIGHT):
        return {}
    return ANSI_VARIABLES if "ansi" in theme.name else _DARK if theme.dark else _LIGHT
