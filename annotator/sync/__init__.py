"""Work handed out and taken in across machines, without a server of our own.

`Hub` is the seam: whoever keeps the work offers `claim`, `renew`, `release`, `submit` and `fetch`.
`FolderHub` keeps it in a shared folder. A hub knows items and bytes; what is in them is not its
business.
"""

from __future__ import annotations

from annotator.sync.folder import FolderHub
from annotator.sync.hub import Counts, Delivery, Hub, HubError, HubItem, Lease, LeaseLostError

__all__ = [
    "Counts",
    "Delivery",
    "FolderHub",
    "Hub",
    "HubError",
    "HubItem",
    "Lease",
    "LeaseLostError",
]
