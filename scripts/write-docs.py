"""Write the generated tables in docs/reference/ again: keys of a part, shipped parts, hosts, options of the job
language, reasons of collection, properties of a drive;
and the page of SMART families, which is generated as a whole.

Each table stands in its page between the first line of the table and the next empty line; tests compare the two.
"""

from pathlib import Path

from flashscope.dossier.properties.table import property_table
from flashscope.drives.hosts.host import host_key_table, host_table
from flashscope.drives.parts.part import part_table
from flashscope.drives.parts.schema import key_table
from flashscope.records.glass import reason_table
from flashscope.smart.decoding.families_page import families_page
from flashscope.workloads.options import option_table

PAGES = Path(__file__).resolve().parent.parent / "docs" / "reference"

for name, table in (("parts.md", key_table()), ("parts.md", part_table()), ("hosts.md", host_key_table()),
                    ("hosts.md", host_table()), ("job-language.md", option_table()), ("glass-drive.md", reason_table()),
                    ("dossier.md", property_table())):  # fmt: skip
    page = PAGES / name
    text = page.read_text()
    start = text.index(table.splitlines()[0])
    end = text.index("\n\n", start)
    page.write_text(text[:start] + table + text[end:])
    print(f"wrote a table of {page.name}")

(PAGES / "smart-families.md").write_text(families_page())
print("wrote smart-families.md")
