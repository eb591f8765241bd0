"""Works published answers out anew from exported files alone; knows nothing of the program."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any


def multiple_choice_faults(data_set: Path, votes: Path) -> Iterator[str]:
    """Yield which published answers to multiple-choice questions do not follow from the votes.

    More than half of the raters decide; where nobody has as many, the person who was called in.
    """
    asked: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for item in json.loads(votes.read_text(encoding="utf-8"))["items"]:
        if item["kind"] == "questions":
            (video,) = item["videos"]
            asked.setdefault((video, item["question"]), []).append(item)
    for video, entry in json.loads(data_set.read_text(encoding="utf-8")).items():
        for question in entry["mc_question"]:
            place = f"{video}: {question['question']}"
            found = asked.get((video, question["question"]), [])
            if len(found) != 1:
                yield f"{place}: asked {len(found)} times"
                continue
            published = question["options"][question["answer_id"]]
            answer = _resolved(found[0])
            if published != answer:
                yield f"{place}: {published} is published, the votes say {answer}"


def _resolved(item: Mapping[str, Any]) -> str:
    (said,) = (each for each in item["resolved"] if each["field"] == "answer")
    given = [vote for vote in item["votes"] if vote["field"] == "answer"]
    decides = said["decided_by"]
    raters = [vote for vote in given if vote["person"] != decides]
    counts = Counter(_text(item, vote["answer"]) for vote in raters)
    best, n = counts.most_common(1)[0]
    if 2 * n > len(raters):
        return best if decides == "votes" or said["reason"] else f"{best} by majority"
    if decides == "votes":
        return f"nobody ({dict(counts)})"
    return _text(item, said["answer"])


def _text(item: Mapping[str, Any], answer: Mapping[str, Any]) -> str:
    picked: Sequence[str] = answer["picked"]
    return ", ".join(item["options"].get(key, key) for key in picked) or str(answer.get("other"))
