"""What a provider is sent of the window: the messages that ai4j's client makes, and what it leaves out."""

from __future__ import annotations

from itertools import islice

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.providers.names import ProviderName
from ctxviz.analysis.providers.request import Request, client_of, request
from ctxviz.tui.screens.reading import Page, indented_json

_SHOWN = 2_000
"""Items; of a longer window the first ones are shown."""


def request_pages(examination: Examination, provider: ProviderName) -> list[Page]:
    """The messages, each under the item that it was made of, and the items that are not sent.

    Only ai4j's sessions are converted: the items of others are messages already.
    """
    is_ai4j = examination.session.format.startswith("ai4j-")
    kept, items = examination.projection.kept, examination.projection.source.items
    more = len(kept) - _SHOWN

    def made() -> Request:
        window = ((index, items[index]) for index in islice(kept, _SHOWN))
        # The Responses client sends everything as it is, and so does one that nothing is known of.
        return request(window, client_of(provider) if is_ai4j else "ResponsesModelClient")

    def messages() -> str:
        sent = made()
        texts = [
            f"#{index}\n{indented_json(message)}" for index, message in zip(sent.items, sent.messages, strict=True)
        ]
        if more > 0:
            texts.append(f"{more:,} more items are in the window.")
        return "\n\n".join(texts) or "No message is left to send."

    def left_out() -> str:
        lines = [f"#{index}  {why}" for index, why in made().not_sent.items()]
        return "\n".join(lines) or "Nothing: every item of the window is sent."

    is_slow = len(kept) > _SHOWN // 10
    return [Page("Messages", messages, is_slow), Page("Left out", left_out, is_slow)]


def request_title(examination: Examination, provider: ProviderName) -> str:
    """Whose request it is."""
    if examination.session.format.startswith("ai4j-"):
        return f"What ai4j's {client_of(provider)} sends to {provider}"
    return f"What {provider} would be sent: the items as they are"
