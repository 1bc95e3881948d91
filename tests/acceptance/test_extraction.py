"""The extractor at full size: a million texts that nobody would write, texts of 1 MB, its speed."""

import gzip
import json
import multiprocessing
import random
import time
from collections import Counter
from pathlib import Path

import pytest

from tasks.core.extraction import EXTRACTOR, extract
from tasks.core.types import ExtractStatus, Question, QuestionType
from tests.acceptance.results import record
from tests.core.extraction.fragments import REPEATED, random_text
from tests.core.extraction.questions import NUMERIC, ONE, SOME, question

N_TEXTS, N_TEXTS_PER_SHARD = 1_000_000, 5_000
LONG = 1_000_000
LONG_LIMIT_S = 2.0
N_RESPONSES_PER_S = 1_000


def read_shard(seed: int) -> tuple[Counter[str], list[str]]:
    """Statuses of one shard's texts, and the texts whose extract breaks a promise."""
    dice = random.Random(seed)
    statuses: Counter[str] = Counter()
    broken = []
    for _ in range(N_TEXTS_PER_SHARD):
        text, kind = random_text(dice), dice.choice(list(QuestionType))
        asked, truncated = question(kind), dice.random() < 0.2
        try:
            found = extract(text, asked, truncated=truncated)
            statuses[found.status.value] += 1
            answered = found.status is ExtractStatus.ANSWERED
            kept = (found.answer is not None) is answered and (
                found.answer is None or extract(found.answer, asked).answer == found.answer
            )
        except Exception as error:  # noqa: BLE001 - any exception is what is looked for
            broken.append(f"{kind} {text!r}: {error!r}")
            continue
        if not kept:
            broken.append(f"{kind} {text!r}: {found}")
    return statuses, broken


@pytest.mark.timeout(3600)
def test_a_million_texts() -> None:
    start = random.SystemRandom().getrandbits(32)
    statuses: Counter[str] = Counter()
    broken: list[str] = []
    begin = time.monotonic()
    with multiprocessing.Pool() as pool:
        shards = range(start, start + N_TEXTS // N_TEXTS_PER_SHARD)
        for counted, failed in pool.imap_unordered(read_shard, shards):
            statuses += counted
            broken += failed
    record(
        f"extractor {EXTRACTOR}, random texts",
        texts=N_TEXTS,
        broken=len(broken),
        **dict(statuses),
        seed=start,
        seconds=round(time.monotonic() - begin),
    )
    assert broken == []
    assert statuses.total() == N_TEXTS


@pytest.mark.timeout(1800)
def test_texts_of_a_megabyte() -> None:
    taken: dict[float, str] = {}
    for unit in REPEATED:
        text = unit * (LONG // len(unit))
        for asked in (ONE, SOME, NUMERIC, question(QuestionType.EXPRESSION)):
            begin = time.process_time()
            extract(text, asked)
            taken[time.process_time() - begin] = f"{unit!r} for {asked.type}"
    worst = max(taken)
    record(
        f"extractor {EXTRACTOR}, repetitive texts of 1 MB",
        texts=4 * len(REPEATED),
        worst_s=round(worst, 2),
        worst=taken[worst],
    )
    assert worst < LONG_LIMIT_S, taken[worst]


def test_speed_on_real_responses(shared_data: Path) -> None:
    folder = shared_data / "jeebench"
    questions = {
        f"{row['description']}|{row['index']}": row
        for row in json.loads((folder / "dataset.json").read_text())
    }
    asked = []
    for name in ("GPT4_normal", "GPT3.5_normal"):
        with gzip.open(folder / f"extract_{name}.jsonl.gz", "rt") as lines:
            for row in map(json.loads, lines):
                kind = QuestionType(row["type"])
                asked.append(
                    (
                        row["response_text"] or "",
                        Question(row["id"], kind, questions[row["id"]]["question"]),
                    )
                )
    best = 0.0
    for _ in range(5):
        begin = time.process_time()
        for text, each in asked:
            extract(text, each)
        best = max(best, len(asked) / (time.process_time() - begin))
    record(f"extractor {EXTRACTOR}, published responses", per_s_on_one_core=round(best))
    assert best >= N_RESPONSES_PER_S
