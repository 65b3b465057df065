"""Long background work in slices lets searches run first, but does not wait for endless ones."""

from __future__ import annotations

import threading

from stores.background import Precedence


def test_slice_of_background_work_waits_for_running_searches() -> None:
    searches, order, working = Precedence(), [], threading.Event()

    def work() -> None:
        working.set()
        searches.give_way(60)
        order.append("slice")

    thread = threading.Thread(target=work)
    with searches.ahead():
        with searches.ahead():
            thread.start()
            assert working.wait(60)
        order.append("search")
    thread.join(60)
    assert order == ["search", "slice"]


def test_background_work_continues_during_an_endless_search() -> None:
    searches = Precedence()
    with searches.ahead():
        searches.give_way()
    assert searches.begun == 1
