"""The application: themes, screens, the way out."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.app import App
from textual.reactive import Reactive
from textual.screen import Screen
from textual.theme import BUILTIN_THEMES, Theme

from ctxviz.export.visible import visible
from ctxviz.tui.screens.main import MainScreen, Opening
from ctxviz.tui.signs import ASCII, UNICODE
from ctxviz.tui.theme import DARK, LIGHT, missing_variables

__all__ = ["CtxvizApp", "Opening"]

_TURN_SECONDS = 0.0005


class CtxvizApp(App[None]):
    """Opens a session in the main screen, a folder in the list of its sessions."""

    CSS_PATH = "ctxviz.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "ctxviz"

    # The themes are known and chosen before the first style sheet is read: to change the theme later reads all again.
    theme: Reactive[str] = Reactive(lambda: first_theme())

    @property
    def available_themes(self) -> dict[str, Theme]:
        return {**super().available_themes, DARK.name: DARK, LIGHT.name: LIGHT}

    def __init__(
        self, opening: Opening, *, ascii_signs: bool = False, first: Callable[[], Screen[None]] | None = None
    ) -> None:
        self.signs = ASCII if ascii_signs else UNICODE
        self.opening = opening
        self._first = first
        """Makes the first screen, where it is none of a file or a folder."""
        is_file = first is not None or opening.session is not None
        self._begins_with_a_folder = not is_file and _is_folder_of_sessions(opening)
        # A screen's own style sheet is read when it is pushed; the first one is not.
        super().__init__(css_path=["ctxviz.tcss", "screens/folder.tcss"] if self._begins_with_a_folder else None)
        self.last_words = ""

    def get_css_variables(self) -> dict[str, str]:
        return {**super().get_css_variables(), **missing_variables(self.current_theme)}

    def get_default_screen(self) -> Screen[Any]:
        # The first screen and not one above an empty one: that would cost a frame before anything is seen.
        if self._begins_with_a_folder:
            return self._folder_screen(Path(self.opening.path))
        if self._first is not None:
            return self._first()
        return MainScreen(self.opening)

    def on_ready(self) -> None:
        # What is here now stays: the collector, off since the start, need not look at it again.
        gc.freeze()
        gc.enable()
        # Long work runs in threads: a key waits for its turn no longer than this.
        sys.setswitchinterval(_TURN_SECONDS)

    def open_folder_of(self, path: str) -> None:
        """Show the sessions beside the one at `path`, to open another."""
        folder = Path(path).parent if path != "-" else Path()
        below = self.screen_stack[0]
        if below is not self.screen and Path(self.opening.path) == folder:
            self._back_to(below)
        else:
            self.push_screen(self._folder_screen(folder))

    def _folder_screen(self, folder: Path) -> Screen[None]:
        from ctxviz.tui.screens.folder import FolderScreen  # not needed for the first paint of a session

        return FolderScreen(folder, self.opening)

    def open_session(self, opening: Opening) -> None:
        """Show a session, in place of the one that is shown now if there is one."""
        main = next((screen for screen in self.screen_stack if isinstance(screen, MainScreen)), None)
        if main is None:
            self.push_screen(MainScreen(opening))
        else:
            self._back_to(main)
            main.open(opening)

    def back_to_folder(self, problem: str) -> bool:
        """Show the folder that the session was chosen from, with what went wrong; False if it was not chosen."""
        below = self.screen_stack[0]
        if isinstance(below, MainScreen):
            return False
        from ctxviz.tui.widgets.files import FolderTitle

        self._back_to(below)
        below.query_one(FolderTitle).problem = problem
        return True

    def _back_to(self, screen: Screen[Any]) -> None:
        while self.screen is not screen:
            self.pop_screen()

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


def _is_folder_of_sessions(opening: Opening) -> bool:
    """Whether there is a file to choose first; some folders are a session as a whole."""
    folder = Path(opening.path)
    if not folder.is_dir():
        return False
    from ctxviz.session.folder import holds_session

    return not holds_session(folder, opening.format)


def first_theme() -> str:
    """The theme that the environment asks for, as in any Textual application; the dark one if it is none."""
    wanted = os.environ.get("TEXTUAL_THEME", "")
    return wanted if wanted in BUILTIN_THEMES or wanted == LIGHT.name else DARK.name
