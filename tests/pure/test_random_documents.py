"""Documents of all extensions come back from JSON as they were, in either family and in both."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_physics_addon.model.document import PhysicsDocument
from tests.pure.documents import gltf, read, rewrite, worst
from tests.pure.random_documents import ANY, FAMILIES, FORMS, NODES, as_khr_reads, documents
from tests.pure.test_fuzz import fuzzed

MESHES = 2
EMPTY = gltf(*[{}] * NODES, mesh_count=MESHES)


def as_read(document: PhysicsDocument, form: str) -> PhysicsDocument:
    return as_khr_reads(document) if form == "KHR" else document


@pytest.mark.parametrize("form", FORMS)
@fuzzed(100)
@given(data=st.data())
def test_document_comes_back(form, data):
    document = as_read(data.draw(documents(ANY, form, meshes=MESHES)), form)
    json = rewrite(EMPTY, document, families=FAMILIES[form])
    again, issues = read(json)
    assert again == document
    assert worst(issues) == []
    assert rewrite(EMPTY, again, families=FAMILIES[form]) == json
