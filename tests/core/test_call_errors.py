import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.calls.errors import (
    CallError,
    ContextOverflow,
    Filtered,
    ModelRefused,
    ParameterRefused,
    QuotaExhausted,
    Retriable,
    RowRefused,
    classify,
    classify_within,
)

SENT = [
    "model",
    "messages",
    "temperature",
    "top_p",
    "max_tokens",
    "seed",
    "n",
    "logprobs",
    "reasoning_effort",
    "presence_penalty",
    "echo",
    "tools",
    "response_format",
    "foo",
]


def error(message: str, **fields: Any) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error"} | fields}


def extra_forbidden(name: str) -> dict[str, Any]:
    return {
        "type": "extra_forbidden",
        "loc": ["body", name],
        "msg": "Extra inputs are not permitted",
    }


def nested(body: Any) -> dict[str, Any]:
    return error("Provider returned error", code=400, metadata={"raw": json.dumps(body)})


NO_TEMPERATURE = "Unsupported parameter: 'temperature' is not supported with this model."
NO_MAX_TOKENS = (
    "Unsupported parameter: 'max_tokens' is not supported with this model."
    " Use 'max_completion_tokens' instead."
)
ONLY_DEFAULT = (
    "Unsupported value: 'temperature' does not support 0.5 with this model."
    " Only the default (1) value is supported."
)


@pytest.mark.parametrize(
    ("body", "parameter", "value_specific", "replacement"),
    [
        (
            error(NO_TEMPERATURE, param="temperature", code="unsupported_parameter"),
            "temperature",
            False,
            None,
        ),
        (
            error(NO_MAX_TOKENS, param="max_tokens", code="unsupported_parameter"),
            "max_tokens",
            False,
            "max_completion_tokens",
        ),
        (error(NO_MAX_TOKENS), "max_tokens", False, "max_completion_tokens"),
        (
            error(ONLY_DEFAULT, param="temperature", code="unsupported_value"),
            "temperature",
            True,
            None,
        ),
        (error(ONLY_DEFAULT, param=None, code=None), "temperature", True, None),
        (error("Unrecognized request argument supplied: foo"), "foo", False, None),
        (
            error("Unknown parameter: 'foo'.", param="foo", code="unknown_parameter"),
            "foo",
            False,
            None,
        ),
        (
            error(
                "Unknown parameter: 'response_format.strict'.",
                param="response_format.strict",
                code="unknown_parameter",
            ),
            "response_format",
            True,
            None,
        ),
        (
            error("You are not allowed to request logprobs.", param="logprobs", code=None),
            "logprobs",
            False,
            None,
        ),
        (nested(error(NO_TEMPERATURE, param="temperature")), "temperature", False, None),
        (
            nested({"detail": [extra_forbidden("foo")]}),
            "foo",
            False,
            None,
        ),
        ({"detail": [extra_forbidden("foo")]}, "foo", False, None),
        (
            {
                "detail": [
                    {
                        "loc": ["body", "foo"],
                        "msg": "extra fields not permitted",
                        "type": "value_error.extra",
                    }
                ]
            },
            "foo",
            False,
            None,
        ),
        ({"object": "error", "message": {"detail": [extra_forbidden("foo")]}}, "foo", False, None),
        (
            {
                "object": "error",
                "type": "BadRequestError",
                "message": "[{'type': 'extra_forbidden', 'loc': ('body', 'foo'),"
                " 'msg': 'Extra inputs are not permitted', 'input': 1}]",
            },
            "foo",
            False,
            None,
        ),
        (
            error("1 validation error for Request\nbody -> foo\n  extra fields not permitted"),
            "foo",
            False,
            None,
        ),
        (error("foo: Extra inputs are not permitted"), "foo", False, None),
        (error("Extra inputs are not permitted, field: 'foo', value: 1"), "foo", False, None),
        (
            error("Additional properties are not allowed ('foo' was unexpected)"),
            "foo",
            False,
            None,
        ),
        (error("got an unexpected keyword argument 'foo'"), "foo", False, None),
        (
            [error('Invalid JSON payload received. Unknown name "seed": Cannot find field.')],
            "seed",
            False,
            None,
        ),
        (error("Unsupported param: echo"), "echo", False, None),
        (error("tools param requires --jinja flag"), "tools", False, None),
        (error("Only one completion choice is allowed"), "n", True, None),
        (error("'n' : number must be at most 1"), "n", True, None),
        (error("n must be 1 when using greedy sampling, got 4."), "n", True, None),
        (error("`temperature` is deprecated for this model."), "temperature", False, None),
        (error("property 'seed' is unsupported"), "seed", False, None),
        (error("logprobs is not supported with this model"), "logprobs", False, None),
        (
            {"code": "400", "error": "Argument not supported on this model: presence_penalty"},
            "presence_penalty",
            False,
            None,
        ),
        (
            {"error": "Model g does not support parameter presencePenalty."},
            "presence_penalty",
            False,
            None,
        ),
        (error("openai does not support parameters: ['top_p'], for model=x"), "top_p", False, None),
        ("Unsupported parameter: top_p", "top_p", False, None),
    ],
)
@pytest.mark.parametrize("http_status", [400, 422])
def test_a_refused_parameter_in_every_spelling(
    http_status: int, body: Any, parameter: str, value_specific: bool, replacement: str | None
) -> None:
    refused = classify(http_status, body, sent=SENT)
    assert isinstance(refused, ParameterRefused)
    assert refused.parameter == parameter
    assert refused.value_specific is value_specific
    assert refused.replacement == replacement
    without = [name for name in SENT if name != parameter]
    assert isinstance(classify(http_status, body, sent=without), RowRefused)


OVERFLOW = "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens"


@pytest.mark.parametrize(
    ("http_status", "body", "kind"),
    [
        (408, None, Retriable),
        (409, error("conflict"), Retriable),
        (425, None, Retriable),
        (429, error("Rate limit reached", code="rate_limit_exceeded"), Retriable),
        (429, [error("You exceeded your current quota", status="RESOURCE_EXHAUSTED")], Retriable),
        (429, "", Retriable),
        (500, error("The server had an error"), Retriable),
        (502, "<html>502 Bad Gateway</html>", Retriable),
        (503, error("Loading model", type="unavailable_error"), Retriable),
        (520, "error code: 520", Retriable),
        (529, error("Overloaded", type="overloaded_error"), Retriable),
        (429, error("You exceeded your quota", code="insufficient_quota"), QuotaExhausted),
        (429, error("You exceeded your quota", type="insufficient_quota"), QuotaExhausted),
        (402, error("Insufficient Balance"), QuotaExhausted),
        (429, error("Request too large for m on tokens per min (TPM)"), RowRefused),
        (400, error("too long", code="context_length_exceeded"), ContextOverflow),
        (400, error(OVERFLOW), ContextOverflow),
        (400, {"object": "error", "message": OVERFLOW, "code": 400}, ContextOverflow),
        (400, nested(error(OVERFLOW)), ContextOverflow),
        (
            400,
            error(
                "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum"
                " context length is 4096 tokens and your request has 200 input tokens"
            ),
            ContextOverflow,
        ),
        (
            400,
            error(
                "the request exceeds the available context size", type="exceed_context_size_error"
            ),
            ContextOverflow,
        ),
        (500, error("the request exceeds the available context size"), ContextOverflow),
        (400, error("The decoder prompt is longer than the maximum model length"), ContextOverflow),
        (400, error("prompt is too long: 210000 tokens > 200000 maximum"), ContextOverflow),
        (
            400,
            [error("The input token count (9) exceeds the maximum number of tokens allowed (8)")],
            ContextOverflow,
        ),
        (400, error("blocked", code="content_filter"), Filtered),
        (
            400,
            error("refused", innererror={"code": "ResponsibleAIPolicyViolation"}),
            Filtered,
        ),
        (400, error("Your prompt was flagged as violating our usage policy"), Filtered),
        (400, error("Content Exists Risk"), Filtered),
        (403, error("Your input was flagged", metadata={"reasons": ["violence"]}), Filtered),
        (401, error("Incorrect API key provided", code="invalid_api_key"), ModelRefused),
        (401, None, ModelRefused),
        (403, "<html>Forbidden</html>", ModelRefused),
        (403, error("Country, region, or territory not supported"), ModelRefused),
        (404, error("The model `x` does not exist", code="model_not_found"), ModelRefused),
        (404, {"detail": "Not Found"}, ModelRefused),
        (400, error("x is not a valid model ID"), ModelRefused),
        (400, error("retired", code="model_decommissioned"), ModelRefused),
        (400, error("Invalid value: 'huge'.", param="reasoning_effort"), RowRefused),
        (400, error("temperature must be at most 2", param="temperature"), RowRefused),
        (
            400,
            error(
                "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
                param="messages[0].role",
                code="unsupported_value",
            ),
            RowRefused,
        ),
        (413, "Payload Too Large", RowRefused),
        (418, error("I'm a teapot"), RowRefused),
        (422, {"detail": "?"}, RowRefused),
        (400, None, RowRefused),
    ],
)
def test_kind(http_status: int, body: Any, kind: type[CallError]) -> None:
    assert type(classify(http_status, body, sent=SENT)) is kind


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        (error("too long", code="context_length_exceeded"), 400, ContextOverflow),
        ({"error": {"message": "too long", "code": "context_length_exceeded"}}, None, None),
        (error("x", code="invalid_api_key"), 401, ModelRefused),
        (error("x", code="rate_limit_exceeded", type="tokens"), 429, Retriable),
        (error("x", code=429), 429, Retriable),
        (error("x", code="429"), 429, Retriable),
        (error("x", type="requests", status=404), 404, ModelRefused),
        ({"error": {"message": "The model `x` does not exist"}}, None, ModelRefused),
        ({"error": {"message": "x", "code": "insufficient_quota"}}, None, QuotaExhausted),
        ([{"error": {"message": "x", "code": 402}}], 402, QuotaExhausted),
        ({"code": "400", "error": "what?"}, 400, RowRefused),
        ({"object": "error", "message": "x", "code": 404}, 404, ModelRefused),
        ({"error": {"message": "too many requests"}}, 429, Retriable),
        (nested(error("x", code="rate_limit_exceeded")), 400, RowRefused),
    ],
)
def test_an_error_within_a_body_of_status_200(
    body: Any, status: int | None, kind: type[CallError] | None
) -> None:
    found = classify_within(body, sent=SENT)
    assert found is not None
    assert found[0] == status
    assert type(found[1]) is (kind or ContextOverflow)


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "overloaded", "code": 502}},
        {"error": {"message": "overloaded", "type": "server_error"}},
        {"error": {"message": "x", "code": 200}},
        {"error": {"message": "x", "code": 4_000}},
        {"error": {"message": "x", "code": True}},
        {"error": "overloaded"},
        {"choices": [], "usage": {"prompt_tokens": 429}},
        {},
        [],
        None,
        "x",
        7,
    ],
)
def test_what_is_not_known_within_a_body_stays_open(body: Any) -> None:
    assert classify_within(body, sent=SENT) is None


@pytest.mark.parametrize(
    "found",
    [
        classify(401, None, sent=SENT),
        classify(400, error("API key not valid. Please pass a valid API key."), sent=SENT),
        classify(400, error("x", code="invalid_api_key"), sent=SENT),
        classify(403, error("Invalid API key"), sent=SENT),
    ],
)
def test_a_refused_key_is_told_from_a_refused_model(found: CallError) -> None:
    assert isinstance(found, ModelRefused)
    assert found.is_key


def test_only_a_rate_limit_is_one() -> None:
    limits = {
        status: found.is_rate_limit
        for status in (408, 429, 500, 503, 529)
        if isinstance(found := classify(status, None, sent=SENT), Retriable)
    }
    assert limits == {408: False, 429: True, 500: False, 503: False, 529: True}


def test_the_text_of_the_server_is_kept_from_the_outside_in() -> None:
    found = classify(418, nested(error("No cups left", code="no_cups")), sent=SENT)
    assert isinstance(found, RowRefused)
    assert found.message == "Provider returned error; No cups left"
    assert found.code == "no_cups"


def test_a_response_without_a_text_says_so() -> None:
    found = classify(400, None, sent=SENT)
    assert isinstance(found, RowRefused)
    assert found.message == "HTTP 400 without a text"


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(
                [
                    "error",
                    "message",
                    "detail",
                    "code",
                    "type",
                    "param",
                    "loc",
                    "msg",
                    "metadata",
                    "raw",
                ]
            ),
            inner,
        )
    ),
)


@given(http_status=st.integers(300, 599), body=JSON)
def test_every_body_has_a_kind_and_a_text(http_status: int, body: Any) -> None:
    found = classify(http_status, body, sent=SENT)
    assert isinstance(found, CallError)
    assert found.message


@given(body=JSON)
def test_within_a_body_only_the_rate_limit_may_pass(body: Any) -> None:
    found = classify_within(body, sent=SENT)
    if found is not None and isinstance(found[1], Retriable):
        assert found[1].is_rate_limit


@given(http_status=st.sampled_from([400, 404, 422]), text=st.text(max_size=60))
def test_a_text_never_makes_a_4xx_retriable(http_status: int, text: str) -> None:
    assert not isinstance(classify(http_status, error(text), sent=SENT), Retriable)


def test_a_very_long_error_page_is_read_in_bounded_time_and_space() -> None:
    page = "Unsupported " * 400_000
    found = classify(400, page, sent=SENT)
    assert isinstance(found, RowRefused)
    assert len(found.message) <= 4_000
