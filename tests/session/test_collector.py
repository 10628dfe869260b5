"""The collector rests while much is decoded, and always wakes up."""

from __future__ import annotations

import gc

import pytest

from ctxviz.session.collector import MANY_BYTES, collector_at_rest


def test_it_rests_for_much_only() -> None:
    with collector_at_rest(MANY_BYTES - 1):
        assert gc.isenabled()
    with collector_at_rest(MANY_BYTES):
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_wakes_up_when_loading_is_cancelled() -> None:
    with pytest.raises(KeyboardInterrupt), collector_at_rest(MANY_BYTES):
        raise KeyboardInterrupt
    assert gc.isenabled()


def test_one_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with collector_at_rest(MANY_BYTES):
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()
