import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tasks.core.calls.text_storage import from_stored
from tasks.core.errors import BadInput, UnknownName
from tasks.core.marking import mark
from tasks.core.prompts.rendering import render
from tasks.core.questions.answer_keys import parse_key
from tasks.core.questions.stored_rows import question_of
from tasks.core.types import ExtractStatus, MarkingScheme, QuestionType, Tolerance
from tasks.io.database import Database
from tasks.questions import import_keys, import_questions
from tasks.responses import ResponsesImported, import_responses
from tasks.sittings import imported_pack

QUESTIONS = [
    {"id": "q1", "type": "MCQ", "question": "Which?\n\n(A) one\n\n(B) two", "gold": "A"},
    {"id": "q2", "type": "Integer", "question": "How many?", "gold": "7"},
    {"id": "q3", "type": "Integer", "question": "How often?", "gold": "3"},
]
ANSWERS = [
    {"question_id": "q1", "response": "It is (A).", "extract": "A"},
    {"question_id": "q2", "response": "Seven. Or 8.", "extract": "None"},
    {"question_id": "q3", "response": "3", "extract": "3"},
]


@pytest.fixture(scope="module")
def imported_questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("questions")
    database = Database(folder / "test.duckdb")
    import_questions(database, write(folder, QUESTIONS, "questions.jsonl"), "own")
    return database.path


@pytest.fixture
def database(tmp_path: Path, imported_questions: Path) -> Database:
    return Database(Path(shutil.copy(imported_questions, tmp_path / "test.duckdb")))


def write(folder: Path, rows: list[Any], name: str = "responses.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def imported(
    database: Database, folder: Path, rows: list[Any], **options: Any
) -> ResponsesImported:
    return import_responses(database, write(folder, rows), "own", "m", "normal", **options)


def rows_of(database: Database, statement: str) -> list[tuple[Any, ...]]:
    with database.read() as store:
        return store.select(statement).rows()


CONTENTS = """
    SELECT
        (SELECT count(*) FROM calls), (SELECT count(*) FROM completions),
        (SELECT count(*) FROM sittings), (SELECT count(*) FROM extracts),
        (SELECT count(*) FROM run_starts), (SELECT count(*) FROM scoring_choices)
"""


@pytest.mark.parametrize("model", ["GPT4", "GPT3.5"])
def test_published_responses_give_the_published_scores_and_prompts(
    tmp_path: Path, shared_data: Path, model: str
) -> None:
    database = Database(tmp_path / "jee.duckdb")
    folder = shared_data / "jeebench"
    import_questions(database, folder / "dataset.json", "jeebench")
    file = folder / f"responses_{model}_normal.json.gz"
    done = import_responses(database, file, "jeebench", model, "normal", recorded_extracts=True)
    assert (done.n_questions, done.n_samples, done.n_recorded, done.notices) == (515, 1, 515, ())

    with database.read() as store:
        pack = imported_pack(store, "jeebench", "normal")
        stored = store.query("questions_of_benchmark", benchmark="jeebench")
        read = store.select("SELECT question_id, answer, status, extractor FROM extracts_current")
    assert pack is not None
    questions = {row["question_id"]: question_of(row) for row in stored.iter_rows(named=True)}
    prompts = json.loads((folder / "jee_prompt_sha256_normal.json").read_text())
    assert prompts == {
        identity: hashlib.sha256(render(question, pack).encode()).hexdigest()
        for identity, question in questions.items()
    }
    scores = json.loads((folder / "jee_scores_per_question.json").read_text())[f"{model}_normal"]
    assert scores == {
        row["question_id"]: mark(
            ExtractStatus(row["status"]),
            row["answer"],
            parse_key(question.gold, question.type),
            question.type,
            MarkingScheme(1.0),
            Tolerance.OFFICIAL,
        ).score
        for row in read.iter_rows(named=True)
        if (question := questions[row["question_id"]])
    }
    assert set(read["extractor"]) == {"recorded"}


def test_published_arena_hard_answers(tmp_path: Path, shared_data: Path) -> None:
    database = Database(tmp_path / "arena.duckdb")
    folder = shared_data / "arena"
    import_questions(database, folder / "question_v0.1.jsonl.gz", "arena-hard")
    file = folder / "model_answer_gpt-4-0613.jsonl.gz"
    done = import_responses(database, file, "arena-hard", "gpt-4-0613", "normal")
    assert (done.n_questions, done.n_recorded, done.notices) == (500, 0, ())
    ((n_replies,),) = rows_of(database, "SELECT count(*) FROM samples_current WHERE is_reply")
    assert n_replies == 500


def test_replies_are_stored_as_samples_of_their_questions(
    database: Database, tmp_path: Path
) -> None:
    done = imported(database, tmp_path, ANSWERS)
    assert (done.n_questions, done.n_replies, done.is_new) == (3, 3, True)
    assert rows_of(
        database,
        "SELECT question_id, sample_index, text, is_reply FROM samples_current ORDER BY ALL",
    ) == [(row["question_id"], 0, row["response"], True) for row in ANSWERS]


def test_the_same_file_again_changes_nothing(database: Database, tmp_path: Path) -> None:
    imported(database, tmp_path, ANSWERS, recorded_extracts=True)
    before = rows_of(database, CONTENTS)
    again = imported(database, tmp_path, ANSWERS, recorded_extracts=True)
    assert not again.is_new
    assert rows_of(database, CONTENTS) == before == [(3, 3, 3, 3, 2, 1)]


def test_a_corrected_file_takes_the_place_of_the_first(database: Database, tmp_path: Path) -> None:
    imported(database, tmp_path, ANSWERS)
    corrected = [*ANSWERS[:2], ANSWERS[2] | {"response": "4"}]
    assert imported(database, tmp_path, corrected).is_new
    query = "SELECT text FROM samples_current WHERE question_id = 'q3'"
    assert rows_of(database, query) == [("4",)]
    assert imported(database, tmp_path, ANSWERS).is_new
    assert rows_of(database, query) == [("3",)]
    assert rows_of(database, CONTENTS)[0][:2] == (6, 6)


def test_epochs_are_apart(database: Database, tmp_path: Path) -> None:
    imported(database, tmp_path, ANSWERS)
    assert imported(database, tmp_path, ANSWERS, epoch="2031-W01").is_new
    assert rows_of(
        database, "SELECT epoch, count(*) FROM samples_current GROUP BY 1 ORDER BY 1"
    ) == [
        ("", 3),
        ("2031-W01", 3),
    ]


def test_the_option_decides_whose_reading_counts(database: Database, tmp_path: Path) -> None:
    extractor = "SELECT extractor FROM scoring_choices_current"
    imported(database, tmp_path, ANSWERS, recorded_extracts=True, tolerance=Tolerance.OFFICIAL)
    assert rows_of(database, extractor) == [("recorded",)]
    assert rows_of(
        database, "SELECT question_id, answer, status FROM extracts_current ORDER BY ALL"
    ) == [("q1", "A", "answered"), ("q2", None, "abstained"), ("q3", "3", "answered")]
    assert imported(database, tmp_path, ANSWERS).is_new
    assert rows_of(database, extractor) != [("recorded",)]
    assert rows_of(database, "SELECT tolerance FROM scoring_choices_current") == [("official",)]


def test_extracts_that_are_not_there_cannot_be_used(database: Database, tmp_path: Path) -> None:
    bare = [{name: row[name] for name in ("question_id", "response")} for row in ANSWERS]
    with pytest.raises(BadInput, match="3 of 3 samples have no field 'extract'"):
        imported(database, tmp_path, bare, recorded_extracts=True)
    assert imported(database, tmp_path, bare).n_recorded == 0


def test_samples_and_failed_calls_keep_their_slots(database: Database, tmp_path: Path) -> None:
    usage = {"prompt_tokens": 5, "completion_tokens": 9}
    choices = [{"index": n, "message": {"content": text}} for n, text in enumerate("AAB")]
    rows = [
        {"question_id": "q1", "m_sc_response": {"choices": choices, "usage": usage}},
        {"question_id": "q2", "m_sc_response": [{"error": "overloaded"}, "7", "8"]},
        {"question_id": "q3", "m_sc_response": ["3"]},
    ]
    done = imported(database, tmp_path, rows)
    assert (done.n_samples, done.n_replies, done.n_failed) == (3, 5, 1)
    assert done.notices == (
        f"{tmp_path / 'responses.jsonl'}: 1 of 5 replies are failed calls",
        "own: 1 questions have fewer than 3 samples",
    )
    assert rows_of(
        database,
        "SELECT question_id, sample_index, text, is_reply FROM samples_current ORDER BY ALL",
    ) == [
        ("q1", 0, "A", True),
        ("q1", 1, "A", True),
        ("q1", 2, "B", True),
        ("q2", 0, "", False),
        ("q2", 1, "7", True),
        ("q2", 2, "8", True),
        ("q3", 0, "3", True),
        ("q3", 1, None, False),
        ("q3", 2, None, False),
    ]
    assert rows_of(
        database, "SELECT n_returned, input_tokens FROM calls ORDER BY n_returned DESC LIMIT 1"
    ) == [(3, 5)]


def test_odd_texts_are_stored_losslessly(database: Database, tmp_path: Path) -> None:
    odd = "\ud83d half, \x00 nul, \u202e right to left " + "x" * 10**6
    imported(database, tmp_path, [ANSWERS[0] | {"response": odd}, *ANSWERS[1:]])
    (stored,) = rows_of(
        database, "SELECT text, text_bytes FROM samples_current WHERE question_id = 'q1'"
    )
    assert from_stored(*stored) == odd


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"question_id": "q9"}, r"line 1.*'q9' is no question of benchmark 'own'"),
        ({"question": "Which other?"}, r"line 1.*another text than that of 'q1'"),
    ],
)
def test_answers_to_other_questions_change_nothing(
    database: Database, tmp_path: Path, changes: dict[str, str], words: str
) -> None:
    before = rows_of(database, CONTENTS)
    with pytest.raises(BadInput, match=words):
        imported(database, tmp_path, [ANSWERS[0] | changes, *ANSWERS[1:]])
    assert rows_of(database, CONTENTS) == before


def test_the_benchmarks_gold_holds_over_the_files(database: Database, tmp_path: Path) -> None:
    golds = ["B", "7.0", "3"]
    rows = [row | {"gold": gold} for row, gold in zip(ANSWERS, golds, strict=True)]
    done = imported(database, tmp_path, rows)
    assert done.notices == (
        f"{tmp_path / 'responses.jsonl'}: 1 rows have another gold than the benchmark; "
        "the benchmark's holds",
    )
    assert rows_of(database, "SELECT gold FROM questions_current ORDER BY position") == [
        ("A",),
        ("7",),
        ("3",),
    ]


def test_questions_without_a_response_are_counted(database: Database, tmp_path: Path) -> None:
    done = imported(database, tmp_path, ANSWERS[:1])
    assert done.notices == ("own: 2 of 3 kept questions have no response",)


PROMPTS = [
    "Choose.\n\nWhich?\n\n(A) one\n\n(B) two",
    "Count.\n\nHow many?",
    "Count.\n\nHow often?",
]


def with_prompts(prompts: list[str]) -> list[dict[str, str]]:
    return [row | {"prompt": prompt} for row, prompt in zip(ANSWERS, prompts, strict=True)]


def test_prompts_that_share_their_wording_become_the_modes(
    database: Database, tmp_path: Path
) -> None:
    done = imported(database, tmp_path, with_prompts(PROMPTS))
    with database.read() as store:
        pack = imported_pack(store, "own", "normal")
    assert pack is not None
    assert pack.name == done.pack
    assert {kind: (f.prefix, f.suffix) for kind, f in pack.by_type.items()} == {
        QuestionType.MCQ: ("Choose.\n\n", ""),
        QuestionType.INTEGER: ("Count.\n\n", ""),
    }
    assert rows_of(database, "SELECT type, n_verified FROM prompt_packs ORDER BY ALL") == [
        ("Integer", 2),
        ("MCQ", 1),
    ]


def test_another_wording_of_a_mode_takes_the_firsts_place_and_says_so(
    database: Database, tmp_path: Path
) -> None:
    first = imported(database, tmp_path, with_prompts(PROMPTS))
    other = [prompt.replace("Count.", "Count well.") for prompt in PROMPTS]
    second = imported(database, tmp_path, with_prompts(other))
    assert second.pack != first.pack
    assert second.notices == (
        f"mode normal: this file's prompt wording takes the place of {first.pack}",
    )


@pytest.mark.parametrize(
    ("prompts", "words"),
    [
        ([*PROMPTS[:2], "Tell.\n\nHow often?"], "'q3' (Integer) does not fit the 2 rows"),
        ([*PROMPTS[:2], "Is this right?"], "'q3'"),
    ],
)
def test_prompts_that_prove_no_wording_are_said_and_the_replies_kept(
    database: Database, tmp_path: Path, prompts: list[str], words: str
) -> None:
    done = imported(database, tmp_path, with_prompts(prompts))
    assert (done.pack, done.n_replies) == (None, 3)
    assert words in done.notices[0]
    assert rows_of(database, "FROM prompt_packs") == []


def test_a_wording_that_lacks_a_type_is_not_used(database: Database, tmp_path: Path) -> None:
    done = imported(database, tmp_path, with_prompts(PROMPTS)[1:])
    assert done.pack is None
    assert done.notices[0] == "no prompt wording was imported: responses.jsonl has no MCQ"


def test_samples_that_were_asked_differently_are_refused(
    database: Database, tmp_path: Path
) -> None:
    rows = [ANSWERS[1] | {"prompt": "How many?"}, ANSWERS[1] | {"prompt": "How many, roughly?"}]
    with pytest.raises(BadInput, match="line 2: field 'prompt': differs"):
        imported(database, tmp_path, rows)


def test_unknown_benchmarks_and_blank_names_are_refused(database: Database, tmp_path: Path) -> None:
    file = write(tmp_path, ANSWERS)
    with pytest.raises(UnknownName, match="known: own"):
        import_responses(database, file, "other", "m", "normal")
    with pytest.raises(BadInput, match="--model"):
        import_responses(database, file, "own", " ", "normal")


def test_no_database_is_made_for_a_benchmark_that_is_not_there(tmp_path: Path) -> None:
    database = Database(tmp_path / "none.duckdb")
    with pytest.raises(UnknownName, match="no database"):
        imported(database, tmp_path, ANSWERS)
    with pytest.raises(UnknownName, match="no database"):
        import_keys(database, write(tmp_path, [{"id": "q1", "gold": "A"}]), "own")
    assert [path.name for path in tmp_path.iterdir()] == ["responses.jsonl"]
