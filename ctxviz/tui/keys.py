"""Everything that can be done on the main screen: its key, its name, where it is listed.

The bindings, the footer, the key list and the command palette are all made from this table.
"""

from __future__ import annotations

from dataclasses import dataclass

from ctxviz.analysis.providers.names import PROVIDER_NAMES


@dataclass(frozen=True)
class Command:
    """One thing to do.

    `action` is Textual's action, `keys` Textual's names for its keys (comma-separated), `label`
    how the key is printed. Commands with the same `group` and `help` share a line of the key
    list, those with the same `footer` a pair of the footer; an empty one is not listed there.
    """

    action: str
    keys: str
    label: str
    name: str
    group: str
    help: str
    footer: str = ""


COMMANDS: tuple[Command, ...] = (
    Command("step('max_items', -1)", "i", "i", "Lower maxItems", "Budget", "maxItems − +", "items"),
    Command("step('max_items', 1)", "I", "I", "Raise maxItems", "Budget", "maxItems − +", "items"),
    Command("step('max_approx_chars', -1)", "c", "c", "Lower maxApproxChars", "Budget", "maxApproxChars − +", "chars"),
    Command("step('max_approx_chars', 1)", "C", "C", "Raise maxApproxChars", "Budget", "maxApproxChars − +", "chars"),
    Command(
        "step('pinned_prefix_items', -1)",
        "p",
        "p",
        "Lower pinnedPrefixItems",
        "Budget",
        "pinnedPrefixItems − +",
        "pinned",
    ),
    Command(
        "step('pinned_prefix_items', 1)",
        "P",
        "P",
        "Raise pinnedPrefixItems",
        "Budget",
        "pinnedPrefixItems − +",
        "pinned",
    ),
    Command("type_number", "0,1,2,3,4,5,6,7,8,9", "0–9", "Type a number", "Budget", "type the number"),
    Command("set('max_items')", "", "0–9", "Set maxItems…", "Budget", ""),
    Command("set('max_approx_chars')", "", "0–9", "Set maxApproxChars…", "Budget", ""),
    Command("set('pinned_prefix_items')", "", "0–9", "Set pinnedPrefixItems…", "Budget", ""),
    Command("unlimited('max_items')", "", "u", "maxItems: no limit and back", "Budget", ""),
    Command("unlimited('max_approx_chars')", "", "u", "maxApproxChars: no limit and back", "Budget", ""),
    Command("unlimited", "u", "u", "No limit and back", "Budget", "no limit and back", "unlimited"),
    Command("projector", "t", "t", "Other projector", "Budget", "projector", "projector"),
    Command(
        "step('max_recent_tool_results', -1)",
        "y",
        "y",
        "Lower maxRecentToolResults",
        "Budget",
        "maxRecentToolResults − +",
        "tool results",
    ),
    Command(
        "step('max_recent_tool_results', 1)",
        "Y",
        "Y",
        "Raise maxRecentToolResults",
        "Budget",
        "maxRecentToolResults − +",
        "tool results",
    ),
    Command("trim_reasoning", "T", "T", "trimOldReasoning on or off", "Budget", "trimOldReasoning", "trim"),
    Command("measure", "s", "s", "Next measure", "Budget", "measure", "measure"),
    Command("provider", "v", "v", "Next provider's rules", "Budget", "provider", "provider"),
    *(Command(f"provider('{name}')", "", "v", f"Rules of {name}", "Budget", "") for name in PROVIDER_NAMES),
    Command("reset", "r", "r", "Reset to the opening settings", "Budget", "reset", "reset"),
    Command("go_to", "g", "g", "Go to item…", "Items", "go to a number", "go to"),
    Command("dropped(1)", "d", "d", "Next dropped item", "Items", "dropped: next, before", "dropped"),
    Command("dropped(-1)", "D", "D", "Previous dropped item", "Items", "dropped: next, before", "dropped"),
    Command("finding(1)", "f", "f", "Next finding", "Items", "finding: next, before", "finding"),
    Command("finding(-1)", "F", "F", "Previous finding", "Items", "finding: next, before", "finding"),
    Command("pair", "a", "a", "Other half of the pair", "Items", "other half of the pair", "its pair"),
    Command("filter", "ampersand", "&", "Show only some items…", "Items", "show only some items", "filter"),
    Command("request", "V", "V", "What the provider is sent", "Items", "what the provider is sent"),
    Command("explain", "e", "e", "Explain: step through the decisions", "Items", "explain, step by step", "explain"),
    Command("find", "slash", "/", "Find text…", "Items", "find text; next, before", "find"),
    Command("find_again(1)", "n", "n", "Next match", "Items", "find text; next, before"),
    Command("find_again(-1)", "N", "N", "Previous match", "Items", "find text; next, before"),
    Command("previous_tab", "left_parenthesis", "(", "Previous tab", "Screen", "tab before, after", "tab"),
    Command("next_tab", "right_parenthesis", ")", "Next tab", "Screen", "tab before, after", "tab"),
    Command("widen", "w", "w", "Tab wide and back", "Screen", "tab wide", "wide"),
    Command(
        "messages", "exclamation_mark", "!", "What was skipped in the file", "Screen", "what the file's warnings say"
    ),
    Command("set_aside", "S", "S", "Records set aside", "Screen", "records set aside, by reason", "set aside"),
    Command("conversation", "", "", "Another conversation of the file…", "Screen", ""),
    Command("reload", "R", "R", "Read the file again", "Screen", "read the file again", "read again"),
    Command("open_another", "O", "O", "Open another session…", "Screen", "open another session"),
    Command("theme", "f2", "F2", "Dark or light", "Screen", "dark, light"),
    Command("keys", "question_mark", "?", "All keys", "Screen", "all keys", "keys"),
    Command("commands", "ctrl+p", "^p", "Commands", "Screen", "commands by name", "commands"),
    Command("quit", "q", "q", "Quit", "Screen", "quit", "quit"),
)
