import json
import shutil
from pathlib import Path

import pytest

from tasks.core.errors import BadInput, UnknownName
from tasks.io.database import Database
from tasks.questions import ExportFormat, export_questions, import_keys, import_questions

ROWS = [
    {
        "description": "Mock 2031 Paper 1",
        "index": n,
        "subject": subject,
        "type": kind,
        "question": f"Question {n}?" + ("\n\n(A) one\n\n(B) two\n\n(C) three" if n < 3 else ""),
        "gold": gold,
    }
    for n, subject, kind, gold in [
        (1, "phy", "MCQ", "A"),
        (2, "phy", "MCQ(multiple)", "AC"),
        (3, "chem", "Numeric", "0.50"),
        (4, "math", "Integer", "007"),
    ]
]


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(tmp_path / "test.duckdb")


@pytest.fixture(scope="module")
def imported_mock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mock")
    database = Database(folder / "test.duckdb")
    import_questions(database, write(folder, ROWS), "mock")
    return database.path


@pytest.fixture
def mock(tmp_path: Path, imported_mock: Path) -> Database:
    """A database whose benchmark `mock` has `ROWS`."""
    return Database(Path(shutil.copy(imported_mock, tmp_path / "test.duckdb")))


def write(folder: Path, rows: object, name: str = "questions.json") -> Path:
    path = folder / name
    path.write_text(rows if isinstance(rows, str) else json.dumps(rows))
    return path


def rows_of(database: Database, statement: str) -> list[tuple[object, ...]]:
    with database.read() as store:
        return store.select(statement).rows()


def contents(database: Database) -> dict[str, int]:
    tables = ("questions", "answer_keys", "run_starts", "run_ends")
    return {table: len(rows_of(database, f"FROM {table}")) for table in tables}


def test_jeebench_counts(database: Database, shared_data: Path) -> None:
    imported = import_questions(database, shared_data / "jeebench" / "dataset.json", "jeebench")
    expected = json.loads((shared_data / "jeebench" / "jee_table2.json").read_text())["counts"]
    assert imported.n_new == imported.n_keys_new == expected["total"]
    assert imported.counts == expected["by_subject_type"]
    stored = rows_of(
        database,
        "SELECT subject, type, n FROM questions_by_subject_type "
        "WHERE subject IS NOT NULL AND type IS NOT NULL",
    )
    assert {(subject, kind): n for subject, kind, n in stored} == {
        (subject, kind): n
        for subject, by_type in expected["by_subject_type"].items()
        for kind, n in by_type.items()
    }


def test_texts_come_back_as_they_were(mock: Database, tmp_path: Path) -> None:
    stored = rows_of(
        mock, "SELECT question, gold, exam, number FROM questions_current ORDER BY position"
    )
    assert stored == [(r["question"], r["gold"], r["description"], r["index"]) for r in ROWS]


def test_the_same_file_again_changes_nothing(database: Database, tmp_path: Path) -> None:
    file = write(tmp_path, ROWS)
    import_questions(database, file, "mock")
    before = contents(database)
    again = import_questions(database, file, "mock")
    assert (again.n_new, again.n_changed, again.n_unchanged) == (0, 0, 4)
    assert (again.n_keys_new, again.n_keys_revised) == (0, 0)
    assert (
        contents(database)
        == before
        == {
            "questions": 4,
            "answer_keys": 4,
            "run_starts": 1,
            "run_ends": 1,
        }
    )


def test_only_what_changed_is_appended(mock: Database, tmp_path: Path) -> None:
    changed = [dict(row) for row in reversed(ROWS)]
    changed[0]["gold"] = "8"
    changed[1]["question"] = "Question 3, mended?"
    new = ROWS[3] | {"index": 5}
    imported = import_questions(mock, write(tmp_path, [*changed, new]), "mock")
    assert (imported.n_new, imported.n_changed, imported.n_unchanged) == (1, 1, 3)
    assert (imported.n_keys_new, imported.n_keys_revised) == (1, 1)
    assert rows_of(mock, "SELECT number, gold FROM questions_current ORDER BY position") == [
        (1, "A"),
        (2, "AC"),
        (3, "0.50"),
        (4, "8"),
        (5, "007"),
    ]
    assert contents(mock)["questions"] == 6


def test_questions_that_the_file_lacks_stay(mock: Database, tmp_path: Path) -> None:
    imported = import_questions(mock, write(tmp_path, ROWS[:1]), "mock")
    assert imported.notices == ("mock: 3 stored questions are not in the file and stay",)
    assert len(rows_of(mock, "FROM questions_current")) == 4


def test_a_file_that_is_silent_about_status_does_not_undo_it(
    database: Database, tmp_path: Path
) -> None:
    dropped = ROWS[0] | {"status": "dropped", "reason": "needs a figure", "has_figure": True}
    import_questions(database, write(tmp_path, [dropped]), "mock")
    imported = import_questions(database, write(tmp_path, [ROWS[0]]), "mock")
    assert imported.n_unchanged == 1
    assert rows_of(database, "SELECT status, reason, has_figure FROM questions_current") == [
        ("dropped", "needs a figure", True)
    ]


def test_benchmarks_are_apart(database: Database, tmp_path: Path) -> None:
    import_questions(database, write(tmp_path, ROWS), "one")
    imported = import_questions(database, write(tmp_path, ROWS[:2]), "two")
    assert (imported.n_new, imported.notices) == (2, ())


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_an_export_is_read_back_as_the_same_questions(
    database: Database, tmp_path: Path, form: ExportFormat
) -> None:
    csv = "id,type,question,gold,subject,status,A,B\n007,MCQ,Which?,B,x,kept,0.50,12:30:00\n"
    csv += "008,MCQ,Who?,A,,flagged,he,she\n009,Open,Say.,,,dropped,,\n"
    import_questions(database, write(tmp_path, csv, "own.csv"), "own")
    import_questions(database, write(tmp_path, ROWS), "mock")
    for benchmark in ("own", "mock"):
        text = export_questions(database, benchmark, include_all=True, form=form)
        again = import_questions(database, write(tmp_path, text, f"export.{form}"), benchmark)
        assert (again.n_new, again.n_changed, again.n_keys_revised) == (0, 0, 0)
    kept = export_questions(database, "own", include_all=False, form="jsonl")
    assert [json.loads(line)["question_id"] for line in kept.splitlines()] == ["007"]


def test_an_export_has_jeebenchs_fields_first(mock: Database, tmp_path: Path) -> None:
    first = json.loads(export_questions(mock, "mock", include_all=False, form="json"))[0]
    assert list(first)[:6] == ["description", "index", "subject", "type", "question", "gold"]
    assert {name: first[name] for name in list(first)[:6]} == ROWS[0]
    assert list(first)[6:] == ["question_id", "has_figure", "status", "reason"]


def test_keys_are_revised_without_touching_the_questions(
    database: Database, tmp_path: Path
) -> None:
    import_questions(
        database, write(tmp_path, [ROWS[0], ROWS[2], ROWS[3] | {"gold": None}]), "mock"
    )
    keys = "exam,number,gold\n" + "".join(
        f"Mock 2031 Paper 1,{n},{gold}\n"
        for n, gold in [(1, "A or C"), (3, "0.45 to 0.55"), (4, "dropped")]
    )
    file = write(tmp_path, keys, "keys.csv")
    imported = import_keys(database, file, "mock")
    assert (imported.n_new, imported.n_revised, imported.n_unchanged) == (1, 2, 0)
    assert rows_of(database, "SELECT gold FROM questions_current ORDER BY position") == [
        ("A or C",),
        ("0.45 to 0.55",),
        ("dropped",),
    ]
    again = import_keys(database, file, "mock")
    assert (again.n_new, again.n_revised, again.n_unchanged) == (0, 0, 3)
    assert contents(database)["questions"] == 3


def test_questions_without_a_key_are_counted(database: Database, tmp_path: Path) -> None:
    import_questions(database, write(tmp_path, [row | {"gold": None} for row in ROWS]), "mock")
    file = write(tmp_path, '{"question_id": "Mock 2031 Paper 1|4", "gold": 12}', "keys.json")
    assert import_keys(database, file, "mock").notices == ("mock: 3 questions still have no key",)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ('{"id": "Mock 2031 Paper 1|9", "gold": "A"}', "is no question of 'mock'"),
        ('{"id": "Mock 2031 Paper 1|1", "gold": "D"}', "options are A, B, C"),
        ('{"id": "Mock 2031 Paper 1|4", "gold": "B"}', "no key of type Integer"),
    ],
)
def test_keys_that_do_not_fit_change_nothing(
    mock: Database, tmp_path: Path, row: str, words: str
) -> None:
    before = contents(mock)
    good = '{"id": "Mock 2031 Paper 1|2", "gold": "B"}'
    with pytest.raises(BadInput, match=words):
        import_keys(mock, write(tmp_path, f"{good}\n{row}\n", "keys.jsonl"), "mock")
    assert contents(mock) == before


def test_a_benchmark_that_nobody_made_is_named(mock: Database, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="'other' has no questions; known: mock"):
        export_questions(mock, "other", include_all=True, form="json")
    with pytest.raises(UnknownName, match="known: mock"):
        import_keys(mock, write(tmp_path, '{"id": 1, "gold": 1}'), "other")


@pytest.mark.parametrize("name", ["", " ", " mock", "mo\nck"])
def test_names_that_nobody_could_type_again_are_refused(
    database: Database, tmp_path: Path, name: str
) -> None:
    with pytest.raises(BadInput, match="--benchmark"):
        import_questions(database, write(tmp_path, ROWS), name)
    assert not database.path.exists()
