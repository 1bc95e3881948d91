"""Makes pages: the only importer of the template engine and of the chart renderer, and the one
place that writes a folder of files for people.

Templates, style sheets, scripts and chart specifications are files of `data/report`.
"""

import json
import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import vl_convert
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tasks.core.errors import BadInput
from tasks.core.report import formats
from tasks.core.report.charts import ChartData
from tasks.io.settings import DATA

ASSETS = DATA / "report"

Writer = Callable[[Path], object]


@cache
def asset(name: str) -> str:
    """Text of a file of `data/report`."""
    return (ASSETS / name).read_text(encoding="utf-8")


def render(template: str, **values: Any) -> str:
    """A page from a template. Every value is escaped unless it is `Markup`; an unknown name
    raises. Filters are the functions of `core.report.formats`."""
    return _environment().get_template(template).render(values)


def draw(specification: str, chart: ChartData) -> str:
    """SVG of a Vega-Lite specification of `data/report` with its data sets. Offline."""
    spec = json.loads(asset("chart_theme.json")) | json.loads(asset(specification))
    spec["params"] = [{"name": "labelWidth", "value": chart.label_width}]
    spec["datasets"] = chart.datasets
    svg: str = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    return svg


def text_file(text: str) -> Writer:
    """Write UTF-8 text."""
    return lambda path: path.write_text(text, encoding="utf-8")


def csv_file(frame: pl.DataFrame) -> Writer:
    """Write CSV in which text stands in quotes, so that NULL (nothing) and "" differ and text can
    be told from numbers."""
    flat = frame.with_columns(
        pl.col(pl.Datetime).dt.strftime("%Y-%m-%dT%H:%M:%S%.6fZ"),
    )
    return lambda path: flat.write_csv(path, quote_style="non_numeric")


def parquet_file(frame: pl.DataFrame) -> Writer:
    """Write Parquet."""
    return lambda path: frame.write_parquet(path)


def write_files(folder: Path, files: Mapping[str, Writer]) -> None:
    """Write files into a folder, which is made where it is missing.

    All are written whole under temporary names first, then renamed in order, so that a reader finds
    the old file or the new one, and a fault leaves the old ones. Raises BadInput where the folder
    cannot be written.
    """
    for name in files:
        if (folder / name).is_dir():
            raise BadInput(f"{folder / name}: cannot be written, a folder has this name")
    temporary = {folder / name: folder / f".{name}.{os.getpid()}.tmp" for name in files}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, write in zip(temporary.values(), files.values(), strict=True):
            write(path)
            _sync(path)
        for path, written in temporary.items():
            os.replace(written, path)
    except OSError as error:
        raise BadInput(f"{folder}: cannot be written ({error.strerror or error})") from None
    finally:
        for written in temporary.values():
            _remove(written)


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(ASSETS),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for name in ("score", "percent", "marks", "count", "usd", "when", "contestant"):
        environment.filters[name] = getattr(formats, name)
    return environment
