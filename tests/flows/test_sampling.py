"""Sampling and cache through the real flow: what is asked, what is reused, what is kept."""

import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tasks.core.calls.text_storage import from_stored
from tasks.core.errors import ModelUnavailable, StoppedEarly
from tests.exam import Exam, after, asked_number, mcq, write_registry
from tests.model_server import ModelServer, Response, chat_reply, error_reply

MakeExam = Callable[..., Exam]
StartServer = Callable[..., ModelServer]
LETTERS = "ABCDAABC"


def own_models(folder: Path, monkeypatch: pytest.MonkeyPatch, models: str) -> None:
    monkeypatch.setenv("PROCTOR_REGISTRY", str(write_registry(folder / "registry", models)))


def one_letter_a_call(request: dict[str, Any], call: int) -> Response:
    return chat_reply(f"ANSWER: {LETTERS[(call - 1) % 8]}")


class TestSamples:
    def test_eight_stay_in_their_slots_and_two_more_are_bought(
        self, exam: MakeExam, model_server: StartServer
    ) -> None:
        own = exam()
        asked = {"samples": 8, "temperature": 0.5, "concurrency": 1}
        with ModelServer(one_letter_a_call) as server:
            base_url = server.base_url
            assert own.evaluate(server, **asked).failure is None
            assert server.n_requests == 8
        answers = "SELECT answer FROM extracts_current ORDER BY sample_index"
        assert own.column(answers) == list(LETTERS)
        assert own.evaluate(base_url, **asked).failure is None
        assert own.column(answers) == list(LETTERS)
        assert own.run()["state"] == "completed"
        assert own.column("SELECT count(*) FROM completions") == [8]

    def test_more_samples_cost_only_what_is_missing(
        self, exam: MakeExam, model_server: StartServer
    ) -> None:
        own = exam()
        server = model_server(one_letter_a_call)
        asked = {"temperature": 0.5, "concurrency": 1}
        own.evaluate(server, samples=8, **asked)
        own.evaluate(server, samples=10, **asked)
        assert server.n_requests == 10
        answers = "SELECT answer FROM extracts_current ORDER BY sample_index"
        assert own.column(answers) == [*LETTERS, "A", "B"]
        (cost,) = own.rows(
            "SELECT requests, completions, cached FROM cost_by_run "
            f"WHERE run_id = '{own.run()['run_id']}'"
        )
        assert cost == {"requests": 2, "completions": 2, "cached": 8}

    @pytest.mark.parametrize("n_sent", [1, 3, 8])
    def test_a_server_may_send_fewer_than_n(
        self,
        exam: MakeExam,
        model_server: StartServer,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        n_sent: int,
    ) -> None:
        def some_of_n(request: dict[str, Any], call: int) -> Response:
            return chat_reply(*["ANSWER: B"] * min(n_sent, request.get("n") or 1))

        server = model_server(some_of_n)
        own_models(
            tmp_path,
            monkeypatch,
            f'[m]\nbase_url = "{server.base_url}"\ncapabilities = ["n"]\n',
        )
        own = exam(3)
        assert own.evaluate(samples=8, temperature=0.5).failure is None
        slots = "SELECT request_hash, sample_index FROM completions WHERE status = 'ok'"
        assert len(own.rows(slots)) == 24
        assert len(own.rows(f"SELECT DISTINCT * FROM ({slots})")) == 24


class TestFailures:
    def test_what_is_no_answer_is_kept_as_evidence_and_asked_again_within_a_cap(
        self, exam: MakeExam, model_server: StartServer
    ) -> None:
        replies = {
            1: chat_reply(None, finish_reason="content_filter"),
            2: chat_reply(choices=[]),
            3: Response(body={"error": {"message": "upstream broke", "code": 502}}),
            4: chat_reply("ANSWER: B"),
        }
        server = model_server(lambda request, call: replies[asked_number(request)])
        own = exam(4)
        own.evaluate(server)
        asked = Counter(asked_number(request.json) for request in server.requests)
        assert asked == {1: 3, 2: 3, 3: 3, 4: 1}
        statuses = own.rows(
            "SELECT question_id, completions.status, count(*) AS n, any_value(error) AS error "
            "FROM sittings JOIN completions USING (request_hash) JOIN calls USING (call_id) "
            "GROUP BY ALL ORDER BY question_id"
        )
        assert [(row["question_id"], row["status"], row["n"]) for row in statuses] == [
            ("q1", "filtered", 3),
            ("q2", "error", 3),
            ("q3", "error", 3),
            ("q4", "ok", 1),
        ]
        assert "upstream broke" in statuses[2]["error"]
        assert own.column("SELECT outcome FROM scores_current ORDER BY question_id") == [
            "unscored",
            "unscored",
            "unscored",
            "correct",
        ]
        (line,) = own.rows("SELECT n_scored, n_expected, score FROM leaderboard")
        assert line == {"n_scored": 1, "n_expected": 4, "score": 1.0}
        assert own.run()["state"] == "failed"
        own.evaluate(server)
        asked = Counter(asked_number(request.json) for request in server.requests)
        assert asked == {1: 3, 2: 6, 3: 6, 4: 1}

    def test_a_row_that_can_have_no_reply_is_final_and_fails_no_run(
        self, exam: MakeExam, model_server: StartServer
    ) -> None:
        """Asking again would change nothing, so the first and the second run end alike."""
        replies = {
            1: chat_reply(None, finish_reason="content_filter"),
            2: error_reply(400, "too long", code="context_length_exceeded"),
            3: chat_reply("ANSWER: B"),
        }
        server = model_server(lambda request, call: replies[asked_number(request)])
        own = exam(3)
        for _ in range(2):
            assert own.evaluate(server).failure is None
            assert own.run()["state"] == "completed"
        asked = Counter(asked_number(request.json) for request in server.requests)
        assert asked == {1: 3, 2: 1, 3: 1}

    def test_an_empty_reply_moves_no_other_answer(
        self, exam: MakeExam, model_server: StartServer
    ) -> None:
        letters = {1: "A", 2: None, 3: "C", 4: "D"}

        def answer(request: dict[str, Any], call: int) -> Response:
            letter = letters[asked_number(request)]
            return chat_reply("" if letter is None else f"ANSWER: {letter}")

        own = exam(4)
        own.evaluate(model_server(answer), concurrency=1)
        read = own.rows(
            "SELECT question_id, answer, status FROM extracts_current ORDER BY question_id"
        )
        assert [(row["answer"], row["status"]) for row in read] == [
            ("A", "answered"),
            (None, "unparsed"),
            ("C", "answered"),
            ("D", "answered"),
        ]

    def test_a_refused_key_stops_that_model_with_one_line_and_no_other(
        self,
        exam: MakeExam,
        model_server: StartServer,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        refusing = model_server(lambda request, call: error_reply(401, "Incorrect API key"))
        good = model_server()
        monkeypatch.setenv("SHUT_KEY", "sk-shut-1234567890abcdef")
        own_models(
            tmp_path,
            monkeypatch,
            f'[shut]\nbase_url = "{refusing.base_url}"\napi_key_env = "SHUT_KEY"\n'
            f'[open]\nbase_url = "{good.base_url}"\n',
        )
        own = exam(20)
        failure = own.evaluate(models=["shut", "open"]).failure
        assert isinstance(failure, ModelUnavailable)
        assert "key in SHUT_KEY was refused (HTTP 401)" in str(failure)
        assert refusing.n_requests == 1
        assert good.n_requests == 20
        runs = own.rows("SELECT model, state FROM runs WHERE command = 'evaluate'")
        assert {row["model"]: row["state"] for row in runs} == {
            "shut": "failed",
            "open": "completed",
        }
        (line,) = own.rows("SELECT model, n_scored, score FROM leaderboard WHERE n_scored > 0")
        assert line == {"model": "open", "n_scored": 20, "score": 1.0}
        said = [record for record in caplog.records if "SHUT_KEY" in record.getMessage()]
        assert [(record.name, record.exc_info) for record in said] == [
            ("prefect.task_runs", None),
            ("prefect.flow_runs", None),
        ]

    def test_failed_calls_stop_a_run_when_they_are_too_many(
        self, exam: MakeExam, model_server: StartServer
    ) -> None:
        def answer(request: dict[str, Any], call: int) -> Response:
            if asked_number(request) % 2:
                return error_reply(422, "no")
            return after(0.05, chat_reply("ANSWER: B"))

        server = model_server(answer)
        own = exam(600)
        failure = own.evaluate(server, fail_on_error=4, concurrency=16).failure
        assert isinstance(failure, StoppedEarly)
        assert own.run()["state"] == "stopped"
        n_stored = own.column("SELECT count(*) FROM completions")[0]
        assert n_stored == server.n_requests
        assert n_stored < 100

    def test_a_hanging_and_a_breaking_connection_are_replaced_and_the_rest_is_saved_meanwhile(
        self,
        exam: MakeExam,
        model_server: StartServer,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        saved_at_retry: list[int] = []
        hung: set[int] = set()

        def answer(request: dict[str, Any], call: int) -> Response:
            number = asked_number(request)
            if call == 3:  # the first is made alone, to try out the parameters
                hung.add(number)
                return Response(hang=True)
            if call == 5:
                return Response(body={"long": "x" * 4000}, close_midway=True)
            if number in hung:
                saved_at_retry.append(n_replies_on_disk(own))
            return chat_reply("ANSWER: B")

        server = model_server(answer)
        own_models(tmp_path, monkeypatch, f'[m]\nbase_url = "{server.base_url}"\ntimeout_s = 3\n')
        own = exam(10)
        assert own.evaluate(concurrency=10).failure is None
        assert own.column("SELECT count(*) FROM completions WHERE status = 'ok'") == [10]
        assert saved_at_retry[0] >= 8


def n_replies_on_disk(own: Exam) -> int:
    """Replies in the journal or in the database; one that is moved just then may count twice."""
    lines = {
        line
        for path in own.database.journal_folder.glob("*.jsonl")
        for line in path.read_text().splitlines()
        if '"calls"' in line
    }
    return len(lines) + int(own.column("SELECT count(*) FROM calls")[0])


class TestRefusedParameters:
    def refuse(self, request: dict[str, Any], call: int) -> Response:
        if "temperature" in request:
            return error_reply(
                400,
                "Unsupported parameter: 'temperature' is not supported with this model.",
                code="unsupported_parameter",
                param="temperature",
            )
        if "max_tokens" in request:
            return error_reply(
                400,
                "Unsupported parameter: 'max_tokens' is not supported with this model. "
                "Use 'max_completion_tokens' instead.",
                code="unsupported_parameter",
                param="max_tokens",
            )
        return chat_reply("ANSWER: B")

    def test_they_are_learned_once_and_remembered(
        self, exam: MakeExam, model_server: StartServer
    ) -> None:
        own = exam(80)
        server = model_server(self.refuse)
        asked = {"modes": ["normal", "cot"], "concurrency": 64}
        assert own.evaluate(server, **asked).failure is None
        assert server.n_requests <= 160 + 2
        assert own.column("SELECT count(*) FROM scores_current WHERE outcome = 'correct'") == [160]
        runs = own.rows("SELECT mode, dropped_parameters FROM runs WHERE command = 'evaluate'")
        assert {row["mode"]: row["dropped_parameters"] for row in runs} == dict.fromkeys(
            ("normal", "cot"), '{"max_tokens":"max_completion_tokens","temperature":null}'
        )
        n_before = server.n_requests
        assert own.evaluate(server, epoch="2026-W01", **asked).failure is None
        assert server.n_requests == n_before + 160
        later = own.rows(
            "SELECT dropped_parameters FROM runs WHERE command = 'evaluate' AND epoch <> ''"
        )
        assert [row["dropped_parameters"] for row in later] == [runs[0]["dropped_parameters"]] * 2

    def test_a_refused_n_costs_one_call_and_is_remembered(
        self,
        exam: MakeExam,
        model_server: StartServer,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def refuse(request: dict[str, Any], call: int) -> Response:
            if "n" in request:
                return error_reply(400, "Only one completion choice is allowed")
            return chat_reply("ANSWER: B")

        server = model_server(refuse)
        own_models(
            tmp_path,
            monkeypatch,
            f'[m]\nbase_url = "{server.base_url}"\ncapabilities = ["n"]\n',
        )
        own = exam(10)
        assert own.evaluate(samples=3, concurrency=10).failure is None
        assert server.n_requests == 1 + 30
        assert own.evaluate(samples=5, concurrency=10).failure is None
        assert server.n_requests == 1 + 50
        assert own.column("SELECT n_scored FROM leaderboard") == [10]

    def test_nothing_dropped_is_no_record(self, exam: MakeExam, model_server: StartServer) -> None:
        own = exam()
        own.evaluate(model_server())
        assert own.run()["dropped_parameters"] is None


class TestPauses:
    def test_a_paused_model_does_not_hold_up_another_at_the_same_endpoint(
        self,
        exam: MakeExam,
        model_server: StartServer,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """Model `slow` gets no reply before `quick` has had all of its own."""
        quick_is_done = threading.Event()
        n_quick = 0

        def answer(request: dict[str, Any], call: int) -> Response:
            nonlocal n_quick
            if request["model"] == "quick":
                n_quick += 1
                if n_quick == 10:
                    quick_is_done.set()
                return chat_reply("ANSWER: B")
            if not quick_is_done.is_set():
                return error_reply(429, "slow down", {"retry-after": "2"})
            return chat_reply("ANSWER: B")

        url = model_server(answer).base_url
        own_models(
            tmp_path, monkeypatch, f'[slow]\nbase_url = "{url}"\n[quick]\nbase_url = "{url}"\n'
        )
        own = exam(10)
        assert own.evaluate(models=["slow", "quick"]).failure is None
        assert own.column("SELECT score FROM leaderboard") == [1.0, 1.0]


class TestOddReplies:
    def test_cut_answers_are_truncated_and_said_so(
        self, exam: MakeExam, model_server: StartServer
    ) -> None:
        def answer(request: dict[str, Any], call: int) -> Response:
            match asked_number(request):
                case 1:
                    usage = {
                        "prompt_tokens": 9,
                        "completion_tokens": 64,
                        "completion_tokens_details": {"reasoning_tokens": 64},
                    }
                    return chat_reply("", finish_reason="length", usage=usage)
                case 2:
                    return chat_reply("...x = 12. Checking option (B)", finish_reason="length")
                case _:
                    return chat_reply("ANSWER: B")

        own = exam(10)
        own.evaluate(model_server(answer))
        read = own.rows(
            "SELECT question_id, answer, status FROM extracts_current "
            "WHERE completion_status = 'truncated' ORDER BY question_id"
        )
        assert [(row["answer"], row["status"]) for row in read] == [(None, "truncated")] * 2
        (line,) = own.rows("SELECT n_scored, score, truncated_rate FROM leaderboard")
        assert line == {"n_scored": 10, "score": 0.8, "truncated_rate": 0.2}
        assert any("20.0% of the replies were cut off" in line for line in warnings(own))

    def test_identical_samples_at_a_temperature_are_warned_of(
        self, exam: MakeExam, model_server: StartServer
    ) -> None:
        own = exam(2)
        own.evaluate(model_server(), samples=8, temperature=0.5)
        assert any(
            "2 questions got 8 byte-equal samples at temperature 0.5" in line
            for line in warnings(own)
        )

    def test_identical_samples_at_the_server_s_own_temperature_too(
        self, exam: MakeExam, model_server: StartServer
    ) -> None:
        own = exam(2)
        own.evaluate(model_server(TestRefusedParameters().refuse), samples=8)
        assert any(
            "2 questions got 8 byte-equal samples at the server's own temperature" in line
            for line in warnings(own)
        )

    def test_odd_bytes_are_kept_as_they_are(
        self, exam: MakeExam, model_server: StartServer
    ) -> None:
        texts = {
            1: "half a pair \ud83d here. ANSWER: B",
            2: "a \0 NUL. ANSWER: B",
            3: "long " * 200_000 + "ANSWER: B",
            4: "\u202eright to left\u202c \u2066x\u2069 ANSWER: B",
            5: "plain. ANSWER: B",
        }
        own = exam(5)
        own.evaluate(model_server(lambda request, call: chat_reply(texts[asked_number(request)])))
        stored = own.rows(
            "SELECT question_id, text, text_bytes, outcome FROM samples_current "
            "JOIN scores_current USING (question_id)"
        )
        assert {
            int(row["question_id"][1:]): from_stored(row["text"], row["text_bytes"])
            for row in stored
        } == texts
        assert {row["outcome"] for row in stored} == {"correct"}

    def test_a_field_that_comes_late_is_kept(
        self, exam: MakeExam, model_server: StartServer
    ) -> None:
        def answer(request: dict[str, Any], call: int) -> Response:
            reply = chat_reply("ANSWER: B")
            if asked_number(request) == 101:
                reply.body["usage"]["completion_tokens_details"] = {"reasoning_tokens": 77}
                reply.body["provider_note"] = {"queue": "slow"}
            return reply

        own = exam(120)
        own.evaluate(model_server(answer), concurrency=1)
        assert own.rows(
            "SELECT question_id, reasoning_tokens, extra ->> '$.provider_note.queue' AS queue "
            "FROM calls JOIN sittings USING (request_hash) WHERE reasoning_tokens IS NOT NULL"
        ) == [{"question_id": "q101", "reasoning_tokens": 77, "queue": "slow"}]


def warnings(own: Exam) -> tuple[str, ...]:
    from tasks.leaderboard import read_board

    with own.database.open() as store:
        return read_board(store, "own", "").warnings


class TestLogs:
    def test_a_long_prompt_never_floods_them(
        self, exam: MakeExam, model_server: StartServer, capfd: pytest.CaptureFixture[str]
    ) -> None:
        def echo(request: dict[str, Any], call: int) -> Response:
            prompt = request["messages"][0]["content"]
            return error_reply(422 if asked_number(request) % 2 else 400, f"cannot read {prompt}")

        own = exam([mcq(number, marker="long " * 6_000) for number in range(1, 9)])
        assert own.evaluate(model_server(echo)).failure is not None
        said = capfd.readouterr()
        assert len(said.out) + len(said.err) < 10_000
        assert "long " * 500 not in said.out + said.err


class TestOrchestration:
    def test_four_thousand_calls_are_tens_of_task_runs(
        self,
        exam: MakeExam,
        model_server: StartServer,
        capfd: pytest.CaptureFixture[str],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        from prefect.client.orchestration import get_client
        from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId

        server = model_server()
        own = exam(515)
        assert own.evaluate(server, samples=8, temperature=0.5, concurrency=64).failure is None
        assert server.n_requests == 4_120
        flow_run_id = own.run()["flow_run_id"]
        with get_client(sync_client=True) as client:
            only = FlowRunFilter(id=FlowRunFilterId(any_=[flow_run_id]))
            n_task_runs = len(client.read_task_runs(flow_run_filter=only, limit=200))
        assert 10 <= n_task_runs < 100
        assert "database is locked" not in capfd.readouterr().err
