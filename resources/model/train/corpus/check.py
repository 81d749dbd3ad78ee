"""Checks the hand-written entries (on import) and prints samples of every kind for reading.

    python3 -m corpus.check [samples] [seed]
"""

import random
import sys

from corpus import documents, outside, qa, stories, talk, tasks


def prove(rng):
    """What must hold for every draw: a story has what it was asked for, a refusal is known as one."""
    for _ in range(2000):
        asked, want, length = stories.request(rng)
        tale = stories.Tale(rng, **want)
        told = stories.told(rng, tale, length).lower()
        for key, value in want.items():
            wanted = value if isinstance(value, str) else value[1].lstrip("=")
            if key != "plot" and wanted.lower() not in told:
                raise ValueError(f"'{asked}' got a story without {wanted}: {told}")
        if tale.name[0] == tale.friend_name[0]:
            raise ValueError(f"{tale.name} and {tale.friend_name} are too much alike")
        kind, question = outside.question(rng)
        if not outside.is_decline(outside.decline(rng, kind, question)):
            raise ValueError(f"not known as a refusal: the answer to '{question}'")


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    rng = random.Random(sys.argv[2] if len(sys.argv) > 2 else "1")
    entries = documents.ENTRIES
    print(f"{len(entries)} entries, {sum(len(set(e.questions)) for e in entries)} questions, "
          f"{sum(len(e.held_out) for e in entries)} of them held out")
    makers = {"qa": lambda: qa.exchange(rng, entries), "talk": lambda: talk.exchange(rng), "tasks": lambda: tasks.exchange(rng),
              "outside": lambda: outside.exchange(rng), "stories": lambda: stories.exchange(rng)}
    for kind, make in makers.items():
        print(f"\n== {kind}")
        for _ in range(count):
            print("\n".join(f"> {question}\n{answer}" for question, answer in make()) + "\n")
    prove(rng)
    documents.evaluation(1)


if __name__ == "__main__":
    main()
