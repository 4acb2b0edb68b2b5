"""The pages that F1 opens, and how the extension gets them."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from tools import build_extension
from tools.manual import local_pages

PAGE = """\
# Wheels & more

Numbers are in SI units.

## Wheel

In scripts: `object.wheel`

| Property | Values |
| --- | --- |
| <a id="wheel.radius"></a>Radius | \\*.glb \\| \\<none> & `a < b` |
"""


def test_a_page_shows_what_the_markdown_says():
    made = local_pages.page(PAGE, "")
    assert "<title>Wheels &amp; more</title>" in made
    assert "<h2>Wheel</h2>\n<p>In scripts: <code>object.wheel</code></p>" in made
    assert "<tr><th>Property</th><th>Values</th>" in made
    assert '<td><a id="wheel.radius"></a>Radius</td>' in made
    assert "<td>*.glb | &lt;none&gt; &amp; <code>a &lt; b</code></td>" in made
    assert "---" not in made


def test_each_field_has_a_file_that_leads_to_its_row(tmp_path: Path):
    (tmp_path / "wheels.md").write_text(PAGE, encoding="utf-8")
    files = local_pages.files(tmp_path)
    assert set(files) == {"manual/wheels.html", "manual/f1/wheel.radius.html"}
    assert b'content="0;url=../wheels.html#wheel.radius"' in files["manual/f1/wheel.radius.html"]


def test_a_folder_without_reference_gives_nothing(tmp_path: Path):
    assert local_pages.files(tmp_path / "none") == {}


def test_our_extension_has_them_and_they_are_small(tmp_path: Path):
    with zipfile.ZipFile(build_extension.build(tmp_path)) as archive:
        pages = [each for each in archive.infolist() if each.filename.startswith("manual/")]
        texts = {each.filename: archive.read(each).decode() for each in pages}
    assert sum(each.file_size for each in pages) < 400_000
    for name, text in texts.items():
        assert "http://" not in text.replace("http-equiv", "")
        assert "https://" not in text
        for page, anchor in re.findall(r'url=\.\./([\w.]+)#([\w.]+)"', text):
            assert f'<a id="{anchor}"></a>' in texts[f"manual/{page}"], name
