"""One test for alike findings, and a folder in which what people edited stays."""

from __future__ import annotations

import json
from pathlib import Path

from fault_logs import ASIDE, KINDS, assistant, user

from grice.extracting import Extracted, extract_finding
from grice.extracting.bulk import clusters_in, fault_of
from grice.extracting.folder import write_index, write_test
from grice.scanning import choose_checks

CHECKS = choose_checks("similarity")


def log(tmp_path: Path, *conversations: list[object]) -> Path:
    path = tmp_path / "chats.jsonl"
    path.write_text("".join(json.dumps({"messages": one}) + "\n" for one in conversations))
    return path


def extracted(tmp_path: Path) -> Extracted:
    path = log(tmp_path, [*KINDS["similarity"]])
    (cluster,) = clusters_in(path, CHECKS)
    fault = fault_of(path, cluster, CHECKS)
    assert fault is not None
    return extract_finding(fault, alike=cluster.places)


def test_alike_findings_are_one_cluster_and_others_are_not(tmp_path: Path) -> None:
    other = "The weather is fine in Oslo, dry and rather warm too."
    repeated = [user("Hi"), assistant(other), user("Tell me more of Rome"), assistant(other)]
    path = log(tmp_path, [*KINDS["similarity"]], [*ASIDE, *KINDS["similarity"]], repeated)

    clusters = clusters_in(path, CHECKS)

    assert [one.places for one in clusters] == [["chats.jsonl:1", "chats.jsonl:2"], ["chats.jsonl:3"]]
    fault = fault_of(path, clusters[0], CHECKS)
    assert fault is not None
    assert (fault.place, fault.turn) == ("chats.jsonl:1", 2)


def test_a_test_is_written_once_and_listed(tmp_path: Path) -> None:
    test, folder = extracted(tmp_path), tmp_path / "tests"

    assert write_test(folder, test) == "written"
    assert write_test(folder, test) == "the same"
    index = write_index(folder).read_text()
    assert f"[{test.file}]({test.file}) | similarity: " in index
    assert "| chats.jsonl:1, turn 2 | yes |" in index


def test_what_people_edited_stays_also_under_update(tmp_path: Path) -> None:
    test, folder = extracted(tmp_path), tmp_path / "tests"
    write_test(folder, test)
    (folder / test.file).write_text(test.text.replace("say: Akismet", "say: Akismet, please"))

    assert write_test(folder, test, update=True) == "edited"
    assert "Akismet, please" in (folder / test.file).read_text()


def test_what_nobody_edited_is_written_anew_under_update_only(tmp_path: Path) -> None:
    test, folder = extracted(tmp_path), tmp_path / "tests"
    write_test(folder, test)
    other = extract_of_another_place(tmp_path)

    assert write_test(folder, other._replace(file=test.file)) == "there"
    assert write_test(folder, other._replace(file=test.file), update=True) == "written"
    assert (folder / test.file).read_text() == other.text


def extract_of_another_place(tmp_path: Path) -> Extracted:
    path = log(tmp_path, [*ASIDE], [*KINDS["similarity"]])
    (cluster,) = clusters_in(path, CHECKS)
    fault = fault_of(path, cluster, CHECKS)
    assert fault is not None
    return extract_finding(fault)
