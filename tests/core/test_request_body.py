"""What makes two requests one: everything that changes the answer, and nothing else."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.calls.request_body import (
    Api,
    Refusal,
    SamplingParameters,
    messages,
    parameter_fields,
    request_body,
    request_hash,
    without_refused,
)
from tasks.core.errors import BadInput

PARAMETERS = SamplingParameters(temperature=0.5, max_tokens=2048)


def identity(
    parameters: SamplingParameters = PARAMETERS,
    *,
    endpoint: str = "openai",
    api: Api = "chat",
    api_name: str = "m-1",
    prompt: str = "What is 2 + 2?",
    system_prompt: str | None = None,
) -> str:
    fields = parameter_fields(parameters)
    body = request_body(api, api_name, messages(prompt, system_prompt), fields)
    return request_hash(endpoint, body)


TOOLS = [{"type": "function", "function": {"name": "calculator"}}]
MISSES: dict[str, str] = {
    "temperature": identity(replace(PARAMETERS, temperature=0.6)),
    "max tokens": identity(replace(PARAMETERS, max_tokens=2049)),
    "top_p": identity(replace(PARAMETERS, top_p=0.9)),
    "seed": identity(replace(PARAMETERS, seed=0)),
    "another seed": identity(replace(PARAMETERS, seed=1)),
    "stop": identity(replace(PARAMETERS, stop=("\n",))),
    "order of stops": identity(replace(PARAMETERS, stop=("b", "a"))),
    "other order of stops": identity(replace(PARAMETERS, stop=("a", "b"))),
    "effort": identity(replace(PARAMETERS, effort="low")),
    "tools": identity(replace(PARAMETERS, extra_body={"tools": TOOLS})),
    "response format": identity(
        replace(PARAMETERS, extra_body={"response_format": {"type": "json_object"}})
    ),
    "null": identity(replace(PARAMETERS, extra_body={"logit_bias": None})),
    "system prompt": identity(system_prompt="Be brief."),
    "empty system prompt": identity(system_prompt=""),
    "prompt": identity(prompt="What is 2 + 3?"),
    "blank after the prompt": identity(prompt="What is 2 + 2? "),
    "model": identity(api_name="m-2"),
    "base URL": identity(endpoint="https://example.org/v1"),
    "weights": identity(endpoint="sha256:0123"),
    "api": identity(api="completions"),
}


@pytest.mark.parametrize("change", MISSES)
def test_every_change_is_a_miss(change: str) -> None:
    assert MISSES[change] != identity()
    assert list(MISSES.values()).count(MISSES[change]) == 1


def test_one_of_our_defaults_named_is_a_hit() -> None:
    for extra in ({"top_p": 1.0}, {"top_p": 1}, {"temperature": 0.5, "max_tokens": 2048}):
        assert identity(replace(PARAMETERS, extra_body=extra)) == identity()
    assert identity(replace(PARAMETERS, top_p=1)) == identity()
    assert identity(replace(PARAMETERS, max_tokens=2048)) == identity()
    whole = SamplingParameters(temperature=1, max_tokens=5)
    assert identity(whole) == identity(replace(whole, temperature=1.0))


def test_extra_body_goes_over_everything_else() -> None:
    extra = {"temperature": 0, "chat_template_kwargs": {"enable_thinking": False}}
    fields = parameter_fields(replace(PARAMETERS, extra_body=extra))
    assert fields == {
        "temperature": 0,
        "top_p": 1.0,
        "max_tokens": 2048,
        "chat_template_kwargs": {"enable_thinking": False},
    }


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def reordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: reordered(value[key]) for key in reversed(value)}
    return [reordered(item) for item in value] if isinstance(value, list) else value


@given(st.dictionaries(st.text().map("x-{}".format), json_values, max_size=4))
def test_order_and_spelling_of_json_are_a_hit(extra: dict[str, Any]) -> None:
    plain = identity(replace(PARAMETERS, extra_body=extra))
    assert identity(replace(PARAMETERS, extra_body=reordered(extra))) == plain
    respelled = json.loads(json.dumps(extra, ensure_ascii=False, indent=2))
    assert identity(replace(PARAMETERS, extra_body=respelled)) == plain


@pytest.mark.parametrize("field", ["n", "stream", "stream_options", "model", "messages", "prompt"])
def test_extra_body_cannot_set_what_is_ours(field: str) -> None:
    with pytest.raises(BadInput, match=field):
        parameter_fields(replace(PARAMETERS, extra_body={field: 1}))


def test_bodies_of_both_interfaces() -> None:
    asked = messages("Q", "S")
    assert request_body("chat", "m", asked, {"seed": 1}) == {
        "model": "m",
        "messages": [{"role": "system", "content": "S"}, {"role": "user", "content": "Q"}],
        "seed": 1,
    }
    assert request_body("completions", "m", asked, {}) == {"model": "m", "prompt": "S\n\nQ"}
    assert request_body("completions", "m", messages("Q", None), {}) == {
        "model": "m",
        "prompt": "Q",
    }


FIELDS = {"temperature": 0.5, "top_p": 1.0, "max_tokens": 100}


@pytest.mark.parametrize(
    ("refusals", "taken"),
    [
        ([], FIELDS),
        ([Refusal("temperature")], {"top_p": 1.0, "max_tokens": 100}),
        ([Refusal("temperature", "0.5")], {"top_p": 1.0, "max_tokens": 100}),
        ([Refusal("temperature", "0.6")], FIELDS),
        ([Refusal("top_p", "1")], {"temperature": 0.5, "max_tokens": 100}),
        ([Refusal("seed")], FIELDS),
        (
            [Refusal("max_tokens", replaced_by="max_completion_tokens")],
            {"temperature": 0.5, "top_p": 1.0, "max_completion_tokens": 100},
        ),
        (
            [Refusal("max_tokens", replaced_by="b"), Refusal("b", replaced_by="c")],
            {"temperature": 0.5, "top_p": 1.0, "c": 100},
        ),
        (
            [Refusal("b", replaced_by="c"), Refusal("max_tokens", replaced_by="b")],
            {"temperature": 0.5, "top_p": 1.0, "c": 100},
        ),
        (
            [Refusal("max_tokens", replaced_by="b"), Refusal("b")],
            {"temperature": 0.5, "top_p": 1.0},
        ),
        (
            [Refusal("max_tokens", replaced_by="b"), Refusal("b", replaced_by="max_tokens")],
            {"temperature": 0.5, "top_p": 1.0},
        ),
        (
            [Refusal("max_tokens", replaced_by="max_tokens")],
            {"temperature": 0.5, "top_p": 1.0},
        ),
        (
            [Refusal("temperature", replaced_by="top_p")],
            {"top_p": 1.0, "max_tokens": 100},
        ),
    ],
)
def test_refused_parameters(refusals: list[Refusal], taken: dict[str, Any]) -> None:
    assert without_refused(FIELDS, refusals) == taken


names = st.sampled_from(["temperature", "top_p", "max_tokens", "a", "b"])
any_refusal = st.builds(
    Refusal,
    parameter=names,
    value=st.sampled_from([None, "0.5", "1", "100"]),
    replaced_by=st.none() | names,
)


@given(st.lists(any_refusal, max_size=6))
def test_nothing_refused_is_sent_and_nothing_is_made_up(refusals: list[Refusal]) -> None:
    taken = without_refused(FIELDS, refusals)
    assert not [
        refusal for refusal in refusals for name in taken if refusal.covers(name, taken[name])
    ]
    assert set(taken.values()) <= set(FIELDS.values())
    refused = {refusal.parameter for refusal in refusals}
    assert all(taken[name] == FIELDS[name] for name in FIELDS.keys() - refused)
    assert without_refused(taken, refusals) == taken


def test_identity_is_frozen() -> None:
    """A change here asks every model everything again."""
    text = (
        '{"body":{"max_tokens":2048,"messages":[{"content":"What is 2 + 2?","role":"user"}],'
        '"model":"m-1","temperature":0.5,"top_p":1},"endpoint":"openai"}'
    )
    digest = hashlib.sha256(b"p1\0" + text.encode()).hexdigest()
    assert identity() == f"p1:{digest[:32]}" == "p1:83364de5a5c21f101f505966983793ce"
