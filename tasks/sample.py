"""The bundled mini exam, worded by us: about 30 questions in all four types."""

from tasks.core.files.questions import parse_questions
from tasks.core.registry.entries import Registry
from tasks.core.scripted.contestant import expected_score
from tasks.io.files import read_file
from tasks.io.settings import DATA

SAMPLE_BENCHMARK = "sample"
SAMPLE_QUESTIONS = DATA / "sample" / "questions.json"


def scripted_scores(registry: Registry) -> dict[str, float]:
    """Model → the score (0–1) that each scripted contestant must get on the mini exam, exactly."""
    parsed = parse_questions(read_file(SAMPLE_QUESTIONS), str(SAMPLE_QUESTIONS))
    questions = [each.question for each in parsed.questions]
    return {
        entry.name: float(expected_score(questions, entry.scripted.share))
        for entry in registry.models.values()
        if entry.scripted is not None
    }
