"""Documents of the corpus: conversations of several exchanges, and now and then a plain story or answer.

A document is a list of (role, text), or a plain string.
"""

import json
import random

from corpus import exam, outside, qa, stories, talk, tasks

ENTRIES = qa.load()
_KINDS = [("qa", 54), ("outside", 13), ("talk", 10), ("tasks", 10), ("stories", 13)]
_SYSTEM = ["You are Vitrine's built-in model.", "You are a helpful assistant.", "Answer briefly.", "You are a friendly assistant that explains inference.",
           "You are a helpful, honest assistant.", "Be kind and clear.", "You explain how language models are served."]
is_decline = outside.is_decline


def _exchange(rng, kind):
    if kind == "qa":
        return qa.exchange(rng, ENTRIES)
    return {"outside": outside, "talk": talk, "tasks": tasks, "stories": stories}[kind].exchange(rng)


def document(rng):
    if rng.random() < 0.03:
        return stories.tell(rng)
    messages = []
    if rng.random() < 0.04:
        messages.append(("system", rng.choice(_SYSTEM)))
    kinds, weights = [k for k, _ in _KINDS], [w for _, w in _KINDS]
    exchanges = rng.choices([1, 2, 3, 4, 6, 9], [50, 20, 13, 9, 5, 3])[0]
    kind = rng.choices(kinds, weights)[0]
    if exchanges > 1 and kind != "talk" and rng.random() < 0.25:  # people begin with a greeting
        for question, answer in talk.greeting(rng):
            messages += [("user", question), ("assistant", answer)]
    for _ in range(exchanges):
        for question, answer in _exchange(rng, kind):
            messages += [("user", question), ("assistant", answer)]
        if sum(len(text) for _, text in messages) > 3300:
            break
        if rng.random() < 0.5:
            kind = rng.choices(kinds, weights)[0]
    return messages


def evaluation(seed):
    """Held-out questions of every kind."""
    rng = random.Random(f"{seed}/evaluation")
    return (exam.items(ENTRIES) + qa.held_out(rng, ENTRIES, 1) + qa.held_out_followups(rng, ENTRIES, 100) + outside.held_out(rng, 200) + tasks.held_out(rng, 150) + stories.held_out(rng, 40))


def write_evaluation(path, seed):
    items = evaluation(seed)
    path.write_text("".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items), encoding="utf-8")
