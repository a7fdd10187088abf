"""All experiments, in the order in which `examine` runs them: from the freshest state of the drive to the most worn.

A real drive is the same for all experiments; a virtual drive is built again for each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flashscope.errors import WrongUse
from flashscope.experiments.ageing_diary import AgeingDiary
from flashscope.experiments.archives import Archives
from flashscope.experiments.as_ssd import AsSsd
from flashscope.experiments.atto import Atto
from flashscope.experiments.capacity import CapacityCheck, why_the_rest_is_senseless
from flashscope.experiments.command_gathering import CommandGathering
from flashscope.experiments.compressibility import Compressibility
from flashscope.experiments.copy_within_drive import CopyWithinDrive
from flashscope.experiments.crystaldiskmark_3 import CrystalDiskMark3
from flashscope.experiments.crystaldiskmark_5 import CrystalDiskMark5
from flashscope.experiments.crystaldiskmark_8 import CrystalDiskMark8
from flashscope.experiments.fill_and_recovery import FillAndRecovery
from flashscope.experiments.hd_tune import HdTune
from flashscope.experiments.hybrid_cache import HybridCache
from flashscope.experiments.idle_recovery import IdleRecovery
from flashscope.experiments.iometer import IometerRun
from flashscope.experiments.misalignment import Misalignment
from flashscope.experiments.mixed_load_latency import MixedLoadLatency
from flashscope.experiments.queue_depth import QueueDepth
from flashscope.experiments.rber_against_erase_count import RberAgainstEraseCount
from flashscope.experiments.read_write_interference import ReadWriteInterference
from flashscope.experiments.sector_emulation_copy import SectorEmulationCopy
from flashscope.experiments.small_write_latency import SmallWriteLatency
from flashscope.experiments.small_write_matrix import SmallWriteMatrix
from flashscope.experiments.smart_inference import SmartInference
from flashscope.experiments.stripe_scaling import StripeScaling
from flashscope.experiments.stutter import Stutter
from flashscope.experiments.sustained_sequential_write import SustainedSequentialWrite
from flashscope.experiments.three_states import ThreeStates
from flashscope.experiments.write_buffer import WriteBuffer
from flashscope.records import Record
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.experiment import Experiment


def all_experiments() -> tuple[Experiment, ...]:
    """One of each."""
    return (
        # Before anything else: a fake is not measured.
        CapacityCheck(),
        # In any state of the drive.
        HybridCache(),
        HdTune(),
        # A span of it is written.
        Atto(),
        CrystalDiskMark8(),
        CrystalDiskMark5(),
        CrystalDiskMark3(),
        AsSsd(),
        IometerRun(),
        SmallWriteLatency(),
        SmallWriteMatrix(),
        Misalignment(),
        WriteBuffer(),
        Compressibility(),
        CommandGathering(),
        QueueDepth(),
        MixedLoadLatency(),
        ReadWriteInterference(),
        Stutter(),
        CopyWithinDrive(),
        Archives(),
        SectorEmulationCopy(),
        # All of it is written, some of it many times.
        SustainedSequentialWrite(),
        ThreeStates(),
        IdleRecovery(),
        FillAndRecovery(),
        StripeScaling(),
        SmartInference(),
        RberAgainstEraseCount(),
        AgeingDiary(),
    )


def is_check(experiment: Experiment) -> bool:
    """Whether it is the capacity check, before which an examination of a real drive writes nothing else."""
    return experiment.name == CapacityCheck.name


def why_no_more(experiments: Sequence[Experiment], effort: Effort) -> Callable[[Record], str] | None:
    """What the first record says against the rest of these experiments: a fake is not measured, unless with --full."""
    decides = len(experiments) > 1 and is_check(experiments[0]) and effort.extent is not Extent.FULL
    return why_the_rest_is_senseless if decides else None


def find(name: str) -> Experiment:
    """The experiment of that name. Raises WrongUse, naming all there are, when there is none."""
    experiments = {experiment.name: experiment for experiment in all_experiments()}
    if name not in experiments:
        raise WrongUse(
            f'there is no experiment "{name}"',
            accepted=", ".join(experiments),
            advice="`flashscope list experiments` says what each one asks",
        )
    return experiments[name]
