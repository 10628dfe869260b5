"""Files appear whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from ctxviz.export.writing import ExportError, write_whole


def test_a_new_file(tmp_path: Path) -> None:
    target = tmp_path / "new.txt"
    write_whole(str(target), "Zeile\n日本\n")
    assert target.read_bytes() == "Zeile\n日本\n".encode()
    assert os.listdir(tmp_path) == ["new.txt"]


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    write_whole(str(tmp_path / "new"), "")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    target = tmp_path / "old"
    target.write_text("old")
    target.chmod(0o640)
    write_whole(str(target), "new")
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(str(link), "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    target = tmp_path / "old"
    target.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(ExportError, match="old: No space left on device"):
        write_whole(str(target), "new")
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["old"]


def test_an_interruption_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(str(tmp_path / "new"), "new")
    assert os.listdir(tmp_path) == []


def test_errors_name_the_path_and_the_cause(tmp_path: Path) -> None:
    with pytest.raises(ExportError) as missing:
        write_whole(str(tmp_path / "no" / "file"), "")
    assert str(missing.value) == f"{tmp_path / 'no' / 'file'}: there is no folder {tmp_path / 'no'}"
    with pytest.raises(ExportError) as folder:
        write_whole(str(tmp_path), "")
    assert str(folder.value) == f"{tmp_path}: is a folder"
    (tmp_path / "file").touch()
    with pytest.raises(ExportError) as no_folder:
        write_whole(str(tmp_path / "file" / "x"), "")
    assert str(no_folder.value) == f"{tmp_path / 'file' / 'x'}: {tmp_path / 'file'} is no folder"


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_what_is_not_writable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "file"
    target.write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    with pytest.raises(ExportError) as error:
        write_whole(str(target), "new")
    assert str(error.value) == f"{target}: the file is not writable"
    assert target.read_text() == "old"


def test_a_folder_that_is_not_writable(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    if os.access(tmp_path, os.W_OK):
        pytest.skip("root may write anywhere")
    try:
        with pytest.raises(ExportError) as error:
            write_whole(str(tmp_path / "new"), "new")
        assert str(error.value) == f"{tmp_path / 'new'}: the folder {tmp_path} is not writable"
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.skipif(os.name == "nt", reason="POSIX devices")
def test_a_device_is_written_to_and_stays() -> None:
    write_whole("/dev/null", "text")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
