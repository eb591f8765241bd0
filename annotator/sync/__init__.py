"""Exchange of tasks and submissions across machines, without a server of our own.

`Hub` is the seam: whoever keeps the work implements it. `FolderHub` keeps it in a shared folder,
`PostgresHub` (module `postgres`) in a database. A hub knows IDs and bytes; what is in them is not
its business.
"""
