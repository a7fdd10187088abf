"""A real drive worn out over months: kill-proof, verified block by block.

block_stamp.py       what each written block carries, and what a wrong one is called
layout.py            which part of the drive is worn, static, scratch
traffic.py           the requests of each batch: sequential, random, mixed, JESD219's enterprise mix
direct_file.py       reads and writes that no cache answers
generation_map.py    the generation of every block, on disk
whole_file.py        a small file put in its place whole or not at all
journal.py           append-only, each entry with length and checksum
begin_line.py        what a run is, beside its journal and checked by itself
run_state.py         what a journal amounts to
ledger.py            journal and map together: intend -> write -> flush -> done
runs.py              which run beside a store is of this drive
setting_aside.py     a damaged run, or one given up, out of the way
verification.py      reads blocks back and names what is wrong
smart_look.py        SMART at a checkpoint; a drive that stays silent is recorded
figures.py           short performance figures, by fio
job_traffic.py       a user's fio job file as traffic that nobody verifies
stops.py             when to stop
settings.py          what was asked, resolved
identity.py          is it still the same drive?
opening.py           begin a run, or find the one to go on with
wear_run.py          all of it as one run with a record
projection.py, findings.py    what the record says
"""
