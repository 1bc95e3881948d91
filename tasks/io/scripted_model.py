"""A scripted contestant behind the chat API: a program of known strength in the place of a model.

`python -m tasks.io.scripted_model --answers FILE.json --port 0` serves it on the loopback address
and prints its base URL. FILE.json has `name`, `share` and `questions` (`question_id`, `type`,
`question`, `options`, `gold`, `subject`); `core.scripted.contestant` decides the answers. A
question is found by its text inside the last message, so any prompt mode works; to any other prompt
it says that it cannot answer. Sampling parameters change nothing, except that `n` samples differ in
notation.

Token counts are estimates of four characters a token.
"""

import argparse
import json
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from aiohttp import web

from tasks.core.scripted.contestant import find_question, plain_text, script
from tasks.core.scripted.solutions import NO_SUCH_QUESTION, answer_text
from tasks.core.types import Question, QuestionType
from tasks.io.served_process import (
    LOOPBACK,
    STOP_WITH_STDIN,
    announce,
    open_listener,
    stop_with_stdin,
)

FINGERPRINT = "scripted"

_CHARACTERS_PER_TOKEN = 4
_MAX_BODY_BYTES = 64 * 1024**2
_MAX_SAMPLES = 128


def answers_file(name: str, share: float, questions: Iterable[Question]) -> str:
    """Return the content of FILE.json."""
    rows = [
        {
            "question_id": question.question_id,
            "type": question.type.value,
            "question": question.question,
            "options": dict(question.options),
            "gold": question.gold,
            "subject": question.subject,
        }
        for question in questions
    ]
    return json.dumps({"name": name, "share": share, "questions": rows})


def make_app(name: str, share: float, questions: Iterable[Question]) -> web.Application:
    """Make the server's application."""
    scripted = {plain_text(each.question.question): each for each in script(questions, share)}

    async def list_models(_: web.Request) -> web.Response:
        model = {"id": name, "object": "model", "created": 0, "owned_by": FINGERPRINT}
        return web.json_response({"object": "list", "data": [model]})

    async def complete(request: web.Request) -> web.Response:
        try:
            prompt, n_samples = _read_request(await request.json())
        except (ValueError, KeyError, TypeError, LookupError) as error:
            return _refusal(f"not a chat request: {error}")
        found = find_question(prompt, scripted)
        texts = [
            NO_SUCH_QUESTION if found is None else answer_text(found, sample)
            for sample in range(n_samples)
        ]
        return web.json_response(_completion(name, prompt, texts))

    app = web.Application(client_max_size=_MAX_BODY_BYTES)
    app.router.add_get("/v1/models", list_models)
    app.router.add_post("/v1/chat/completions", complete)
    return app


def _read_request(body: Mapping[str, Any]) -> tuple[str, int]:
    content = body["messages"][-1]["content"]
    n_samples = body.get("n") or 1
    if not isinstance(content, str):
        raise TypeError("the last message has no text")
    if not isinstance(n_samples, int) or not 1 <= n_samples <= _MAX_SAMPLES:
        raise ValueError(f"n must be a whole number from 1 to {_MAX_SAMPLES}")
    return content, n_samples


def _completion(name: str, prompt: str, texts: list[str]) -> dict[str, Any]:
    n_prompt = _tokens(prompt)
    n_completion = sum(_tokens(text) for text in texts)
    return {
        "id": f"scripted-{time.monotonic_ns():x}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": name,
        "system_fingerprint": FINGERPRINT,
        "choices": [
            {
                "index": index,
                "message": {"role": "assistant", "content": text},
                "finish_reason": "stop",
            }
            for index, text in enumerate(texts)
        ],
        "usage": {
            "prompt_tokens": n_prompt,
            "completion_tokens": n_completion,
            "total_tokens": n_prompt + n_completion,
        },
    }


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


def _refusal(message: str) -> web.Response:
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    return web.json_response({"error": error}, status=400)


def _read_answers_file(path: Path) -> tuple[str, float, list[Question]]:
    content = json.loads(path.read_text("utf-8"))
    questions = [
        Question(**row | {"type": QuestionType(row["type"])}) for row in content["questions"]
    ]
    return content["name"], content["share"], questions


def main() -> None:
    """Serve until stopped. The port is bound before it is announced, so there is no race for it."""
    parser = argparse.ArgumentParser(description="Serve a scripted contestant.")
    parser.add_argument("--answers", type=Path, required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument(STOP_WITH_STDIN, action="store_true")
    arguments = parser.parse_args()
    if arguments.stop_with_stdin:
        stop_with_stdin()
    app = make_app(*_read_answers_file(arguments.answers))
    listener = open_listener(arguments.port)

    async def say_ready(_: web.Application) -> None:
        announce(f"http://{LOOPBACK}:{listener.getsockname()[1]}/v1")

    app.on_startup.append(say_ready)
    web.run_app(app, sock=listener, print=None, access_log=None)


if __name__ == "__main__":
    main()
