"""Exchange of tasks and submissions across machines, without a server of our own.

`Hub` is the interface. `FolderHub` implements it with a shared folder, `PostgresHub` (module
`postgres`) with a database. A hub handles IDs and bytes and never interprets their content.
"""
