"""Results as DataFrames."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pandas
import pytest

from conftest import Open
from manc import Credentials, Manc, MancError
from manc._core.frames import history_frame_of, prometheus_frame_of
from manc.messages import HistoryPoint
from support import eventually, unique


def test_the_history_is_a_frame_with_a_column_for_each_metric(connect: Open, manc: Manc) -> None:
    ap_id = unique("frame")
    manc.agents.register({"ap_id": ap_id, "password": "a-password", "configuration": {}})
    agent = connect(credentials=Credentials(ap_id, "a-password", login_type="agent"))
    start = datetime.now(timezone.utc).replace(microsecond=0) - timedelta(minutes=5)
    times = [start + timedelta(seconds=n) for n in range(3)]
    payloads = [{"clients": 1, "load_pct": 10.5}, {"clients": 2}, {"clients": 3, "load_pct": 30.5}]
    agent.agents.send_update(
        {"samples": [{"ts": time.isoformat(), "payload": each} for time, each in zip(times, payloads, strict=True)]}
    )

    def complete() -> pandas.DataFrame | None:
        read = manc.telemetry.history_frame(ap_id, from_=start - timedelta(seconds=1))
        # Series become visible one after the other.
        return read if read.count().sum() == 5 else None

    frame = eventually(complete)
    assert list(frame.columns) == ["clients", "load_pct"]
    assert list(frame.index) == [pandas.Timestamp(time) for time in times]
    assert list(frame["clients"]) == [1, 2, 3]
    assert frame["load_pct"].isna().tolist() == [False, True, False]
    assert frame.index.name == "time"


def test_a_query_of_a_period_is_a_frame_with_a_column_for_each_series(manc: Manc) -> None:
    end = datetime.now(timezone.utc).replace(microsecond=0)
    frame = manc.prometheus.query_frame("vector(7)", start=end - timedelta(minutes=1), end=end, step=15)
    assert frame.shape == (5, 1)
    assert set(frame.iloc[:, 0]) == {7.0}


def test_an_empty_history_is_an_empty_frame() -> None:
    assert history_frame_of([]).empty
    frame = prometheus_frame_of({"result": []})
    assert frame.empty
    assert frame.index.name == "time"
    assert frame.resample("1h").mean().empty


def test_the_name_of_a_column_has_the_labels_of_its_series() -> None:
    result = [{"metric": {"__name__": "load", "b": "2", "a": "1"}, "value": [10, "3"]}]
    assert list(prometheus_frame_of({"result": result}).columns) == ['load{a="1", b="2"}']


def test_without_pandas_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    point = HistoryPoint(time=datetime.now(timezone.utc), field="clients", value=1)
    with pytest.raises(MancError, match=r'pip install "manc-client\[pandas\]"'):
        history_frame_of([point])
