"""The files of a folder hub that are not tokens: what they say, and what is refused."""

from __future__ import annotations

import base64
import binascii
import json

from annotator.domain.annotation.canonical import canonical_bytes
from annotator.domain.ids import PersonId, ProjectId
from annotator.sync.hub import HubError, HubItem

_HUB = "annotator-hub/1"
_ITEM = "annotator-hub-item/1"


def encode_hub(project_id: ProjectId) -> bytes:
    """Return the file that says whose folder it is."""
    return canonical_bytes({"format": _HUB, "project_id": project_id})


def decode_hub(body: bytes, where: str) -> ProjectId:
    """Return the project a folder belongs to; HubError when it is no hub of this version."""
    value = _object(body, where)
    if value.get("format") != _HUB or not isinstance(value.get("project_id"), str):
        hint = (
            "Select the folder that the project lead shares. A newer folder format requires "
            "a newer program."
        )
        raise HubError("The folder is not a hub folder.", hint=hint, where=where)
    return ProjectId(str(value["project_id"]))


def encode_item(item: HubItem) -> bytes:
    """Return an item as the bytes of its file."""
    return canonical_bytes(
        {
            "format": _ITEM,
            "stage": item.stage,
            "excluded": sorted(item.excluded),
            "priority": item.priority,
            "body": base64.b64encode(item.body).decode("ascii"),
        }
    )


def decode_item(item_id: str, body: bytes, where: str) -> HubItem:
    """Return an item; HubError when the file is damaged or of another version."""
    value = _object(body, where)
    try:
        if value["format"] != _ITEM:
            raise HubError(
                "Cannot read this task: it was published by a newer version of annotator.",
                hint="Install the newer version.",
                where=where,
            )
        excluded, priority = value["excluded"], value["priority"]
        if not isinstance(excluded, list) or not isinstance(priority, int):
            raise _damaged(where)
        content = base64.b64decode(str(value["body"]), validate=True)
    except (KeyError, binascii.Error) as error:
        raise _damaged(where) from error
    people = frozenset(PersonId(str(person)) for person in excluded)
    return HubItem(item_id, content, str(value.get("stage", "")), people, priority)


def _object(body: bytes, where: str) -> dict[str, object]:
    try:
        value = json.loads(body)
    except ValueError as error:
        raise _damaged(where) from error
    if not isinstance(value, dict):
        raise _damaged(where)
    return value


def _damaged(where: str) -> HubError:
    hint = "Ask the project lead to publish the tasks again."
    return HubError("A file in the shared folder is damaged.", hint=hint, where=where)
