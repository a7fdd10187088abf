"""All laws, in the order in which they are shown.

To add one: its formula in src/flashscope/laws/, its cases in a file beside this one, a line here, a page in docs/laws/.
"""

from __future__ import annotations

from difflib import get_close_matches

from flashscope.errors import WrongUse
from flashscope.reproduce import (
    alignment,
    bit_errors,
    fast_cells,
    finite_drives,
    hot_cold,
    measured_drive,
    open_arrivals,
    parallelism,
    parity,
    partition_start,
    stalls,
    stripes,
    temperature,
    throughput,
    trim,
    uncorrectable,
    write_amplification,
)
from flashscope.reproduce.case import Law

LAWS = (
    Law("greedy", "the victim has the fewest valid pages", "greedy", write_amplification.greedy_cases),
    Law("fifo", "the victim was filled first", "fifo", write_amplification.fifo_cases),
    Law("d-choices", "the best of d victims drawn", "d-choices", write_amplification.d_choices_cases),
    Law("random-victim", "the victim is drawn", "random-victim", write_amplification.random_victim_cases),
    Law("finite-drives", "the gap of few blocks goes as 1/T", "finite-drives", finite_drives.cases),
    Law("reserved-blocks", "free blocks are no spare", "finite-drives", write_amplification.reserved_blocks_cases),
    Law("one-frontier", "moved data with the host's", "finite-drives", finite_drives.one_frontier_cases),
    Law("hot-cold", "two classes in one log", "hot-cold", hot_cold.mixed_cases),
    Law("separated-pools", "two classes kept apart", "hot-cold", hot_cold.separated_cases),
    Law("trim", "trimmed space is spare", "trim", trim.trim_cases),
    Law("partly-used", "space never written is spare", "trim", trim.partly_used_cases),
    Law("parity", "N / (N - 1)", "parity", parity.cases),
    Law("alignment", "U / (U + S)", "alignment", alignment.shifted_cases),
    Law("partition-start", "what a partition costs by its start", "alignment", partition_start.cases),
    Law("units-touched", "1 + (S - g) / U", "alignment", alignment.touched_cases),
    Law("sub-unit-writes", "tPROG / (tR + tPROG)", "alignment", alignment.sub_unit_cases),
    Law("queue-depth", "dies at work under a constant depth", "parallelism", parallelism.depth_cases),
    Law("little", "outstanding = rate x latency", "queueing", parallelism.little_cases),
    Law("open-arrivals", "waits of M/D/1", "queueing", open_arrivals.cases),
    Law("throughput-caps", "the narrowest place sets the rate", "throughput", throughput.cap_cases),
    Law("steady-random-write", "what collection leaves of the rate", "throughput", throughput.steady_cases),
    Law("copy", "1 / (1/R + 1/W)", "throughput", throughput.copy_cases),
    Law("collection-stall", "X (tR + tPROG + 2 tX) + tBERS", "stalls", stalls.stall_cases),
    Law("buffer-burst", "size / (arrival - drain)", "stalls", stalls.burst_cases),
    Law("fast-cells-cliff", "C / (R_in - R_fold)", "stalls", fast_cells.cliff_cases),
    Law("behind-the-cliff", "1 / (1/R_slc + 1/R_fold)", "stalls", fast_cells.behind_cases),
    Law("stripes", "P(N, q) and N x", "stripes", stripes.cases),
    Law("bit-errors", "eps + alpha c^k", "bit-errors", bit_errors.cases),
    Law("temperature", "Arrhenius", "bit-errors", temperature.cases),
    Law("uncorrectable-errors", "binomial tail beyond t", "bit-errors", uncorrectable.cases),
    Law("measured-drive", "published write amplification of two drives", "measured-drives", measured_drive.cases),
)  # fmt: skip


def find(name: str) -> Law:
    """The law of that name. Raises WrongUse naming all laws when it is not among them."""
    known = {law.name: law for law in LAWS}
    if name not in known:
        near = get_close_matches(name, known, n=1, cutoff=0.4)
        raise WrongUse(
            f'there is no law "{name}"',
            accepted=", ".join(known),
            advice=f'did you mean "{near[0]}"?' if near else "",
        )
    return known[name]
