"""The published tables of JEEBench come out of the commands, cell by cell.

The whole way: import of the questions and of two published response files, marks, views.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tasks.core.hashing import content_hash
from tasks.evaluations import dry_run, evaluation_of
from tasks.io.database import Database
from tests.commands import rows_of, succeed

MODELS = ("GPT4", "GPT3.5")


@pytest.fixture(scope="module")
def jeebench(shared_data: Path) -> Path:
    return shared_data / "jeebench"


@pytest.fixture(scope="module")
def database(jeebench: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("jeebench") / "jee.duckdb"
    about = ("--benchmark", "jeebench", "--db", path)
    succeed("import", "questions", jeebench / "dataset.json", *about)
    for model in MODELS:
        file = jeebench / f"responses_{model}_normal.json.gz"
        how = ("--model", model, "--recorded-extracts", "--tolerance", "official")
        succeed("import", "responses", file, *about, *how)
    return path


def cells(table: dict[str, Any]) -> Iterator[tuple[str | None, str | None, float]]:
    """Subject, type (None: all) and score of every cell of a model's table."""
    yield None, None, table["total"]
    for subject, score in table["by_subject"].items():
        yield subject, None, score
    for kind, score in table["by_type"].items():
        yield None, kind, score
    for subject, by_type in table["by_subject_type"].items():
        for kind, score in by_type.items():
            yield subject, kind, score


def test_table_1(jeebench: Path, database: Path) -> None:
    counts = json.loads((jeebench / "jee_table2.json").read_text())["counts"]
    rows = rows_of(database, "SELECT subject, type, n FROM questions_by_subject_type")
    found = {(row["subject"], row["type"]): row["n"] for row in rows}
    assert found == {(subject, kind): n for subject, kind, n in cells(counts)}


@pytest.mark.parametrize("model", [*MODELS, "Random"])
def test_table_2(jeebench: Path, database: Path, model: str) -> None:
    table = json.loads((jeebench / "jee_table2.json").read_text())["table"]
    if model == "Random":
        expected = table["Random"]
        rows = rows_of(database, "SELECT * FROM random_baseline WHERE benchmark = 'jeebench'")
    else:
        expected = table[f"{model}_normal"]
        rows = rows_of(
            database, f"SELECT * FROM leaderboard_by_subject_type WHERE model = '{model}'"
        )
    found = {(row["subject"], row["type"]): round(row["score"], 3) for row in rows}
    assert len(rows) == len(found) == 20
    assert found == {(subject, kind): score for subject, kind, score in cells(expected)}


@pytest.mark.parametrize("model", MODELS)
def test_each_question_s_score(jeebench: Path, database: Path, model: str) -> None:
    expected = json.loads((jeebench / "jee_scores_per_question.json").read_text())
    rows = rows_of(
        database, f"SELECT question_id, score FROM scores_current WHERE model = '{model}'"
    )
    assert {row["question_id"]: row["score"] for row in rows} == expected[f"{model}_normal"]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("kind", ["MCQ", "MCQ(multiple)"])
@pytest.mark.parametrize(
    ("span", "years"),
    [("all", "2016 AND 2023"), ("y2016_2022", "2016 AND 2022"), ("y2023", "2023 AND 2023")],
)
def test_exam_marks(
    jeebench: Path, database: Path, model: str, kind: str, span: str, years: str
) -> None:
    published = json.loads((jeebench / "jee_exam_marks.json").read_text())
    expected = published[span][f"{model}_normal"][kind]
    (row,) = rows_of(
        database,
        "SELECT sum(positive) AS positive, sum(negative) AS negative, sum(total) AS total, "
        "sum(max_total) AS max, sum(n) AS n FROM exam_marks WHERE exam IS NULL AND subject IS NULL "
        f"AND model = '{model}' AND type = '{kind}' AND year BETWEEN {years}",
    )
    assert row == {name: expected[name] for name in row}


@pytest.mark.parametrize("model", MODELS)
def test_marks_of_2023_and_their_maximum(jeebench: Path, database: Path, model: str) -> None:
    (row,) = rows_of(
        database,
        "SELECT max_total, n FROM exam_marks WHERE year = 2023 AND exam IS NULL "
        f"AND subject IS NULL AND type IS NULL AND model = '{model}'",
    )
    assert row == {"max_total": 229, "n": 65}


def test_the_total_over_all_years_counts_each_question_once(database: Path) -> None:
    (row,) = rows_of(
        database,
        "SELECT n FROM exam_marks WHERE year IS NULL AND exam IS NULL AND subject IS NULL "
        "AND type IS NULL AND model = 'GPT4'",
    )
    assert row == {"n": 515}


def test_prompts_of_a_run_are_the_published_ones(jeebench: Path, database: Path) -> None:
    expected = json.loads((jeebench / "jee_prompt_sha256_normal.json").read_text())
    url = "http://127.0.0.1:9/v1"
    asked = {"benchmark": "jeebench", "models": ["m"], "modes": ["normal"], "base_url": url}
    (line,) = dry_run(Database(database), evaluation_of(asked))
    assert (line.n_questions, line.n_calls) == (515, 515)
    assert line.prompt_pack.startswith("imported:")
    planned = planned_prompts(database)
    assert {name: hashlib.sha256(text.encode()).hexdigest() for name, text in planned.items()} == (
        expected
    )


def planned_prompts(database: Path) -> dict[str, str]:
    """What a run would send: question id to the text of its one message."""
    from tasks.registry import open_registry
    from tasks.sittings import SittingOptions, plan_sittings

    registry = open_registry()
    model = registry.models["vllm"]
    mode, pack = registry.mode("normal"), registry.packs["normal"]
    with Database(database).open() as store:
        plan = plan_sittings(store, "jeebench", model, mode, pack, SittingOptions())
    assert {request.prompt_hash for request in plan.requests} == {
        content_hash(request.messages) for request in plan.requests
    }
    return {
        sitting.question.question_id: sitting.request.messages[0]["content"]
        for sitting in plan.sittings
    }


def test_the_decimal_rule_is_one_command_away(database: Path, tmp_path: Path) -> None:
    """And so is the way back; which models it changes depends on their answers."""
    copy = tmp_path / "copy.duckdb"
    succeed("db", "backup", copy, "--db", database)
    again = ("rescore", "--benchmark", "jeebench", "--extractor", "recorded", "--db", copy)
    rows = succeed(*again, "--tolerance", "decimal", "--json").json["scores"]
    changed = {row["type"] for row in rows if row["n_scores"]}
    assert changed <= {"Numeric"}
    assert sum(row["n_answers"] for row in rows) == 0
    succeed(*again, "--tolerance", "official")
    before = rows_of(database, "SELECT * EXCLUDE (benchmark_hash) FROM leaderboard")
    assert rows_of(copy, "SELECT * EXCLUDE (benchmark_hash) FROM leaderboard") == before


@pytest.mark.parametrize("model", MODELS)
def test_rules_score_as_the_authors_readings_as_often_as_their_view_says(
    jeebench: Path, database: Path, tmp_path: Path, model: str
) -> None:
    """Against the published scores, which are those of the authors' readings."""
    copy = tmp_path / "copy.duckdb"
    succeed("db", "backup", copy, "--db", database)
    succeed("rescore", "--benchmark", "jeebench", "--tolerance", "official", "--db", copy)
    published = json.loads((jeebench / "jee_scores_per_question.json").read_text())
    scores = rows_of(copy, f"SELECT question_id, score FROM scores_current WHERE model = '{model}'")
    n_equal = sum(
        published[f"{model}_normal"][row["question_id"]] == row["score"] for row in scores
    )
    rules = (
        "SELECT against, sum(n) AS n, sum(n_compared) AS n_compared, "
        "sum(n_score_equal) AS n_score_equal, sum(n_agree) / sum(n_compared) AS precision "
        f"FROM extract_rules WHERE model = '{model}' GROUP BY ALL"
    )
    (row,) = rows_of(copy, rules)
    assert row.pop("precision") >= 0.97
    assert row == {"against": "recorded", "n": 515, "n_compared": 515, "n_score_equal": n_equal}


def test_the_database_is_sound(database: Path) -> None:
    succeed("db", "verify", "--db", database)
