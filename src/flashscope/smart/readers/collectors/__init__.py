"""What collectors of SMART keep and export: smartctl's JSON, taken apart into numbers with labels.

Prometheus' text --prometheus.py--> samples --smartctl_exporter.py-----\\
InfluxDB's CSV, line protocol --influx.py--> points --scrutiny.py-------+--rebuilt.py--> smartctl's JSON --> dumps

A collector writes 0 for much that the drive does not say; what only a missing number explains is not taken.
"""
