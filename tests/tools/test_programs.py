"""A program runs to its end, and what it printed is not lost where it fails."""

import sys

import pytest

from tools import programs

SAYS = "import os, sys; print('out'); sys.stdout.flush(); print(os.getcwd(), file=sys.stderr)"


def python(code, folder, *around, **limits):
    return programs.run([sys.executable, "-c", code], folder, *around, **limits)


def test_what_it_prints_is_given_with_its_errors(tmp_path):
    assert python(SAYS, tmp_path).split() == ["out", str(tmp_path)]


def test_it_has_the_environment_that_it_is_given(tmp_path, monkeypatch):
    monkeypatch.setenv("COLOR", "red")
    code = "import os; print(os.environ.get('COLOR'))"
    assert python(code, tmp_path).strip() == "red"
    assert python(code, tmp_path, {"COLOR": "blue"}).strip() == "blue"


def test_nobody_waits_for_an_answer_of_the_keyboard(tmp_path):
    assert python("import sys; print(repr(sys.stdin.read()))", tmp_path).strip() == "''"


def test_a_failure_is_told_with_what_it_printed(tmp_path):
    code = f"{SAYS}; sys.exit(3)"
    with pytest.raises(RuntimeError, match=rf"ended with 3: out\n{tmp_path}"):
        python(code, tmp_path)
    assert python(code, tmp_path, may_fail=True).startswith("out")


def test_letters_that_are_none_do_no_harm(tmp_path):
    assert python("import os; os.write(1, b'a\\xff')", tmp_path) == "a\ufffd"


def test_what_takes_too_long_ends(tmp_path):
    with pytest.raises(RuntimeError, match="took more than 2 s: out"):
        programs.run(["sh", "-c", "echo out; exec sleep 60"], tmp_path, seconds=2.0)
