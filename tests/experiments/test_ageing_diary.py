from flashscope.experiments.ageing_diary import AgeingDiary
from flashscope.experiments.fill_findings import all_marks
from flashscope.runner.effort import Effort, Extent
from tests.experiments.planted import planted, run
from tests.facts import device_facts, file_facts
from tests.findings import by_key
from tests.known import number

EXPERIMENT = AgeingDiary()


def test_every_date_has_its_mark_and_a_drive_that_tires_is_slower_the_fuller_it_is() -> None:
    record = run(EXPERIMENT, planted())
    assert list(all_marks(record)) == [
        "new, CDM 1000 MB",
        "after 1 year, 95 % full, CDM 1000 MB",
        "after 1 year, 95 % full, CDM 4000 MB",
        "six days later, 40 GB deleted, 87 % full, CDM 1000 MB",
        "5 months later, 93 % full, CDM 1000 MB",
        "9 months later, 62 % full, CDM 1000 MB",
    ]
    findings = by_key(record)
    assert number(findings["aged_ratio_rand_write_512k"].value) < 0.5
    assert findings["figures_follow"].value == "state"


def test_a_real_drive_is_worn_by_it_only_in_full_and_a_file_never() -> None:
    user_bytes = planted().facts.user_bytes
    device, file = device_facts(user_bytes), file_facts(user_bytes)
    assert EXPERIMENT.steps(device) == []
    assert EXPERIMENT.steps(device, Effort(Extent.FULL)) != []
    assert EXPERIMENT.steps(file, Effort(Extent.FULL)) == []


def test_the_same_seed_gives_the_same_marks() -> None:
    first, again = (all_marks(run(EXPERIMENT, planted())) for _ in range(2))
    assert first == again
