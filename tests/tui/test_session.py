"""What brings another session, or another state of it: records set aside, conversations, a file that grows."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from ctxviz.analysis.settings import Settings
from ctxviz.projection.budget import ContextBudget
from ctxviz.tui import watching
from ctxviz.tui.app import CtxvizApp, Opening
from ctxviz.tui.screens import session as session_screen
from ctxviz.tui.screens.conversations import ConversationList, ConversationsScreen
from ctxviz.tui.screens.folder import FolderScreen
from ctxviz.tui.screens.keys import KeysView
from ctxviz.tui.screens.main import MainScreen
from ctxviz.tui.screens.palette import ChoiceList
from ctxviz.tui.screens.reading import ReadingScreen, ReadingText
from ctxviz.tui.screens.records import RecordList, RecordsHeading, RecordsScreen
from ctxviz.tui.widgets.files import FileList, FilePane, FolderTitle
from ctxviz.tui.widgets.footer import FooterLine
from ctxviz.tui.widgets.items import ItemList
from ctxviz.tui.widgets.notice import Notice
from ctxviz.tui.widgets.title import TitleLine
from tests.tui.opening import NARROW, WIDE, app_on_demo, main_screen, still
from tests.tui.test_screen import text_of


def transcript(file: Path) -> Path:
    """40 messages, of which 10 to 19 are a sidechain; a summary before them, a torn line behind."""
    records: list[Any] = [{"type": "summary", "summary": "a repair", "leafUuid": "u39"}]
    for at in range(40):
        role = "assistant" if at % 2 else "user"
        is_aside = 10 <= at < 20
        parent = None if not at else f"u{at - 11}" if at == 20 else f"u{at - 1}"
        message = {"role": role, "content": f"message {at}"}
        records.append(
            {"type": role, "uuid": f"u{at}", "parentUuid": parent, "isSidechain": is_aside, "message": message}
        )
    file.write_text("".join(json.dumps(record) + "\n" for record in records) + "{torn\n", encoding="utf-8")
    return file


def several(file: Path, count: int = 4) -> Path:
    """A file of as many conversations; conversation 2 has two items, 3 three."""
    talks = [
        {"id": f"talk_{at}", "conversations": [{"from": "human", "value": f"question {at}"}] * at}
        for at in range(1, count + 1)
    ]
    file.write_text(json.dumps(talks), encoding="utf-8")
    return file


def app_of(path: Path, *, follow: bool = False, conversation: str | None = None, **budget: Any) -> CtxvizApp:
    settings = Settings(ContextBudget(**budget))
    return still(CtxvizApp(Opening(str(path), settings, follow=follow, conversation=conversation)))


async def until(pilot: Pilot[None], condition: Callable[[], object]) -> None:
    for _ in range(1000):
        await pilot.pause(0.01)
        if condition():
            await pilot.pause()
            return
    raise AssertionError("it never came")


async def read(pilot: Pilot[None]) -> MainScreen:
    """Wait until the session is read, and then for all it says."""
    assert isinstance(pilot.app, CtxvizApp)
    main = main_screen(pilot.app)
    await until(pilot, lambda: main.examination is not None)
    return main


def texts(main: MainScreen) -> list[str]:
    assert main.session is not None
    return [str(item["content"]) for item in main.session.items if isinstance(item, dict)]


def notice(app: CtxvizApp) -> str:
    return main_screen(app).query_one(Notice).text


def title(app: CtxvizApp) -> str:
    return text_of(main_screen(app).query_one(TitleLine))


# -- records set aside --------------------------------------------------------------------------------


async def test_the_title_counts_the_records(tmp_path: Path) -> None:
    app = app_of(transcript(tmp_path / "repair.jsonl"))
    async with app.run_test(size=WIDE) as pilot:
        await read(pilot)
        assert "30 items" in title(app)
        assert "42 records, 12 set aside" in title(app)
        assert "S set aside" in text_of(app.screen.query_one(FooterLine))
        await pilot.resize_terminal(*NARROW)
        await pilot.pause()
        assert "30 items" in title(app)
        assert "records" not in title(app)


async def test_a_session_without_records_does_not_offer_them() -> None:
    app = app_on_demo("first-steps")
    async with app.run_test(size=WIDE) as pilot:
        assert "set aside" not in text_of(app.screen.query_one(FooterLine))
        await pilot.press("S")
        assert notice(app) == "This format has no records but its items."
        await pilot.press("question_mark")
        view = app.screen.query_one(KeysView)
        assert not any("set aside" in view.render_line(y).text for y in range(view.size.height))
        await pilot.press("escape", "ctrl+p", *"set aside")
        assert app.screen.query_one(ChoiceList).chosen is None


async def test_records_are_read_and_put_into_the_list(tmp_path: Path) -> None:
    app = app_of(transcript(tmp_path / "repair.jsonl"))
    async with app.run_test(size=WIDE) as pilot:
        main = await read(pilot)
        items = main.query_one(ItemList)
        await pilot.press("g", "1", "5", "enter", "S")
        assert isinstance(app.screen, RecordsScreen)
        records = app.screen.query_one(RecordList)
        assert records.reason == "sidechain"
        await pilot.press("down", "enter")
        assert isinstance(app.screen, ReadingScreen)
        await until(pilot, lambda: "message 10" in app.screen.query_one(ReadingText).text)
        await pilot.press("escape", "home", "space")
        assert texts(main)[8:12] == ["message 8", "message 9", "message 10", "message 11"]
        assert "10 items put into the list" in text_of(app.screen.query_one(RecordsHeading))
        assert "take its 10 items out of the list" in text_of(app.screen.query_one(FooterLine))
        await pilot.press("escape")
        assert items.cursor == 25
        assert texts(main)[main.selected] == "message 25"
        await pilot.press("R")
        await until(pilot, lambda: main.progress is None)
        assert len(texts(main)) == 40
        await pilot.press("g", "1", "2", "enter", "S", "space", "escape")
        assert len(texts(main)) == 30
        assert texts(main)[items.cursor] == "message 9"


async def test_what_is_no_record_stands_in_the_list_too(tmp_path: Path) -> None:
    app = app_of(transcript(tmp_path / "repair.jsonl"))
    async with app.run_test(size=WIDE) as pilot:
        await read(pilot)
        await pilot.press("S", "end")
        records = app.screen.query_one(RecordList)
        assert records.record is None
        await pilot.press("enter", "space", "(", ")")
        assert isinstance(app.screen, RecordsScreen)
        assert "line 42" in records.render_line(records.count - 1).text


async def test_many_items_are_put_in_off_the_screens_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_screen, "_INCLUDED_AT_ONCE", 10)
    app = app_of(transcript(tmp_path / "repair.jsonl"))
    async with app.run_test(size=WIDE) as pilot:
        main = await read(pilot)
        await pilot.press("S", "space")
        await until(pilot, lambda: len(texts(main)) == 40)
        await pilot.press("space", "escape")
        await until(pilot, lambda: len(texts(main)) == 30)


# -- conversations ------------------------------------------------------------------------------------


async def test_one_of_several_conversations_is_chosen(tmp_path: Path) -> None:
    app = app_of(several(tmp_path / "talks.json"))
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, ConversationsScreen))
        await pilot.press("down", "enter")
        main = await read(pilot)
        assert len(texts(main)) == 2
        await main.run_action("conversation")
        await until(pilot, lambda: isinstance(app.screen, ConversationsScreen))
        listed = app.screen.query_one(ConversationList)
        assert listed.cursor == 1
        await pilot.press(*"TALK_4", "enter")
        await until(pilot, lambda: main.examination is not None)
        assert len(texts(main)) == 4
        await main.run_action("conversation")
        await until(pilot, lambda: isinstance(app.screen, ConversationsScreen))
        await pilot.press(*"no such", "enter")
        assert isinstance(app.screen, ConversationsScreen)
        await pilot.press("escape")
        assert len(texts(main)) == 4


async def test_no_conversation_is_chosen(tmp_path: Path) -> None:
    app = app_of(several(tmp_path / "talks.json"))
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, ConversationsScreen))
        await pilot.press("escape")
    assert app.return_code == 0
    assert app.last_words.endswith("no conversation was chosen")


async def test_the_only_conversation_has_no_others(tmp_path: Path) -> None:
    app = app_of(several(tmp_path / "talks.json", 1), conversation="talk_1")
    async with app.run_test(size=WIDE) as pilot:
        main = await read(pilot)
        await main.run_action("conversation")
        await until(pilot, lambda: notice(app))
        assert notice(app) == "The file holds one conversation."
        assert len(texts(main)) == 1


async def test_a_folder_with_a_file_of_several_conversations(tmp_path: Path) -> None:
    several(tmp_path / "talks.json")
    app = app_of(tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        folder = app.screen
        assert isinstance(folder, FolderScreen)
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "4 conversations" in folder.query_one(FileList).render_line(0).text
        assert "Enter lists them." in text_of(folder.query_one(FilePane))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ConversationsScreen))
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is folder
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ConversationsScreen))
        await pilot.press("enter")
        assert len(texts(await read(pilot))) == 1


async def test_a_file_that_broke_since_it_was_listed_leads_back_to_the_folder(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_text('["a"]')
    app = app_of(tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        folder = app.screen
        await app.workers.wait_for_complete()
        file.write_text("{}")
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is folder and folder.query_one(FolderTitle).problem)
        assert "the JSON object is empty" in folder.query_one(FolderTitle).problem


async def test_a_folder_that_is_a_session_as_a_whole(tmp_path: Path) -> None:
    session = {"id": "ses_1", "title": "a repair", "time": {"created": 1, "updated": 2}}
    message = {"id": "msg_1", "sessionID": "ses_1", "role": "user", "time": {"created": 1}}
    part = {"id": "prt_1", "messageID": "msg_1", "sessionID": "ses_1", "type": "text", "text": "hello"}
    written = {"session/p/ses_1.json": session, "message/ses_1/msg_1.json": message, "part/msg_1/prt_1.json": part}
    for name, value in written.items():
        file = tmp_path / "storage" / name
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(value))
    app = app_of(tmp_path / "storage")
    async with app.run_test(size=WIDE) as pilot:
        assert len(texts(await read(pilot))) == 1


# -- following ----------------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "_LOOKED_EACH_SECONDS", 0.01)


def add(file: Path, *messages: str) -> None:
    with file.open("a", encoding="utf-8") as out:
        out.write("".join(json.dumps({"role": "user", "content": text}) + "\n" for text in messages))
    # Some file systems tell the time in steps.
    os.utime(file, ns=(file.stat().st_atime_ns, file.stat().st_mtime_ns + 1_000_000))


@pytest.mark.usefixtures("quick")
async def test_what_is_added_is_shown_and_what_left_is_said(tmp_path: Path) -> None:
    file = tmp_path / "grows.jsonl"
    add(file, *(f"message {at}" for at in range(60)))
    app = app_of(file, follow=True, max_items=5)
    async with app.run_test(size=WIDE) as pilot:
        main = await read(pilot)
        assert "following the file" in title(app)
        await pilot.press("end", "up", "up", ")", "I")
        add(file, "message 60", "message 61")
        await until(pilot, lambda: len(texts(main)) == 62)
        assert notice(app) == "2 items came: #54 and #55 left the window."
        assert (main.selected, main.tab, main.settings.budget.max_items) == (57, "Content", 6)
        await pilot.press("end")
        add(file, "message 62")
        await until(pilot, lambda: len(texts(main)) == 63)
        assert notice(app) == "1 item came: #56 left the window."
        assert main.selected == 62
        await pilot.resize_terminal(*NARROW)
        await pilot.pause()
        assert "following the file" in title(app)
        assert "message 62" in main.query_one(ItemList).render_line(main.query_one(ItemList).size.height - 1).text


@pytest.mark.usefixtures("quick")
async def test_a_followed_file_may_be_gone_and_come_again(tmp_path: Path) -> None:
    file = tmp_path / "grows.jsonl"
    add(file, *(f"message {at}" for at in range(9)))
    app = app_of(file, follow=True)
    async with app.run_test(size=WIDE) as pilot:
        main = await read(pilot)
        file.unlink()
        await until(pilot, lambda: notice(app))
        assert notice(app).endswith("it is still followed")
        assert len(texts(main)) == 9
        other = tmp_path / "other"
        add(other, "another", "one")
        other.rename(file)  # at once: else it may be read while it is empty
        await until(pilot, lambda: len(texts(main)) == 2)
        assert notice(app) == "The file was written anew: it has 2 items now, and had 9."
        await pilot.press("q")
    assert app.return_code == 0


@pytest.mark.usefixtures("quick")
async def test_a_long_session_grows_while_it_is_measured_otherwise(tmp_path: Path) -> None:
    file = tmp_path / "grows.jsonl"
    add(file, *(f"message {at}" for at in range(6_000)))
    app = app_of(file, follow=True)
    async with app.run_test(size=WIDE) as pilot:
        main = await read(pilot)
        await pilot.press("s", "end")
        await until(pilot, lambda: main.examination and main.examination.settings.measure == "resumed")
        add(file, "message 6000")
        await until(pilot, lambda: len(texts(main)) == 6_001)
        assert main.examination is not None
        assert main.examination.session is main.session
        assert main.selected == 6_000


@pytest.mark.usefixtures("quick")
async def test_what_was_put_into_the_list_stays_in_it(tmp_path: Path) -> None:
    file = transcript(tmp_path / "repair.jsonl")
    app = app_of(file, follow=True)
    async with app.run_test(size=WIDE) as pilot:
        main = await read(pilot)
        await pilot.press("escape", "S", "space", "escape", "g", "1", "2", "enter")
        with file.open("a") as out:
            message = {"role": "user", "content": "message 40"}
            record = {"type": "user", "uuid": "u40", "parentUuid": "u39", "isSidechain": False, "message": message}
            out.write(json.dumps(record) + "\n")
        await until(pilot, lambda: len(texts(main)) == 41)
        assert notice(app) == "1 item came: nothing left the window."
        assert texts(main)[main.selected] == "message 12"
