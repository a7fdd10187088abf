"""Write the drives in benches/drives/ again: shipped parts as the core takes them, for a `make bench` without Python.

A test (tests/parts/test_bench_drives.py) compares the two.
"""

from pathlib import Path

from flashscope.drives.parts.part import load_part

FOLDER = Path(__file__).resolve().parent.parent / "benches" / "drives"

for file in sorted(FOLDER.glob("*.json")):
    file.write_text(load_part(file.stem).to_core_json() + "\n")
    print(f"wrote {file.name}")
