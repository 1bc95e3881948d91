"""What an error response means for the call, the row and the model: a closed sum, `CallError`.

Servers say the same in many spellings; each rule names the servers it was written for. A rule
reads the error's `code`, `type` and `param` before its words. A 4xx that no rule knows is
`RowRefused` with the server's text: never retried, never taken for something else.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tasks.core.errors import ProctorError


@dataclass(frozen=True, slots=True)
class Retriable:
    """The same request may succeed later. `is_rate_limit`: the server asks for fewer requests."""

    message: str
    code: str | None
    is_rate_limit: bool = False


@dataclass(frozen=True, slots=True)
class QuotaExhausted:
    """The account has no money or quota left: no request to the model can succeed."""

    message: str
    code: str | None


@dataclass(frozen=True, slots=True)
class ModelRefused:
    """Key refused (`is_key`), or no such model or address: no request to the model can succeed."""

    message: str
    code: str | None
    is_key: bool = False


@dataclass(frozen=True, slots=True)
class ContextOverflow:
    """Prompt and answer together are too long for the model."""

    message: str
    code: str | None


@dataclass(frozen=True, slots=True)
class Filtered:
    """The server's content policy refused the prompt."""

    message: str
    code: str | None


@dataclass(frozen=True, slots=True)
class RowRefused:
    """Any other 4xx: this request will never succeed as it is."""

    message: str
    code: str | None


class ParameterRefused(ProctorError):
    """The server does not take a parameter; without it, or changed, the request may succeed.

    Also an exception, because only the caller can ask again. `parameter` is a top-level name of
    the request body. `value_specific`: refused is the value that was sent (or a part of it),
    not the parameter. `replacement`: the parameter that the server names instead.
    """

    def __init__(
        self,
        parameter: str,
        *,
        value_specific: bool = False,
        replacement: str | None = None,
        message: str = "",
        code: str | None = None,
    ) -> None:
        super().__init__(message or f"parameter {parameter!r} is refused")
        self.parameter = parameter
        self.value_specific = value_specific
        self.replacement = replacement
        self.message = str(self)
        self.code = code


CallError = (
    Retriable
    | QuotaExhausted
    | ModelRefused
    | ContextOverflow
    | Filtered
    | RowRefused
    | ParameterRefused
)

_QUOTA_CODES = frozenset(
    {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_funds"}
)
_MODEL_CODES = frozenset(
    {
        "model_not_found",
        "model_decommissioned",
        "model_not_available",
        "deploymentnotfound",
        "invalid_model",
    }
)
_MODEL_WORDS = re.compile(
    r"is not a valid model id|model(?: \S+)? (?:is |was )?(?:does not exist|not found)"
    r"|\b(?:unknown|no such) model\b"
    r"|plain http request was sent to https port",  # nginx
    re.I,
)
_KEY_CODES = frozenset({"invalid_api_key", "authentication_error", "unauthenticated"})
_KEY_WORDS = re.compile(
    r"\bapi[ _-]?key (?:is )?(?:not valid|invalid|expired|missing)\b"  # Gemini, with HTTP 400
    r"|\b(?:invalid|incorrect|expired|no) api[ _-]?key\b",
    re.I,
)
_OVERFLOW_CODES = frozenset({"context_length_exceeded", "exceed_context_size_error"})
_OVERFLOW_WORDS = re.compile(
    r"maximum context length"  # OpenAI, vLLM, DeepSeek
    r"|maximum model length"  # vLLM
    r"|exceeds? (?:the )?(?:available |model'?s? |maximum )?context"  # llama.cpp, Anthropic
    r"|context (?:length|window|size|limit)[^.\n]{0,40}exceed"
    r"|(?:prompt|input) is too long"  # Anthropic, Bedrock
    r"|exceeds the maximum number of tokens"  # Gemini
    r"|`?max_new_tokens`? must be <=",  # TGI
    re.I,
)
_FILTER_CODES = frozenset(
    {
        "content_filter",
        "content_policy_violation",
        "responsibleaipolicyviolation",
        "data_inspection_failed",
        "moderation_blocked",
    }
)
_FILTER_WORDS = re.compile(
    r"content (?:management )?policy|usage policy|(?:was|were|been) flagged|inappropriate content"
    r"|content exists risk",  # DeepSeek
    re.I,
)
_TOO_LARGE_FOR_LIMIT = re.compile(r"request too large", re.I)

_STATUS_OF_CODE = {
    "invalid_request_error": 400,
    "invalid_argument": 400,
    "badrequesterror": 400,
    "authentication_error": 401,
    "invalid_api_key": 401,
    "unauthenticated": 401,
    "permission_error": 403,
    "permission_denied": 403,
    "not_found_error": 404,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "resource_exhausted": 429,
    "too_many_requests": 429,
}
_RATE_LIMIT_WORDS = re.compile(r"\brate[ -]?limit|too many requests", re.I)

_UNSUPPORTED_CODES = frozenset(
    {"unsupported_parameter", "unknown_parameter", "extra_forbidden", "value_error.extra"}
)
_VALUE_CODES = frozenset({"unsupported_value"})

_WORD = r"(?P<name>\b[A-Za-z_]\w*(?:[.\[]\w+\]?)*)"
_NAME = rf"[`'\"“‘]?{_WORD}[`'\"”’]?"
_QUOTED = rf"[`'\"“‘]{_WORD}[`'\"”’]"
_NOT_TAKEN = (
    r"(?:not supported|not allowed|not permitted|not available|not recogni[sz]ed|not accepted"
    r"|unsupported|deprecated)"
)
_VALUE_WORDS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"unsupported value:?\s*{_QUOTED}",  # OpenAI
        rf"{_QUOTED} does not support \S+ with this model",  # OpenAI
        r"\b(?P<name>n)\b['\"`]?\s*:?\s*(?:number )?must be (?:at most )?1\b",  # Groq, vLLM
    )
)
_ONE_CHOICE_ONLY = re.compile(r"only one completion choice is allowed", re.I)  # llama.cpp
_PARAMETER_WORDS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"unsupported param(?:eter)?s?(?:\(s\))?:?\s*{_NAME}",  # OpenAI, llama.cpp
        r"(?:unknown|unrecogni[sz]ed|unexpected) (?:request |keyword |input )?"
        rf"(?:parameter|argument|field|property|key|name)s?(?: supplied)?:?\s*{_NAME}",
        rf"unknown name {_QUOTED}",  # Gemini
        r"'loc': \(?\[?'body', '(?P<name>\w+)'[^}]*extra inputs are not permitted",  # vLLM
        rf"{_NAME}:?\s+extra (?:fields|inputs) (?:are )?not permitted",  # pydantic 1, Anthropic
        rf"extra (?:fields|inputs) (?:are )?not permitted, field: {_QUOTED}",  # Fireworks
        rf"additional properties are not allowed \({_QUOTED}",  # JSON Schema
        rf"(?:parameter|argument|field|property|option)s? {_NAME} (?:is|are) {_NOT_TAKEN}",
        rf"{_QUOTED} (?:parameter |field )?(?:is|are) {_NOT_TAKEN}",
        rf"^{_NAME} (?:is|are) {_NOT_TAKEN}",
        rf"do(?:es)? not support (?:the )?(?:parameter|argument)s?:? ?\[?{_NAME}",  # xAI, LiteLLM
        rf"do(?:es)? not support (?:the )?{_QUOTED} (?:parameter|argument|field)",
        rf"(?:parameter|argument)s? not supported[^:\n]{{0,60}}:\s*{_NAME}",  # xAI
        rf"^{_NAME} param requires",  # llama.cpp
    )
)
_REPLACEMENT = re.compile(r"\buse [`'\"“‘](?P<name>\w+)[`'\"”’] instead", re.I)
_REFUSED = re.compile(rf"{_NOT_TAKEN}|does not support|do not support|not allowed to request", re.I)
_LONGEST_MESSAGE_READ = 4_000


class _Fault(NamedTuple):
    """One error object of a body, or one level of it. `codes` are in lower case, numbers too."""

    message: str
    codes: tuple[str, ...]
    parameter: str | None


def classify(http_status: int, body: Any, *, sent: Collection[str]) -> CallError:
    """Say what a response means whose status is not 2xx.

    `body` is its JSON value, or its text where it is not JSON. `sent` has the top-level names of
    the request body: only a parameter that was sent is ever refused, so that the words of a
    message are not taken for one and a caller that drops what is refused comes to an end.
    """
    faults = tuple(_faults(body, 0))
    codes = {code for fault in faults for code in fault.codes}
    message = "; ".join(dict.fromkeys(fault.message for fault in faults if fault.message))
    message = message[:_LONGEST_MESSAGE_READ] or f"HTTP {http_status} without a text"
    code = next((code for fault in reversed(faults) for code in fault.codes), None)

    if codes & _OVERFLOW_CODES or _OVERFLOW_WORDS.search(message):
        return ContextOverflow(message, code)
    if http_status == 402 or codes & _QUOTA_CODES:
        return QuotaExhausted(message, code)
    if http_status == 429 and _TOO_LARGE_FOR_LIMIT.search(message):
        return RowRefused(message, code)
    if 300 <= http_status < 400:
        return ModelRefused(f"the address redirects elsewhere (HTTP {http_status})", code)
    if http_status in (408, 409, 425, 429) or http_status >= 500:
        return Retriable(message, code, is_rate_limit=http_status in (429, 529))
    if codes & _FILTER_CODES or (http_status != 401 and _FILTER_WORDS.search(message)):
        return Filtered(message, code)
    if codes & _KEY_CODES or http_status == 401 or _KEY_WORDS.search(message):
        return ModelRefused(message, code, is_key=True)
    if codes & _MODEL_CODES:
        return ModelRefused(message, code)
    for fault in faults:
        refused = _refused_parameter(fault, sent, code)
        if refused is not None:
            return refused
    if http_status in (403, 404, 405, 410) or _MODEL_WORDS.search(message):
        return ModelRefused(message, code)
    return RowRefused(message, code)


def classify_within(body: Any, *, sent: Collection[str]) -> tuple[int | None, CallError] | None:
    """Say what an error means that came with HTTP status 200, and the status that it stands for.

    That is the first that the body names, as a number (OpenRouter) or by a code. Only what is
    certain is told: the rate limit, and errors that no second request would mend. None: the body
    names no such error.
    """
    faults = tuple(_faults(body, 0))
    codes = [code for fault in faults for code in fault.codes]
    status = next((status for code in codes if (status := _status_of(code))), None)
    if status is None and any(_RATE_LIMIT_WORDS.search(fault.message) for fault in faults):
        status = 429
    error = classify(status or 400, body, sent=sent)
    is_known = status is not None or not isinstance(error, RowRefused)
    is_passing = isinstance(error, Retriable) and not error.is_rate_limit
    return (status, error) if is_known and not is_passing else None


def _status_of(code: str) -> int | None:
    if code.isascii() and code.isdecimal():
        return int(code) if len(code) == 3 and 400 <= int(code) < 600 else None
    return _STATUS_OF_CODE.get(code)


def _faults(body: Any, depth: int) -> Iterator[_Fault]:
    """Yield every level of an error body, from the outside in.

    OpenAI nests `error`, Azure `innererror` in it, Gemini puts all in a list, FastAPI has a list
    `detail`, Mistral an object as `message`, and OpenRouter the provider's own body as a text.
    """
    if depth > 6:
        return
    if isinstance(body, str):
        inner = _parsed(body)
        if inner is None:
            yield _Fault(body[:_LONGEST_MESSAGE_READ].strip(), (), None)
        else:
            yield from _faults(inner, depth + 1)
    elif isinstance(body, list):
        for item in body[:20]:
            yield from _faults(item, depth + 1)
    elif isinstance(body, Mapping):
        texts = [body[name] for name in ("message", "msg") if isinstance(body.get(name), str)]
        plain = [text for text in texts if _parsed(text) is None]
        codes = [body[name] for name in ("code", "type", "status") if body.get(name)]
        yield _Fault(
            "; ".join(plain)[:_LONGEST_MESSAGE_READ],
            tuple(str(code).lower() for code in codes if type(code) in (str, int)),
            _parameter_name(body),
        )
        for name in ("error", "message", "detail", "innererror", "metadata", "raw"):
            inner = body.get(name)
            if inner and not (name == "message" and inner in plain):
                yield from _faults(inner, depth + 1)


def _parsed(text: str) -> Any:
    """Read the JSON object or list that a text is; None: it is not one."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _parameter_name(fault: Mapping[str, Any]) -> str | None:
    if isinstance(fault.get("param"), str):
        return str(fault["param"]) or None
    location = fault.get("loc")
    if isinstance(location, list):
        return ".".join(str(step) for step in location if step != "body") or None
    return None


def _refused_parameter(
    fault: _Fault, sent: Collection[str], code: str | None
) -> ParameterRefused | None:
    codes = set(fault.codes)
    named: Iterator[tuple[str, bool]] = _parameters_in_words(fault.message)
    if fault.parameter is not None:
        is_value = bool(codes & _VALUE_CODES) or any(is_value for _, is_value in named)
        if not (codes & (_VALUE_CODES | _UNSUPPORTED_CODES) or _REFUSED.search(fault.message)):
            return None
        named = iter([(fault.parameter, is_value)])
    for name, is_value in named:
        top, *inside = re.split(r"[.\[]", name, maxsplit=1)
        parameter = top if top in sent else _snake_case(top)
        if parameter in ("model", "messages", "prompt") or parameter not in sent:
            continue
        replacement = _REPLACEMENT.search(fault.message)
        return ParameterRefused(
            parameter,
            value_specific=is_value or bool(inside),
            replacement=replacement["name"] if replacement else None,
            message=fault.message,
            code=code,
        )
    return None


def _snake_case(name: str) -> str:
    """Spell `presencePenalty`, as xAI has it in messages, the way requests do."""
    return re.sub(r"(?<=[a-z])([A-Z])", lambda found: f"_{found[1].lower()}", name)


def _parameters_in_words(message: str) -> Iterator[tuple[str, bool]]:
    """Yield what a message may name as refused, and whether only as a value."""
    if _ONE_CHOICE_ONLY.search(message):
        yield "n", True
    for patterns, is_value in ((_VALUE_WORDS, True), (_PARAMETER_WORDS, False)):
        for pattern in patterns:
            for found in pattern.finditer(message):
                yield found["name"], is_value
