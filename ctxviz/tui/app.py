"""The application: themes, screens, the way out."""

from __future__ import annotations

import sys
from pathlib import Path

from textual.app import App

from ctxviz.export.visible import visible
from ctxviz.tui.screens.folder import FolderScreen
from ctxviz.tui.screens.main import MainScreen, Opening
from ctxviz.tui.signs import ASCII, UNICODE
from ctxviz.tui.theme import DARK, LIGHT, default_variables

__all__ = ["CtxvizApp", "Opening"]


class CtxvizApp(App[None]):
    """Opens a session in the main screen, a folder in the list of its sessions."""

    CSS_PATH = "ctxviz.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "ctxviz"

    def __init__(self, opening: Opening, *, ascii_signs: bool = False) -> None:
        self.signs = ASCII if ascii_signs else UNICODE
        super().__init__()
        self.opening = opening
        self.last_words = ""
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        if not self.current_theme.name.startswith(("ansi", "textual-ansi")):
            self.theme = DARK.name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        theme = self.current_theme
        return default_variables("ansi" in theme.name, theme.dark)

    def on_mount(self) -> None:
        if self.opening.session is None and Path(self.opening.path).is_dir():
            self.push_screen(FolderScreen(Path(self.opening.path), self.opening))
        else:
            self.push_screen(MainScreen(self.opening))

    def open_folder_of(self, path: str) -> None:
        """Show the sessions beside the one at `path`, to open another."""
        folder = Path(path).parent if path != "-" else Path()
        self.push_screen(FolderScreen(folder, self.opening))

    def open_session(self, opening: Opening) -> None:
        """Show a session in place of what is shown now."""
        while len(self.screen_stack) > 1:
            self.pop_screen()
        self.push_screen(MainScreen(opening))

    def action_switch_theme(self) -> None:
        self.theme = LIGHT.name if self.current_theme.dark else DARK.name

    def leave(self, last_words: str, return_code: int) -> None:
        """End the application; `last_words` go to standard error when the terminal is itself again."""
        self.last_words = last_words
        self.exit(return_code=return_code)

    def run_to_exit_code(self) -> int:
        """Run until the person leaves."""
        self.run()
        if self.last_words:
            print(visible(self.last_words), file=sys.stderr)
        return self.return_code or 0
