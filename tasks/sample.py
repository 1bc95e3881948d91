"""The bundled mini exam, worded by us: about 30 questions in all four types."""

from tasks.io.settings import DATA

SAMPLE_BENCHMARK = "sample"
SAMPLE_QUESTIONS = DATA / "sample" / "questions.json"
