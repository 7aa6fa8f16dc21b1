"""Results as DataFrames of pandas, which is installed with the extra `pandas`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from manc.errors import MancError
from manc.messages import HistoryPoint

if TYPE_CHECKING:
    import pandas


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise MancError("pandas is not installed.", 'Run: pip install "manc-client[pandas]"') from error
    return pandas


def history_frame_of(points: Sequence[HistoryPoint]) -> pandas.DataFrame:
    """One row for each time, one column for each metric. A metric without a value at a time is NaN."""
    pd = _pandas()
    frame = pd.DataFrame(
        {
            "time": pd.to_datetime([point.time for point in points], utc=True),
            "field": [point.field for point in points],
            "value": [point.value for point in points],
        }
    )
    wide: pandas.DataFrame = frame.drop_duplicates(["time", "field"], keep="last").pivot(
        index="time", columns="field", values="value"
    )
    wide.columns.name = None
    return wide


def prometheus_frame_of(data: Any) -> pandas.DataFrame:
    """One row for each time, one column for each series, with the text of its labels as the name."""
    pd = _pandas()
    columns: dict[str, Any] = {}
    for series in data["result"]:
        samples = series["values"] if "values" in series else [series["value"]]
        times = pd.to_datetime([float(at) for at, _ in samples], unit="s", utc=True)
        columns[_name_of(series["metric"])] = pd.Series([float(value) for _, value in samples], index=times)
    # Without a series there is no index to take the type from: an empty frame can be resampled too.
    index = None if columns else pd.DatetimeIndex([], tz="UTC")
    frame: pandas.DataFrame = pd.DataFrame(columns, index=index).sort_index()
    frame.index.name = "time"
    return frame


def _name_of(labels: dict[str, str]) -> str:
    name = labels.get("__name__", "")
    rest = ", ".join(f'{label}="{value}"' for label, value in sorted(labels.items()) if label != "__name__")
    return f"{name}{{{rest}}}" if rest or not name else name
