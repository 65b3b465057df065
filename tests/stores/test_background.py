"""Long work in slices lets a search go ahead, and is not held up by searches that never end."""

from __future__ import annotations

import threading

from stores.background import Precedence


def test_a_slice_of_long_work_begins_after_the_searches_that_run() -> None:
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


def test_long_work_goes_on_beside_a_search_that_does_not_end() -> None:
    searches = Precedence()
    with searches.ahead():
        searches.give_way()
    assert searches.begun == 1
