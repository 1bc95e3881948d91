"""The registry's models for people: what there is, and serving one until it is told to stop.

No table is written. `proctor models list` and `proctor models serve` are these functions.
"""

import signal
import threading
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

from tasks.core.registry import ModelEntry, Registry, resolve_model
from tasks.core.types import Question
from tasks.io.local_models import serve

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
            "prices_as_of": entry.prices and entry.prices.as_of.isoformat(),
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

    `questions` are what a scripted contestant knows. To be called in the main thread. Raises
    UnknownName, and what `io.local_models` raises.
    """
    entry = resolve_model(registry, name)
    stop = threading.Event()

    def ask_to_stop(_: int, __: FrameType | None) -> None:
        stop.set()

    earlier = {number: signal.signal(number, ask_to_stop) for number in _STOP_SIGNALS}
    try:
        with serve(entry, questions=questions, port=port) as server:
            say(server.base_url)
            while not stop.wait(_LOOK_EVERY_S):
                server.raise_if_ended()
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)


def _place(entry: ModelEntry) -> str:
    if entry.served is not None:
        return "served by Proctor"
    if entry.scripted is not None:
        return "scripted contestant"
    return str(entry.base_url)
