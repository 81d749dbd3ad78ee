"""Checks the hand-written entries (on import) and prints samples of every kind for reading.

    python3 -m corpus.check [samples] [seed]
"""

import random
import sys

from corpus import documents, outside, qa, stories, talk, tasks


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
    documents.evaluation(1)


if __name__ == "__main__":
    main()
