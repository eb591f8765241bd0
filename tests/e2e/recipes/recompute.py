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


def grounded_faults(data_set: Path, votes: Path) -> Iterator[str]:
    """Yield which grounded questions are published against the votes, or missing against them."""
    published = {
        (video, each["question"])
        for video, entry in _read(data_set).items()
        for each in entry["grounded_question"]
    }
    confirmed: set[tuple[str, str]] = set()
    for item in _read(votes)["items"]:
        if item["kind"] == "grounded-questions" and item["why"] == "":
            given = [vote["answer"]["truth"] for vote in item["votes"] if vote["field"] == "answer"]
            if 2 * sum(given) > len(given):
                confirmed.add((item["videos"][0], item["question"]))
    yield from _differences(published, confirmed)


def pacs_faults(folder: Path) -> Iterator[str]:
    """Yield which published labels of PACS do not follow from the votes, and which are missing.

    A question stands if its writer, or who was dealt it, and two more people give the same object
    and nobody flags it.
    """
    clips = {
        name: each["clip"] for name, each in _read(folder / "provenance.json")["objects"].items()
    }
    items = {item["item"]: item for item in _read(folder / "votes.json")["items"]}
    expected: dict[tuple[str, str, str], int] = {}
    for item in items.values():
        if item["kind"] != "confirm" or item["purpose"] != "work":
            continue
        answer = _first_answer(items, item)
        given = [vote["answer"] for vote in item["votes"] if vote["field"] == "answer"]
        is_flagged = any(vote["field"] == "flag" for vote in item["votes"])
        said = {each["picked"][0] for each in given} | {answer}
        if len(given) == 2 and not is_flagged and len(said) == 1:
            first, second = item["videos"]
            expected[first, second, item["question"]] = int(said.pop() == "object-2")
    published: dict[tuple[str, str, str], int] = {}
    for name in ("train", "val", "test"):
        for pair, questions in _read(folder / f"{name}_data.json").items():
            first, second = (clips[each] for each in pair.split("_"))
            for each in questions.values():
                if "label" in each:
                    published[first, second, each["text"]] = each["label"]
                else:  # labels of the test part are not published
                    place = (first, second, each["text"])
                    published[place] = expected.get(place, -1)
    yield from _differences(set(published.items()), set(expected.items()))


def _first_answer(items: Mapping[str, Any], item: Mapping[str, Any]) -> str:
    """Return the answer to be confirmed: of whom the question was dealt to for this pair, else of
    its writer.
    """
    question = item["source"]["question"]
    for other in items.values():
        is_assigned = other["kind"] == "reassign" and other["source"].get("question") == question
        if is_assigned and other["videos"] == item["videos"]:
            (said,) = (v["answer"] for v in other["votes"] if v["field"] == "answer")
            return str(said["picked"][0])
    name, person, entry = question.split("/")
    for vote in items[name]["votes"]:
        if (vote["person"], str(vote["entry"]), vote["field"]) == (person, entry, "answer"):
            return str(vote["answer"]["picked"][0])
    return "nobody"


def neptune_faults(data_set: Path, votes: Path, needed: Sequence[str]) -> Iterator[str]:
    """Yield which published sets of Neptune do not follow from the votes.

    A set is kept if more than half of its judges, or who settled it, tick all statements, and who
    verifies ticks them too. Texts are the proposed ones unless somebody corrected them; who
    verifies has the last word.
    """
    expected = {}
    for item in _read(votes)["items"]:
        if item["kind"] != "judge" or item["purpose"] != "work" or item["why"]:
            continue
        ticked = [vote for vote in item["votes"] if vote["field"] == "valuable"]
        judged = [
            set(v["answer"]["picked"]) >= set(needed) for v in ticked if v["stage"] == "judge"
        ]
        verified = [set(v["answer"]["picked"]) for v in ticked if v["stage"] == "verify"]
        is_kept = 2 * sum(judged) > len(judged) and (not verified or verified[0] >= set(needed))
        if is_kept:
            texts = {**item["texts"], **_last_words(item)}
            decoys = sorted(text for key, text in texts.items() if key.startswith("decoy-"))
            expected[item["source"]["key"]] = (
                *(texts["question"], texts["answer"], tuple(decoys)),
                texts["type"],
            )
    published = {}
    for each in _read(data_set):
        choices = [each[f"answer_choice_{n}"] for n in range(5)]
        answer = choices.pop(each["answer_id"])
        if answer != each["answer"]:
            yield f"{each['key']}: the answer is not the choice that is named"
        published[each["key"]] = (
            *(each["question"], answer, tuple(sorted(choices))),
            each["question type"],
        )
    yield from _differences(set(published.items()), set(expected.items()))


def _last_words(item: Mapping[str, Any]) -> dict[str, str]:
    """Return texts and choices by field: of who verified, else as most judges have them."""
    found: dict[str, str] = {}
    for stage in ("judge", "verify"):
        given: dict[str, list[str]] = {}
        for vote in item["votes"]:
            answer = vote["answer"]
            if vote["stage"] == stage and vote["field"] != "valuable":
                if "text" in answer:
                    given.setdefault(vote["field"], []).append(answer["text"])
                elif "picked" in answer:
                    given.setdefault(vote["field"], []).append(answer["picked"][0])
        found |= {key: Counter(said).most_common(1)[0][0] for key, said in given.items()}
    return found


def video_tt_faults(data_set: Path, provenance: Path, votes: Path) -> Iterator[str]:
    """Yield which published rows of Video-TT do not follow from what was written and aligned.

    What is made is aligned by two people, whose corrections stand where both give the same; what
    both drop is not published.
    """
    items = {item["item"]: item for item in _read(votes)["items"]}
    sources = _read(provenance)["questions"]
    seen: set[str] = set()
    for row in _read(data_set):
        name = sources[row["qid"]]["source"]["item"]
        seen.add(name)
        texts = _aligned(items, name)
        key = _VARIANTS.get(row["question_type"].partition(" ")[0], "multiple-choice")
        asked, *options = row["question"].split("\n")
        if asked != texts[key]:
            yield f"{row['qid']}: “{asked}” is published, “{texts[key]}” was aligned"
        answer = row["answer"]
        if options:
            lettered = dict(option.split(". ", 1) for option in options)
            answer = lettered[answer]
            if sorted(lettered.values()) != sorted(texts[f"option-{c}"] for c in "abcd"):
                yield f"{row['qid']}: other options"
        wanted = texts["option-a"] if options else texts["answer"]
        if answer != wanted:
            yield f"{row['qid']}: the answer is “{answer}”, not “{wanted}”"
    last = {
        name
        for name, item in items.items()
        if item["kind"] == "variants-alignment" and not _is_dropped(item)
    }
    # What was aligned again stands in what came of it.
    again = {item["source"].get("item") for item in items.values()}
    yield from _differences(seen, last - again)


_VARIANTS = {
    "Primary": "question",
    "Paraphrased": "paraphrased",
    "Correctly-led": "correctly-led",
    "Wrongly-led": "wrongly-led",
}


def _aligned(items: Mapping[str, Any], name: str) -> dict[str, str]:
    """Return the texts of an item after what it was made from, and after its own votes."""
    item = items[name]
    before = item["source"].get("item")
    texts = _aligned(items, before) if before in items else {}
    given: dict[str, list[str]] = {}
    for vote in item["votes"]:
        if "text" in vote["answer"]:
            given.setdefault(vote["field"], []).append(vote["answer"]["text"])
    return texts | {key: said[0] for key, said in given.items() if len(set(said)) == 1}


def _is_dropped(item: Mapping[str, Any]) -> bool:
    given = [vote["answer"]["truth"] for vote in item["votes"] if vote["field"] == "dropped"]
    return bool(given) and all(given)


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _differences(published: set[Any], expected: set[Any]) -> Iterator[str]:
    yield from (f"{each}: published, but not by the votes" for each in sorted(published - expected))
    yield from (f"{each}: by the votes, but not published" for each in sorted(expected - published))


def material_faults(folder: Path) -> Iterator[str]:
    """Yield which materials of PACS, and labels of questions about them, are not as the votes say.

    What is said by somebody who hears the object stands, else what is said by sight.
    """
    clips = {
        name: each["clip"] for name, each in _read(folder / "provenance.json")["objects"].items()
    }
    said: dict[str, dict[str, tuple[int, list[str]]]] = {}
    for item in _read(folder / "votes.json")["items"]:
        if item["kind"] in ("look", "listen") and item["purpose"] == "work":
            given = {vote["field"]: vote["answer"] for vote in item["votes"]}
            if "materials" in given:
                sure = given["confidence"]["confidence"]
                told = sure, sorted(given["materials"]["picked"])
                said.setdefault(item["videos"][0], {})[item["kind"]] = told
    objects = _read(folder / "objects.json")
    made_of: dict[str, list[str]] = {}
    for name, each in objects.items():
        votes = said[clips[name]]
        wanted = votes["listen"] if "listen" in votes else votes["look"]
        made_of[name] = each["materials"]
        is_alike = len(wanted[1]) == len(each["materials"]) and all(
            word.startswith(key) for key, word in zip(wanted[1], each["materials"], strict=True)
        )
        if not is_alike:
            yield f"{clips[name]}: {each['materials']} is published, the votes say {wanted[1]}"
    for part in ("train", "val"):
        for pair, questions in _read(folder / f"{part}_mat.json").items():
            two = pair.split("_")
            for each in questions.values():
                word = each["text"].removeprefix("Which object is made of ").removesuffix("?")
                right = [word in made_of[name] for name in two]
                if right != [each["label"] == 0, each["label"] == 1]:
                    yield f"{pair}: {each['text']} has the label {each['label']}"
