"""The toy on the screen: its items can be changed, and the rule is seen at work at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType

from ctxviz.projection.budget import KEYS
from ctxviz.session.toy import MOST_CHARS, MOST_ITEMS, Toy
from ctxviz.tui.keys import COMMANDS, Command
from ctxviz.tui.screens.main import MainScreen, bindings_of
from ctxviz.tui.screens.session import Opening
from ctxviz.tui.widgets.footer import FooterLine, Pair
from ctxviz.tui.widgets.items import ItemList

_TOY: tuple[Command, ...] = (
    Command("toy_size", "E", "E", "Size of the item…", "Items", "the item's size", "size"),
    Command(
        "toy_grow(-1)", "left_curly_bracket", "{", "Item one smaller", "Items", "one smaller, larger", "smaller, larger"
    ),
    Command(
        "toy_grow(1)", "right_curly_bracket", "}", "Item one larger", "Items", "one smaller, larger", "smaller, larger"
    ),
    Command("toy_add", "A", "A", "Add an item…", "Items", "add an item after it", "add"),
    Command("toy_remove", "X,delete", "X", "Remove the item", "Items", "remove the item", "remove"),
    Command("toy_move(-1)", "K,shift+up", "K", "Move the item up", "Items", "move it up, down", "move"),
    Command("toy_move(1)", "J,shift+down", "J", "Move the item down", "Items", "move it up, down", "move"),
    Command("toy_undo", "U", "U", "Undo the last edit", "Items", "undo the edit", "undo"),
)
_NOT_OF_TOYS = {"open_another", "conversation", "set_aside", "messages"}


class ToyScreen(MainScreen):
    """The main screen on a toy. Every state of it is a `Toy`; those before are kept for undo."""

    commands: ClassVar[tuple[Command, ...]] = (
        *(command for command in COMMANDS if command.action not in _NOT_OF_TOYS),
        *_TOY,
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_of(_TOY),
        Binding("O", "no_folder", show=False),
    ]

    def __init__(self, opening: Opening, toy: Toy) -> None:
        super().__init__(opening)
        self.opened_as = toy
        self.toy = toy
        self._before: list[tuple[Toy, int]] = []

    def _edit(self, toy: Toy, select: int) -> None:
        """Show another state of the toy."""
        if toy != self.toy:
            self._before.append((self.toy, self.selected_item))
            self._show_toy(toy, select)

    def _show_toy(self, toy: Toy, select: int) -> None:
        before = self.examination
        self.toy = toy
        self.show_session(toy.session())
        self._show_list()
        self.query_one(ItemList).cursor = select
        self.previous = before
        self.say(self.command_line())
        self.session_changed()

    def command_line(self) -> str:
        """The command that opens the toy as it stands now."""
        words = ["ctxviz try", *map(str, self.toy.sizes)]
        for name, key in KEYS.items():
            value = self.settings.budget.to_dict()[key]
            option = f"--{name.replace('_', '-')}"
            if isinstance(value, bool):
                words += [option] if value else []
            elif value is not None:
                words.append(f"{option} {value}")
        if self.settings.projector != "default":
            words.append(f"--projector {self.settings.projector}")
        return " ".join(words)

    @property
    def _has_items(self) -> bool:
        if not self.toy.items:
            self.say("There is no item: A adds one.")
        return bool(self.toy.items)

    def action_toy_size(self) -> None:
        """Ask for the size of the selected item."""
        if self._has_items:
            index = self.selected_item
            now = self.toy.items[index].size
            self._ask(f"Size of #{index}", now, lambda size: self._edit(self.toy.resized(index, size), index))

    def action_toy_add(self) -> None:
        """Ask for the size of a new item, which comes after the selected one."""
        if len(self.toy.items) >= MOST_ITEMS:
            self.say(f"A toy has {MOST_ITEMS} items at most.")
            return
        index = min(self.selected_item + 1, len(self.toy.items))
        self._ask(f"Size of the new #{index}", None, lambda size: self._edit(self.toy.added(index, size), index))

    def _ask(self, title: str, now: int | None, take: Callable[[int], None]) -> None:
        from ctxviz.tui.numbers import size_prompt, typed_limit

        def taken(text: str | None) -> None:
            size = typed_limit(text) if text is not None else None
            if size is not None:
                take(size)

        self.app.push_screen(size_prompt(title, now, MOST_CHARS), taken)

    def action_toy_grow(self, by: int) -> None:
        """Make the selected item so much larger."""
        if self._has_items:
            index = self.selected_item
            self._edit(self.toy.resized(index, self.toy.items[index].size + by), index)

    def action_toy_remove(self) -> None:
        """Remove the selected item."""
        if self._has_items:
            index = self.selected_item
            self._edit(self.toy.removed(index), min(index, len(self.toy.items) - 2))

    def action_toy_move(self, by: int) -> None:
        """Move the selected item; it stays selected."""
        if self._has_items:
            index = self.selected_item
            self._edit(self.toy.moved(index, by), min(max(index + by, 0), len(self.toy.items) - 1))

    def action_toy_undo(self) -> None:
        """Take the last edit back."""
        if self._before:
            self._show_toy(*self._before.pop())
        else:
            self.say("The toy was not changed.")

    def action_reload(self) -> None:
        """Go back to the sizes that it was opened with."""
        self._edit(self.opened_as, min(self.selected_item, len(self.opened_as.items) - 1))

    def action_no_folder(self) -> None:
        self.say("A toy has no folder: q, and ctxviz SESSION opens a session.")

    def _update_footer(self) -> None:
        super()._update_footer()
        footer = self.query_one(FooterLine)
        if self.playback is None and self.examination is not None:
            own = tuple(
                Pair(" ".join(one.label for one in _TOY if one.footer == name), name, action)
                for name, action in {command.footer: command.action for command in reversed(_TOY)}.items()
            )
            footer.pairs = (*own[::-1], *footer.pairs)
