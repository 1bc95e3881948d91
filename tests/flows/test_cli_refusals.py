"""What the command line refuses: one line, exit status 2, nothing changed, no stack trace."""

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from tasks.core.hashing import bytes_hash
from tasks.io.database import Database
from tests.commands import proctor, succeed
from tests.malformed_inputs import INTEGER, MALFORMED, MCQ, MalformedInput


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a benchmark `own` of two questions, published."""
    folder = tmp_path_factory.mktemp("own")
    questions = folder / "questions.json"
    questions.write_text(json.dumps([MCQ, INTEGER]))
    path = folder / "own.db"
    succeed("import", "questions", questions, "--benchmark", "own", "--db", path)
    return path


def contents(folder: Path) -> dict[str, str]:
    """Hash of each file of a folder; the lock, which says who wrote last, is left out."""
    return {
        path.name: bytes_hash(path.read_bytes())
        for path in folder.iterdir()
        if path.is_file() and path.suffix != ".lock"
    }


@pytest.fixture
def unchanged(own: Path) -> Iterator[Path]:
    """The database `own`; its bytes and its neighbours must be the same afterwards."""
    before = contents(own.parent)
    yield own
    assert contents(own.parent) == before


def import_of(case: MalformedInput, path: Path, database: Path) -> list[str | Path]:
    command: list[str | Path] = ["import", case.reader, path, "--benchmark", "own"]
    if case.reader == "responses":
        command += ["--model", "m", "--mode", "normal"]
    return [*command, "--db", database]


@pytest.mark.parametrize("case", MALFORMED, ids=lambda case: case.name)
def test_malformed_file(case: MalformedInput, unchanged: Path, tmp_path: Path) -> None:
    path = case.write(tmp_path)
    proctor(*import_of(case, path, unchanged)).assert_refused(path.name[:200])


@pytest.mark.parametrize("case", MALFORMED[::10], ids=lambda case: case.name)
def test_malformed_file_makes_no_database(case: MalformedInput, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    path = case.write(tmp_path)
    proctor(*import_of(case, path, folder / "new.db")).assert_refused()
    assert list(folder.iterdir()) == []


EVALUATE = ("evaluate", "--benchmark", "own")
URL = ("--base-url", "http://127.0.0.1:9/v1")
M = (*EVALUATE, "--model", "m", *URL)
OPTIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "unknown model": ((*EVALUATE, "--model", "gpt-nine"), ("gpt-nine",)),
    "unknown mode": ((*M, "--mode", "telepathy"), ("telepathy", "normal")),
    "unknown benchmark": (
        ("evaluate", "--benchmark", "none", "--model", "m", *URL),
        ("none", "own"),
    ),
    "no model": (EVALUATE, ("model",)),
    "no benchmark": (("evaluate", "--model", "m"), ("benchmark",)),
    "negative limit": ((*M, "--limit", "-3"), ("--limit", "-3")),
    "limit of words": ((*M, "--limit", "many"), ("many",)),
    "no samples": ((*M, "--samples", "0"), ("--samples",)),
    "hot": ((*M, "--temperature", "3"), ("--temperature", "3")),
    "temperature that is no number": ((*M, "--temperature", "nan"), ("--temperature",)),
    "endless budget": ((*M, "--budget", "nan"), ("--budget",)),
    "no tokens": ((*M, "--max-tokens", "-1"), ("--max-tokens",)),
    "no concurrency": ((*M, "--concurrency", "0"), ("--concurrency",)),
    "budget without prices": ((*M, "--budget", "1"), ("--budget", "prices")),
    "unknown type": ((*M, "--type", "mcq"), ("--type", "MCQ(multiple)")),
    "no question left": ((*M, "--subject", "alchemy"), ("alchemy",)),
    "extra body no JSON": ((*M, "--extra-body", "{top_k: 4}"), ("--extra-body",)),
    "extra body a list": ((*M, "--extra-body", "[1]"), ("--extra-body", "object")),
    "extra body with NaN": ((*M, "--extra-body", '{"top_k": NaN}'), ("--extra-body",)),
    "extra body sets messages": ((*M, "--extra-body", '{"messages": []}'), ("messages",)),
    "base URL no address": ((*EVALUATE, "--model", "m", "--base-url", "there"), ("base",)),
    "unknown option": ((*M, "--tempreature", "1"), ("tempreature",)),
    "unknown command": (("evaulate",), ("evaulate",)),
    "unknown question": (("trace", "q9", "--benchmark", "own"), ("q9", "q1")),
    "trace in no benchmark": (("trace", "q1", "--benchmark", "none"), ("none", "own")),
    "export of no benchmark": (("export", "questions", "--benchmark", "none"), ("none",)),
    "export format": (("export", "questions", "--benchmark", "own", "--format", "xml"), ("xml",)),
    "rescore nothing": (("rescore", "--benchmark", "own"), ("own",)),
    "rescore tolerance": (("rescore", "--benchmark", "own", "--tolerance", "loose"), ("loose",)),
    "report of no benchmark": (("report", "--benchmark", "none", "--out", "nowhere"), ("none",)),
    "serve an unknown model": (("models", "serve", "gpt-nine"), ("gpt-nine",)),
    "backup over a file": (("db", "backup", __file__), ("exists",)),
    "backup into no folder": (("db", "backup", "/none/such/copy.db"), ("/none/such",)),
    "sql that writes": (("sql", "DELETE FROM questions"), ("read-only",)),
    "sql that makes a table": (("sql", "CREATE TABLE x AS SELECT 1"), ()),
    "sql that is wrong": (("sql", "SELEC 1"), ("SELEC",)),
    "sql of nothing": (("sql", ""), ()),
    "sql that fails midway": (("sql", "SELECT error('no')"), ("no",)),
    "sql that reads a file": (("sql", "SELECT * FROM read_csv('/etc/passwd')"), ("disabled",)),
    "sql that reads text": (("sql", "SELECT * FROM read_text('/etc/passwd')"), ("disabled",)),
    "sql that globs": (("sql", "SELECT * FROM glob('/etc/*')"), ("disabled",)),
    "sql of a file by name": (("sql", "SELECT * FROM '/etc/passwd.csv'"), ()),
    "sql that copies out": (("sql", "COPY (SELECT 1) TO 'copied.csv'"), ("disabled",)),
    "sql that exports": (("sql", "EXPORT DATABASE 'exported'"), ()),
    "sql that attaches": (("sql", "ATTACH 'attached.db'"), ("disabled",)),
    "sql that installs": (("sql", "INSTALL httpfs"), ()),
    "sql that loads": (("sql", "LOAD httpfs"), ()),
    "sql that opens up": (("sql", "SET enable_external_access = true"), ()),
    "two statements": (("sql", "SELECT 1; COPY (SELECT 1) TO 'copied.csv'"), ()),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_option(
    name: str, unchanged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments, words = OPTIONS[name]
    proctor(*arguments, "--db", unchanged).assert_refused(*words)
    assert list(tmp_path.iterdir()) == []


def write_text_file(folder: Path) -> Path:
    (folder / "notes.db").write_text("These are notes.\n" * 10)
    return folder / "notes.db"


def write_other_database(folder: Path) -> Path:
    with contextlib.closing(duckdb.connect(str(folder / "other.db"))) as connection:
        connection.execute("CREATE TABLE orders (id INTEGER)")
    return folder / "other.db"


def write_future_database(folder: Path) -> Path:
    path = folder / "future.db"
    with Database(path).open():
        pass
    with contextlib.closing(duckdb.connect(str(path))) as connection:
        connection.execute(
            "INSERT INTO applied_files VALUES ('schema/999_new_things', 'f00', now())"
        )
    return path


def write_damaged_database(folder: Path) -> Path:
    path = folder / "damaged.db"
    with Database(path).open():
        pass
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    return path


DATABASES: dict[str, tuple[Callable[[Path], Path], str]] = {
    "folder": (lambda folder: folder, ""),
    "no such folder": (lambda folder: folder / "none" / "x.db", "none"),
    "text file": (write_text_file, "not a DuckDB database"),
    "another program's": (write_other_database, "orders"),
    "from the future": (write_future_database, "newer Proctor"),
    "damaged": (write_damaged_database, "damaged.db"),
}
WRITES = ("import", "questions", "good.json", "--benchmark", "own")
COMMANDS: dict[str, tuple[str, ...]] = {
    "import": WRITES,
    "evaluate": (*EVALUATE, "--model", "m", *URL),
    "dry run": (*EVALUATE, "--model", "m", *URL, "--dry-run"),
    "sql": ("sql", "SELECT 1"),
    "cost": ("cost",),
    "trace": ("trace", "q1", "--benchmark", "own"),
    "report": ("report", "--out", "report"),
    "verify": ("db", "verify"),
    "publish": ("db", "publish"),
    "rescore": ("rescore", "--benchmark", "own"),
    "export": ("export", "questions", "--benchmark", "own"),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", DATABASES)
def test_database_that_is_none(
    kind: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "place"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.json").write_text(json.dumps([MCQ]))
    make, word = DATABASES[kind]
    path = make(folder)
    before = contents(folder)
    proctor(*COMMANDS[command], "--db", path).assert_refused(word)
    assert contents(folder) == before


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "import"])
def test_no_database_is_made_by_a_command_that_needs_one(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    proctor(*COMMANDS[command], "--db", tmp_path / "new.db").assert_refused()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["import", "evaluate"])
def test_folder_without_permission(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "good.json").write_text(json.dumps([MCQ]))
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(0o555)
    tmp_path.chmod(0o755)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65534)
    try:
        said = proctor(*COMMANDS[command], "--db", folder / "new.db")
    finally:
        if is_root:
            os.seteuid(0)
    said.assert_refused()
    assert list(folder.iterdir()) == []


def test_registry_that_is_wrong(
    unchanged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "models.toml").write_text('[m]\nbase_url = "http://localhost/v1"\ntimeuot_s = 3\n')
    monkeypatch.setenv("PROCTOR_REGISTRY", str(tmp_path))
    proctor(*EVALUATE, "--model", "m", "--db", unchanged).assert_refused(
        "models.toml", "timeuot_s", "timeout_s"
    )


def test_environment_that_is_wrong(unchanged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROCTOR_DB_WAIT", "long")
    proctor("cost", "--db", unchanged).assert_refused("PROCTOR_DB_WAIT")


def test_key_that_is_none(unchanged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-\nüsecret")
    said = proctor(*M, "--db", unchanged)
    said.assert_refused("OPENAI_API_KEY")
    assert "secret" not in said.err
