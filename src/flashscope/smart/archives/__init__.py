"""Archives: years of daily rows of a fleet, as Backblaze publishes them, made into one row per drive.

folders, files, .zip --day_files.py--> day files --plan.py--> batches of whole days
    batch --narrow_texts.py--> followed columns --batch.py, DuckDB--> partial: a row per drive of the batch
        partials --keeper.py--> database, one transaction each
        database --lives.py--> lives --survival.py--> how long drives of a model live
                                     --attributes.py--> how a model's numbers are spread
                                     --likeness.py--> living drives that look like those that failed
                                     --members.py--> the verdict on each drive, as a dump would get it

A partial depends on its files alone, so batches may be read in any order and on any machine; they are merged in the
order of their days. Only `batch.py`, `keeper.py` and `engine.py` use DuckDB, and nothing imports it at start-up.
"""
