"""What is sent to a model, and the identity of it.

Proctor's own defaults are always sent; the server's are never assumed. The identity of a request is
the hash of its body and of the endpoint that it goes to. `n` and `stream` are not part of a body
here: how samples are fetched does not change what they are.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tasks.core.errors import BadInput
from tasks.core.hashing import canonical_json, content_hash

Api = Literal["chat", "completions"]
PROMPT_FIELDS = frozenset({"model", "messages", "prompt"})
_FETCH_FIELDS = frozenset({"n", "stream", "stream_options"})


@dataclass(frozen=True, slots=True)
class SamplingParameters:
    """How an answer is sampled.

    `effort` is the reasoning effort of models that have one; the fields of `extra_body` go into the
    body as they are, over everything else.
    """

    temperature: float
    max_tokens: int
    top_p: float = 1.0
    seed: int | None = None
    stop: tuple[str, ...] = ()
    effort: str | None = None
    extra_body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A parameter that a model does not take: with any value, or with `value` only.

    `value` is canonical JSON; None: any. `replaced_by`: the name it takes instead, if any.
    """

    parameter: str
    value: str | None = None
    replaced_by: str | None = None

    def covers(self, parameter: str, value: Any) -> bool:
        """Whether this parameter with this value is refused."""
        return self.parameter == parameter and self.value in (None, canonical_json(value))


def parameter_fields(parameters: SamplingParameters) -> dict[str, Any]:
    """The parameters as fields of a body; those that are not set are left out.

    Raises BadInput where `extra_body` names a field that Proctor itself sets.
    """
    if own := (PROMPT_FIELDS | _FETCH_FIELDS) & parameters.extra_body.keys():
        raise BadInput(
            f"extra_body must not set {', '.join(sorted(own))}: Proctor does "
            "(the number of samples is --samples)"
        )
    fields: dict[str, Any] = {
        "temperature": parameters.temperature,
        "top_p": parameters.top_p,
        "max_tokens": parameters.max_tokens,
    }
    if parameters.seed is not None:
        fields["seed"] = parameters.seed
    if parameters.stop:
        fields["stop"] = list(parameters.stop)
    if parameters.effort is not None:
        fields["reasoning_effort"] = parameters.effort
    return fields | dict(parameters.extra_body)


def without_refused(fields: Mapping[str, Any], refusals: Iterable[Refusal]) -> dict[str, Any]:
    """The fields that the model takes; refused ones are dropped or renamed.

    A rename is itself subject to the refusals, whatever their order; a circle of renames drops the
    parameter. A field that is there under the new name already keeps its value.
    """
    known = tuple(refusals)
    taken: dict[str, Any] = {}
    renamed: dict[str, Any] = {}
    for first_name, value in fields.items():
        name: str | None = first_name
        seen: set[str] = set()
        while name is not None and (refusal := _refusal(known, name, value)) is not None:
            seen.add(name)
            name = None if refusal.replaced_by in seen else refusal.replaced_by
        if name == first_name:
            taken[name] = value
        elif name is not None:
            renamed.setdefault(name, value)
    return renamed | taken


def messages(prompt: str, system_prompt: str | None) -> list[dict[str, str]]:
    """One user message, after the system prompt where there is one."""
    user = {"role": "user", "content": prompt}
    return [user] if system_prompt is None else [{"role": "system", "content": system_prompt}, user]


def request_body(
    api: Api, api_name: str, prompt_messages: list[dict[str, str]], fields: Mapping[str, Any]
) -> dict[str, Any]:
    """A whole body. The legacy completions API takes the contents of the messages as one text."""
    if api == "chat":
        return {"model": api_name, "messages": prompt_messages, **fields}
    prompt = "\n\n".join(message["content"] for message in prompt_messages)
    return {"model": api_name, "prompt": prompt, **fields}


def request_hash(endpoint: str, body: Mapping[str, Any]) -> str:
    """Identity of a request: equal bodies at one endpoint are one request."""
    return content_hash({"endpoint": endpoint, "body": dict(body)})


def _refusal(known: tuple[Refusal, ...], name: str, value: Any) -> Refusal | None:
    return next((refusal for refusal in known if refusal.covers(name, value)), None)
