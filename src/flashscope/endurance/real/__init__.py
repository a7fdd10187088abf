"""A real drive worn out over months: it survives kills, and every block is verified.

block_stamp.py       the stamp in each written block, and the kinds of wrong blocks
layout.py            which parts of the drive are worn, static, scratch
traffic.py           the requests of each batch: sequential, random, mixed, JESD219's enterprise mix
direct_file.py       reads and writes that bypass all caches
generation_map.py    the generation of every block, on disk
whole_file.py        a small file replaced completely or not at all
journal.py           append-only, each entry with length and checksum
begin_line.py        the description of a run, beside its journal and with its own checksums
run_state.py         the progress of a run, from its journal
ledger.py            journal and map together: intend -> write -> flush -> done
runs.py              which run beside a store belongs to this drive
setting_aside.py     renames a damaged or abandoned run
verification.py      reads blocks back and reports what is wrong
smart_look.py        SMART at a checkpoint; a drive that does not answer is recorded
figures.py           short performance figures, by fio
job_traffic.py       a user's fio job file as traffic that is not verified
stops.py             when to stop
settings.py          the options, resolved
identity.py          is it still the same drive?
opening.py           begins a run, or finds the run to continue
wear_run.py          all of it as one run with a record
projection.py, findings.py    conclusions from the record
"""
