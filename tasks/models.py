"""The registry's models for people: what there is, and serving one until it is told to stop.

No table is written. `proctor models list` and `proctor models serve` are these functions.
"""

import signal
import time
from collections.abc import Callable, Sequence
from typing import Any

from tasks.core.files.questions import parse_questions
from tasks.core.registry.entries import ModelEntry, Registry, resolve_model
from tasks.core.types import Question
from tasks.io.files import read_file
from tasks.io.local_models import serve
from tasks.io.settings import DATA

_LOOK_EVERY_S = 1.0
_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def list_models(registry: Registry) -> list[dict[str, Any]]:
    """One row of JSON values for each model, in the order of the registry's files.

    `place` is a base URL, `served by Proctor` or `scripted contestant`; prices are US dollars per
    million tokens, null where the registry has none.
    """
    return [
        {
            "model": entry.name,
            "api_name": entry.api_name,
            "place": _place(entry),
            "endpoint": entry.endpoint_id,
            "api_key_env": entry.api_key_env,
            "context_tokens": entry.context_tokens,
            "training_cutoff": entry.training_cutoff and entry.training_cutoff.isoformat(),
            "input_price": entry.prices and entry.prices.input,
            "output_price": entry.prices and entry.prices.output,
            "prices_as_of": _price_date(entry),
            "capabilities": sorted(entry.capabilities),
        }
        for entry in registry.models.values()
    ]


def serve_model(
    registry: Registry,
    name: str,
    *,
    port: int = 0,
    questions: Sequence[Question] = (),
    say: Callable[[str], None] = print,
) -> None:
    """Serve a model until Ctrl-C or SIGTERM; says its base URL when it is ready.

    `questions` are what a scripted contestant knows; the bundled sample exam where none are given.
    To be called in the main thread. Raises UnknownName, and what `io.local_models` raises.
    """
    entry = resolve_model(registry, name)
    known = questions or (_sample_questions() if entry.scripted is not None else ())
    earlier = {number: signal.getsignal(number) for number in _STOP_SIGNALS}
    try:
        for number in _STOP_SIGNALS:
            signal.signal(number, signal.default_int_handler)
        with serve(entry, questions=known, port=port) as server:
            say(server.base_url)
            while True:
                time.sleep(_LOOK_EVERY_S)
                server.raise_if_ended()
    except KeyboardInterrupt:
        return
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)


def _sample_questions() -> list[Question]:
    path = DATA / "sample" / "questions.json"
    return [each.question for each in parse_questions(read_file(path), path.name).questions]


def _price_date(entry: ModelEntry) -> str | None:
    return str(entry.prices.as_of) if entry.prices and entry.prices.as_of else None


def _place(entry: ModelEntry) -> str:
    if entry.served is not None:
        return "served by Proctor"
    if entry.scripted is not None:
        return "scripted contestant"
    return str(entry.base_url)
