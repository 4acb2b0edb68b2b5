"""XML with the lines of its elements, without what makes XML dangerous: types and entities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from xml.parsers import expat

from ..codec.gltf import limits
from .table import FormatError

LARGEST: Final = 1e30  # Of a number that a file can mean.
_DEEPEST: Final = 200  # Elements within each other.


@dataclass(eq=False)
class Element:
    """An element of a file.

    Attributes:
        origin: the file and the line.
    """

    tag: str
    attributes: dict[str, str]
    origin: str
    children: list[Element] = field(default_factory=list["Element"])

    def all(self, tag: str) -> Iterator[Element]:
        """The children with a tag."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """The first child with a tag; None for none."""
        return next(self.all(tag), None)

    def walk(self) -> Iterator[Element]:
        """The element and all below it."""
        waiting: list[Element] = [self]
        while waiting:
            found = waiting.pop()
            yield found
            waiting.extend(reversed(found.children))

    def error(self, why: str) -> FormatError:
        """What to raise of the element."""
        return FormatError(f"{self.origin}: {why}")

    def word(self, name: str) -> str:
        """An attribute that must be there and not be empty.

        Raises:
            FormatError: it is not.
        """
        value = self.attributes.get(name, "")
        if not value.strip():
            raise self.error(f'<{self.tag}> has no "{name}"')
        return value

    def numbers(self, name: str, count: int, default: Any = None) -> tuple[float, ...]:
        """So many numbers of an attribute; without a default it must be there.

        Raises:
            FormatError: it is not, or has other numbers.
        """
        if default is not None and name not in self.attributes:
            return default
        text = self.word(name)
        try:
            found = tuple(map(float, text.split()))
        except ValueError:
            found = ()
        if len(found) != count or not all(abs(each) < LARGEST for each in found):
            what = "a number" if count == 1 else f"{count} numbers"
            raise self.error(f'"{name}" of <{self.tag}> is "{text[:60]}", which is not {what}')
        return found

    def number(self, name: str, default: float | None = None) -> float:
        """A number of an attribute; see `numbers`."""
        return self.numbers(name, 1, None if default is None else (default,))[0]


def read(path: Path) -> Element:
    """The root element of a file.

    Raises:
        FormatError: the file cannot be read, is no XML, or declares a type or entities.
    """
    try:
        limits.check_size(path.stat().st_size)
        content = path.read_bytes()
    except OSError as problem:
        raise FormatError(f"cannot read {path}: {problem.strerror}") from problem
    except limits.LimitError as problem:
        raise FormatError(f"{path}: {problem}") from problem
    return parse(content, path.name)


def parse(content: bytes, name: str) -> Element:
    """The root element of the content of a file.

    Raises:
        FormatError: it is no XML, or declares a type or entities.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    roots: list[Element] = []
    above: list[Element] = []

    def origin() -> str:
        return f"{name}:{parser.CurrentLineNumber}"

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(above) >= _DEEPEST:
            raise FormatError(f"{origin()}: elements are nested more than {_DEEPEST} deep")
        element = Element(tag, attributes, origin())
        (above[-1].children if above else roots).append(element)
        above.append(element)

    def end(_tag: str) -> None:
        above.pop()

    def refuse(*_declared: object) -> None:
        raise FormatError(
            f"{origin()}: the file declares a document type or entities, which can make a small "
            "file huge or read other files, so it is not read; remove the declaration"
        )

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError, LookupError) as problem:
        raise FormatError(f"{origin()}: the file is no XML: {problem}") from problem
    return roots[0]
