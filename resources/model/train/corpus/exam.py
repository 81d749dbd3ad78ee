"""The exam: questions by somebody who had not seen the training questions, in exam.txt.

One a line: the entry that answers it (or `outside`), a colon, the question. They are never trained on.
"""

import functools
import pathlib


@functools.cache
def questions():
    """[(entry's name, question)]"""
    found = []
    path = pathlib.Path(__file__).with_name("exam.txt")
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, question = line.partition(":")
        if not colon or not question.strip():
            raise ValueError(f"{path.name}:{number}: not understood: {line}")
        found.append((name.strip(), question.strip()))
    return found


def items(entries):
    """The exam as items of the evaluation."""
    by_name = {entry.name: entry for entry in entries}
    found = []
    for name, question in questions():
        if name == "outside":
            found.append({"kind": "exam, outside", "question": question})
        else:
            entry = by_name[name]
            found.append({"kind": "exam", "entry": name, "question": question, "keys": entry.keys, "reference": entry.answers[0]})
    return found
