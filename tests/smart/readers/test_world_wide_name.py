"""The world wide name comes out of every form that holds it, spelt alike."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from flashscope.smart.dump import Dump
from flashscope.smart.identity import identify
from flashscope.smart.readers.as_smartctl_json import as_smartctl_json
from flashscope.smart.readers.merge import both
from flashscope.smart.readers.nvme_cli import read_nvme_document, read_nvme_text
from flashscope.smart.readers.smartctl_json import read_smartctl_json
from flashscope.smart.readers.smartctl_text import read_smartctl_text


def of_json(protocol: str, **told: Any) -> str:
    document = {"smartctl": {}, "device": {"protocol": protocol}, "model_name": "A DRIVE", **told}
    return read_smartctl_json(json.dumps(document), "json").wwn


def of_text(line: str) -> str:
    return read_smartctl_text(f"=== START OF INFORMATION SECTION ===\nDevice Model: A DRIVE\n{line}\n\n", "text").wwn


def test_ata_text_and_json_tell_the_same_name() -> None:
    told = of_json("ATA", wwn={"naa": 5, "oui": 0x2538, "id": 0x40293C45})
    assert told == of_text("LU WWN Device Id: 5 002538 040293c45") == "5 002538 040293c45"


def test_nvme_text_and_json_tell_the_same_name() -> None:
    told = of_json("NVMe", nvme_namespaces=[{"id": 1, "eui64": {"oui": 0x2538, "ext_id": 0x5A91B02A3F}}])
    assert told == of_text("Namespace 1 IEEE EUI-64:            002538 5a91b02a3f") == "002538 5a91b02a3f"


def test_scsi_text_and_json_tell_the_same_name() -> None:
    name = "0x5000c500a1b2c3d4"
    assert of_json("SCSI", logical_unit_id=name) == of_text(f"Logical Unit id:      {name}") == name


@pytest.mark.parametrize(
    "told", [{}, {"wwn": {}}, {"wwn": {"naa": 5}}, {"wwn": {"naa": 0, "oui": 0, "id": 0}}, {"wwn": "no table"}]
)
def test_half_a_name_is_none(told: dict[str, Any]) -> None:
    assert of_json("ATA", **told) == ""


@pytest.mark.parametrize(
    ("protocol", "name"),
    [("ATA", "5 002538 040293c45"), ("NVMe", "002538 5a91b02a3f"), ("SCSI", "0x5000c500a1b2c3d4")],
)
def test_a_name_is_written_as_it_was_read(protocol: str, name: str) -> None:
    dump = Dump("source", "", protocol=protocol, model="A DRIVE", wwn=name)
    assert read_smartctl_json(as_smartctl_json(dump), "again").wwn == name
    assert identify(replace(dump, serial=""), "/dev/sda").kind == "wwn"


def test_two_dumps_of_one_drive_keep_the_name_that_one_tells() -> None:
    assert both(Dump("a", ""), Dump("b", "", wwn="5 002538 040293c45")).wwn == "5 002538 040293c45"


NAMESPACE = {"nsze": 1000215216, "ncap": 1000215216, "eui64": "0025385a91b02a3f", "nguid": "0" * 32}


def of_namespace(**told: object) -> str:
    return read_nvme_document(NAMESPACE | told, "id-ns").wwn


def test_a_namespace_is_named_as_smartctl_names_it() -> None:
    assert of_namespace() == "002538 5a91b02a3f"
    assert of_namespace(nguid="36483331545082970025384100000001") == "002538 5a91b02a3f", "EUI-64 before NGUID"
    assert of_namespace(eui64="0" * 16, nguid="36483331545082970025384100000001") == "36483331545082970025384100000001"
    assert of_namespace(eui64="0" * 16) == ""


def test_the_text_of_a_namespace_says_the_same() -> None:
    head = "mn : A DRIVE\n"
    both_names = f"{head}nguid   : 36483331545082970025384100000001\neui64   : 0025385a91b02a3f\n"
    assert read_nvme_text(both_names, "id-ns").wwn == "002538 5a91b02a3f"
    assert read_nvme_text(both_names.replace("0025385a91b02a3f", "0" * 16), "id-ns").wwn.endswith("41" + "0" * 7 + "1")


def test_a_drive_without_a_serial_number_is_told_by_its_namespace() -> None:
    health = read_nvme_document({"mn": "A DRIVE", "sn": "", "fr": "1"}, "id-ctrl")
    dump = both(health, read_nvme_document(NAMESPACE, "id-ns"))
    assert identify(dump, "/dev/nvme0") == identify(dump, "/dev/nvme1")
    assert identify(dump, "/dev/nvme0").kind == "wwn"
