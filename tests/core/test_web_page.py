"""A web page is told from whatever else is not JSON."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.calls.web_page import web_page_title


@pytest.mark.parametrize(
    ("content", "title"),
    [
        (b"<!DOCTYPE html><html><head><title lang=en>\n  Log\tin </title>", "Log in"),
        (b"<HTML><BODY>502</BODY></HTML>", ""),
        (b"<!-- x\n --><!doctype HTML>", ""),
        (b"<html><title>" + b"x" * 500 + b"</title>", "x" * 80),
        (b"<html>" + b"x" * 10**6 + b"<title>too far</title>", ""),
        (b"<html><title>caf\xe9</title>", "caf\ufffd"),
    ],
)
def test_title(content: bytes, title: str) -> None:
    assert web_page_title(content, "application/octet-stream") == title


@pytest.mark.parametrize(
    "content", [b"", b" \n", b"{", b"Ollama is running", b"<?xml version='1.0'?><a/>", b"<htmlx>"]
)
def test_no_web_page(content: bytes) -> None:
    assert web_page_title(content, "application/json") is None


@pytest.mark.parametrize("content_type", ["text/html", "Text/HTML ; charset=x", "text/html;"])
def test_declared(content_type: str) -> None:
    assert web_page_title(b"Please log in", content_type) == ""
    assert web_page_title(b"", content_type) is None


@given(st.binary(), st.text())
def test_any_bytes_are_read(content: bytes, content_type: str) -> None:
    title = web_page_title(content, content_type)
    assert title is None or len(title) <= 80
