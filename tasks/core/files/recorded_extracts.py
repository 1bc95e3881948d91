"""What a person read in a response, as an extract: an extractor version of its own.

A person's reading has no place in the text and no runners-up. It is taken as it is, in normal form
(`db` → `BD`, `01` → `1`); several letters for a question with one right option stay several. Text
that is no answer of the question's type is `unparsed`, never wrong.
"""

from tasks.core.files.responses import RecordedExtract
from tasks.core.questions.answer_keys import number_text, read_expression, read_letters, read_number
from tasks.core.types import Candidate, Extract, ExtractStatus, QuestionType

RECORDED = "recorded"


def read_recorded(recorded: RecordedExtract, question_type: QuestionType) -> Extract:
    """Read what was recorded for a sample. `abstained` where the person found no answer."""
    if recorded.text is None:
        return Extract(None, ExtractStatus.ABSTAINED, RECORDED)
    answer = _normal_form(recorded.text, question_type)
    if answer is not None:
        return Extract(answer, ExtractStatus.ANSWERED, RECORDED)
    unread = Candidate(recorded.text, RECORDED, 0, 0)
    return Extract(None, ExtractStatus.UNPARSED, RECORDED, candidates=(unread,))


def _normal_form(text: str, question_type: QuestionType) -> str | None:
    match question_type:
        case QuestionType.MCQ | QuestionType.MCQ_MULTIPLE:
            return read_letters(text)
        case QuestionType.INTEGER | QuestionType.NUMERIC:
            value = read_number(text)
            return None if value is None else number_text(value)
        case QuestionType.EXPRESSION:
            expression = read_expression(text)
            return None if expression is None else expression.text
        case QuestionType.OPEN:
            return text
