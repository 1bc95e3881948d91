import gzip
from pathlib import Path

import pytest

from tasks.core.errors import BadInput
from tasks.io.files import read_file


def test_content_comes_back_as_it_is(tmp_path: Path) -> None:
    content = bytes(range(256)) * 10
    path = tmp_path / "any.bin"
    path.write_bytes(content)
    assert read_file(path) == content


def test_gzip_is_told_by_content_not_by_name(tmp_path: Path) -> None:
    path = tmp_path / "questions.json"
    path.write_bytes(gzip.compress(b"[]"))
    assert read_file(path) == b"[]"


def test_gzip_of_several_members_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl.gz"
    path.write_bytes(gzip.compress(b"one\n") + gzip.compress(b"two\n"))
    assert read_file(path) == b"one\ntwo\n"


def test_text_that_packs_very_well_is_no_bomb(tmp_path: Path) -> None:
    path = tmp_path / "same.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n' * 2_000_000))
    assert len(read_file(path)) == 18_000_000


@pytest.mark.parametrize("content", [b"x" * 1001, gzip.compress(b"x" * 1001)])
def test_the_bound_holds_for_what_is_read_and_for_what_it_unpacks_to(
    content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "long"
    path.write_bytes(content)
    assert len(read_file(path, max_bytes=1001)) == 1001
    with pytest.raises(BadInput, match="more than"):
        read_file(path, max_bytes=1000)


def test_a_file_behind_a_link_is_read(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("[1]")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    assert read_file(tmp_path / "link.json") == b"[1]"
