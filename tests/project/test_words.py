"""What users read keeps to docs/words.md: the words, the units, the length, the parts of issues."""

import ast
import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "omi_physics_addon"
PAGE = ROOT / "docs" / "words.md"

LONGEST = 240  # Characters of any text but the long helps of commands, which are pages.
LONGEST_ISSUE = 140  # Characters of an issue without what stands in its placeholders.
ISSUE_FOLDERS = (
    "codec/rules",
    "codec/targets",
    "engines",
    "codec/omi",
    "codec/khr",
    "codec/convert",
    "simulation/start/start_check.py",
)
# Where no string reaches users.
SILENT = ("files/pages.py", "geometry")

# Texts that break a rule, each with the reason.
ALLOWED: dict[str, str] = {}


@dataclass(frozen=True)
class Text:
    """One string of the add-on, with `{}` for what is put into it."""

    place: str
    text: str
    is_issue: bool

    def __str__(self) -> str:
        return f"{self.place}: {self.text!r}"


def words_of(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = (v.value if isinstance(v, ast.Constant) else "{}" for v in node.values)
        return "".join(map(str, parts))
    return None


def docstrings(nodes: list[ast.AST]) -> set[int]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = [node.body for node in nodes if isinstance(node, kinds)]
    return {id(body[0].value) for body in bodies if body and isinstance(body[0], ast.Expr)}


def messages(nodes: list[ast.AST]) -> set[int]:
    """The strings that are given to an issue as its text where the issue is made."""
    found: set[int] = set()
    for node in nodes:
        match node:
            case ast.Call(args=[ast.Attribute(value=ast.Name(id="Code")), _, text, *_]):
                found.add(id(text))
            case ast.Tuple(elts=[ast.Attribute(value=ast.Name(id="Code")), text]):
                found.add(id(text))
            case ast.Assign(targets=[ast.Name(id="why")], value=text):
                found.add(id(text))
            case _:
                pass
    return found


def texts_in(path: Path) -> Iterator[Text]:
    """What reads as words: with a space and a word of three letters or more in lower case."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    name = path.relative_to(PACKAGE).as_posix()
    silent, told = docstrings(nodes), messages(nodes)
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            silent.update(id(part) for part in ast.walk(node) if part is not node)
    for node in nodes:
        text = words_of(node)
        if text is None or id(node) in silent or not _reads(text):
            continue
        is_issue = id(node) in told and name.startswith(ISSUE_FOLDERS)
        yield Text(f"{name}:{node.lineno}", text, is_issue)  # pyright: ignore


def _reads(text: str) -> bool:
    return " " in text and re.search(r"\b[a-z]{3,}\b", text) is not None


@functools.cache  # Not at import: other tests are collected with these.
def all_texts() -> list[Text]:
    paths = sorted(PACKAGE.rglob("*.py"))
    chosen = (p for p in paths if not p.relative_to(PACKAGE).as_posix().startswith(SILENT))
    return [text for path in chosen for text in texts_in(path) if text.text not in ALLOWED]


@functools.cache
def labels() -> set[str | None]:
    """All strings of the add-on, with those of buttons and fields, which are no sentences."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py"))
    return {words_of(node) for tree in trees for node in ast.walk(tree)}


def issues() -> list[Text]:
    return [text for text in all_texts() if text.is_issue]


def banned() -> list[str]:
    """The phrases in the last columns of the page's tables."""
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:1] == "|"]
    cells = [row.strip().strip("|").split("|")[-1] for row in rows]
    return [phrase for cell in cells for phrase in re.findall(r"`([^`]+)`", cell)]


def told(texts: list[Text]) -> str:
    return "\n".join(map(str, texts))


def test_the_page_bans_something_and_texts_are_found():
    assert len(banned()) > 50
    assert len(all_texts()) > 1500
    assert len(issues()) > 150
    assert len(ALLOWED) <= 10
    assert all(ALLOWED.values())


def test_the_page_has_two_pages_at_most():
    assert len(PAGE.read_text(encoding="utf-8").splitlines()) <= 110


@pytest.mark.parametrize("phrase", [each for each in banned() if not each[0].isupper()])
def test_no_text_has_a_banned_phrase(phrase: str) -> None:
    found = re.compile(rf"(?<![\w-]){re.escape(phrase)}(?![\w-])", re.IGNORECASE)
    texts = [text for text in all_texts() if found.search(text.text)]
    assert not texts, told(texts)


@pytest.mark.parametrize("label", [each for each in banned() if each[0].isupper()])
def test_no_label_is_banned(label: str) -> None:
    assert label not in labels()


def test_percent_has_a_space():
    texts = [text for text in all_texts() if re.search(r"[\d}]%(?![a-z()])", text.text)]
    assert not texts, told(texts)


def test_texts_are_short():
    texts = [t for t in all_texts() if len(t.text) > LONGEST and "\n" not in t.text]
    assert not texts, told(texts)


def test_issues_are_short():
    plain = [(text, re.sub(r"\{[^}]*\}", "", text.text)) for text in issues()]
    texts = [text for text, words in plain if len(words) > LONGEST_ISSUE]
    assert not texts, told(texts)


def test_issues_begin_with_a_noun():
    pronoun = re.compile(r"(it|its|this|they|their|that|those|what|which|whose)\b(?! \w+ and)")
    texts = [text for text in issues() if pronoun.match(text.text)]
    assert not texts, told(texts)


def test_issues_say_what_is_wrong_and_what_follows_or_what_to_do():
    parts = re.compile(r"; |, | so |: ")
    texts = [text for text in issues() if not parts.search(text.text)]
    assert not texts, told(texts)
