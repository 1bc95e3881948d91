"""The architecture, read from the source: which layer imports which, and where SQL may stand."""

import ast
import re
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from itertools import takewhile
from pathlib import Path

import pytest

from tasks.io.sql_files import SqlFile, sql_files

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted(path for folder in ("flows", "tasks") for path in (ROOT / folder).rglob("*.py"))
OURS = {"flows", "tasks"}

# Downwards, or sideways without a circle. The command line also turns core's errors to exit codes.
LAYERS = {
    "flow": {"flow", "stage"},
    "stage": {"stage", "io", "core"},
    "io": {"io", "core"},
    "core": {"core"},
}
COMMAND_LINE_MODULES = {"cli", "cli_options", "cli_review", "cli_run", "cli_store", "terminal"}
NOT_IN_CORE = {"asyncio", "duckdb", "openai", "os", "pathlib", "prefect", "socket", "subprocess"}
# Libraries that compute, hold values, draw a terminal or orchestrate. Every other one is an edge.
EVERYWHERE = {"latex2mathml", "markupsafe", "numpy", "polars"}
ORCHESTRATION = {"prefect"}
COMMAND_LINE = {"cyclopts", "rich"}

STATEMENT = re.compile(
    r"\s*(select\b.+\bfrom\b|with\b.+\bselect\b|from\s+\w+\s+select|insert\s+(or\s+\w+\s+)?into"
    r"|update\s+\w+\s+set|delete\s+from|merge\s+into|copy\s+(from|\w+\s+to)|comment\s+on|attach\s+'"
    r"|(create|alter|drop)\s+(or\s+replace\s+)?(temp\w*\s+)?(table|view|schema|index|macro|sequence)\b)",
    re.IGNORECASE | re.DOTALL,
)
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "shared", "base"}


def _layer(path: Path) -> str:
    folders = path.relative_to(ROOT).parts[:-1]
    match folders:
        case ("flows",):
            return "flow"
        case ("tasks",):
            return "stage"
        case ("tasks", ("io" | "core") as layer, *_):
            return layer
    raise AssertionError(f"{path} is in no layer")


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(level=0, module=str(module), names=names):
                yield from (f"{module}.{name.name}" for name in names)
            case ast.ImportFrom():
                raise AssertionError(f"{path} has a relative import")


def _imported_layers(path: Path) -> set[str]:
    ours = (name.split(".") for name in _imports(path) if name.split(".")[0] in OURS)
    return {
        "flow" if top == "flows" else rest[0] if rest[0] in ("io", "core") else "stage"
        for top, *rest in ours
    }


def _libraries(path: Path) -> set[str]:
    return {name.split(".")[0] for name in _imports(path)} - OURS


def _id(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", SOURCES, ids=_id)
def test_dependencies_run_one_way(path: Path) -> None:
    allowed = LAYERS[_layer(path)]
    if path.stem in COMMAND_LINE_MODULES:
        allowed = allowed | {"core"}
    assert _imported_layers(path) <= allowed


def test_no_import_goes_in_a_circle() -> None:
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in SOURCES}
    graph = {
        name: {
            target
            for imported in _imports(path)
            for target in (imported, imported.rpartition(".")[0])
            if target in modules
        }
        for name, path in modules.items()
    }
    order = TopologicalSorter(graph).static_order()
    assert set(order) == set(modules)


@pytest.mark.parametrize("path", SOURCES, ids=_id)
def test_libraries_stay_in_their_layer(path: Path) -> None:
    libraries = _libraries(path)
    third_party = libraries - sys.stdlib_module_names
    match _layer(path):
        case "core":
            assert not libraries & NOT_IN_CORE
            assert third_party <= EVERYWHERE
        case "stage":
            assert third_party <= EVERYWHERE | ORCHESTRATION
        case "flow":
            assert third_party <= ORCHESTRATION | COMMAND_LINE
        case "io":
            assert not third_party & (ORCHESTRATION | COMMAND_LINE)


EDGES = {
    "duckdb": {"database", "schema", "store"},
    "orjson": {"journal"},
    "openai": {"transport", "model_client"},
    "tenacity": {"model_client"},
    "aiohttp": {"transport", "scripted_model"},
    "httpx2": {"transport"},
    "jinja2": {"pages"},
    "psutil": {"provenance"},
    "pypdfium2": {"pdf_engine", "pdf_drawings"},
    "vl_convert": {"pages"},
    "xllamacpp": {"local_models"},
}


def test_each_library_has_its_one_importer() -> None:
    importers: dict[str, set[str]] = {}
    for path in SOURCES:
        if _layer(path) == "io":
            for library in _libraries(path) - sys.stdlib_module_names - EVERYWHERE:
                importers.setdefault(library, set()).add(path.stem)
    surplus = {
        library: stems - EDGES.get(library, set())
        for library, stems in importers.items()
        if stems - EDGES.get(library, set())
    }
    assert not surplus, "a library gets a new importer only with an entry in EDGES"


@pytest.mark.parametrize("path", SOURCES, ids=_id)
def test_names_say_what_a_module_holds(path: Path) -> None:
    assert not VAGUE_NAMES & {path.stem, *path.relative_to(ROOT).parts[:-1]}


@pytest.mark.parametrize("path", [p for p in SOURCES if _layer(p) == "flow"], ids=_id)
def test_a_flow_is_a_table_of_contents(path: Path) -> None:
    if path.stem in COMMAND_LINE_MODULES:
        pytest.skip("the command line is not a flow")
    steps = [
        step
        for each in ast.walk(ast.parse(path.read_text()))
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
        for step in ast.walk(ast.Module(each.body, []))
        if isinstance(step, ast.stmt)
    ]
    assert len(steps) <= 25


@pytest.mark.parametrize("path", SOURCES, ids=_id)
def test_no_sql_in_python(path: Path) -> None:
    """`tasks/io/sql_files.py` writes the few statements that take no bound parameter."""
    if path == ROOT / "tasks" / "io" / "sql_files.py":
        pytest.skip("the writer of statements without parameters")
    assert not [text for text in _texts_of_code(path) if STATEMENT.match(text)]


def test_every_query_is_used() -> None:
    """By its name, or by a name that is put together (`append_<table>`) of parts that are used."""
    used = {text for path in SOURCES for text in _texts_of_code(path)}
    unused = {file.name for file in sql_files("queries")} - used
    composed = {prefix + rest for prefix in ("append_", "report_table_") for rest in used}
    assert unused - composed == set()


ALL_SQL = [
    pytest.param(folder, file, id=f"{folder}/{file.name}")
    for folder in ("schema", "views", "queries", "checks")
    for file in sql_files(folder)
]


@pytest.mark.parametrize(("folder", "file"), ALL_SQL)
def test_sql_file_is_one_statement_with_its_contract(folder: str, file: SqlFile) -> None:
    header = "\n".join(_header(file))
    body = "\n".join(file.text.splitlines()[len(_header(file)) :])
    code = re.sub(r"'[^']*'|--.*", "", body).strip()
    assert code.count(";") == 1
    assert code.endswith(";")
    assert header
    assert set(re.findall(r"\$\w+", body)) == set(re.findall(r"\$\w+", header))
    if folder in ("schema", "views"):
        assert "Grain:" in header
    if folder == "views":
        assert f"CREATE OR REPLACE VIEW {file.name} AS" in body
    if folder == "schema":
        assert not re.search(r"\b(FOREIGN KEY|REFERENCES)\b", body)


def _header(file: SqlFile) -> list[str]:
    return list(takewhile(lambda line: line.startswith("--"), file.text.splitlines()))


def _texts_of_code(path: Path) -> Iterator[str]:
    """Texts that a program uses: everything but docstrings."""
    tree = ast.parse(path.read_text())
    docstrings = {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if node not in docstrings:
                yield text
            case ast.JoinedStr(values=values):
                parts = (part.value if isinstance(part, ast.Constant) else "x" for part in values)
                yield "".join(map(str, parts))
