"""The corpus in parallel: text from the generator, ids from the tokenizer, packed into rows of one context.

A row is a whole number of documents, so that one in every row begins where a real conversation begins.
Each cell is one int16: the id, plus LIGHT for what a user typed (learnt with a small weight) or EMPTY.
"""

import multiprocessing
import pathlib
import random
import time

from corpus import documents
from text import BOS, EOS, Codec

LIGHT, EMPTY, ID_MASK = 8192, 16384, 8191


def weighted_ids(codec, document, rng):
    """The document's ids with their marks. A conversation weighs its answers, a plain text everything."""
    if isinstance(document, str):
        return codec.plain(document) + [EOS]
    ids = [BOS + LIGHT]
    if rng.random() < 0.1:
        ids.append(codec.space + LIGHT)  # a tokenizer that puts the leading space before the first mark
    for index, (role, text) in enumerate(document):
        turn = codec.turn(role, text)
        if role == "assistant":
            marked = [turn[0] + LIGHT, turn[1] + LIGHT] + turn[2:]
        else:
            marked = [i + LIGHT for i in turn]
        if index:
            ids.append(codec.newline + LIGHT)
        ids += marked
    return ids


def pack(found, context):
    """Documents into rows, taking the next one that fits; what is too long for any row is left out."""
    rows, row, waiting = [], [], []
    for ids in found:
        waiting.append(ids)
        if len(waiting) < 24:
            continue
        room = context - len(row)
        fitting = next((i for i, w in enumerate(waiting) if len(w) <= room), None)
        if fitting is None:
            rows.append(row + [EMPTY] * room)
            row, fitting = [], 0
        row = row + waiting.pop(fitting)
    return rows


def _texts(job):
    """Text for the tokenizer: about `budget` characters of turns."""
    seed, budget = job
    rng = random.Random(seed)
    lines, size = [], 0
    while size < budget:
        document = documents.document(rng)
        for text in [document] if isinstance(document, str) else [text for _, text in document]:
            lines.append(text)
            size += len(text)
    return lines


def _rows(job):
    import numpy

    seed, budget, context, tokenizer, target = job
    rng = random.Random(seed)
    codec = Codec(tokenizer)

    def stream():
        size = 0
        while size < budget:
            ids = weighted_ids(codec, documents.document(rng), rng)
            if len(ids) <= context:
                size += len(ids)
                yield ids

    numpy.save(target, numpy.array(pack(stream(), context), dtype=numpy.int16))
    return target


def _pool(workers):
    return multiprocessing.get_context("fork").Pool(workers)


JOBS = 64  # fixed, so that the corpus does not depend on the number of processors


def tokenizer_lines(seed, characters, workers):
    jobs = [(f"{seed}/text/{n}", characters // JOBS) for n in range(JOBS)]
    with _pool(workers) as pool:
        return [line for lines in pool.map(_texts, jobs) for line in lines]


def training_rows(seed, tokens, context, tokenizer, folder, workers, jobs=JOBS):
    """All rows as one int16 array (rows, context)."""
    import numpy

    begun = time.monotonic()
    todo = [(f"{seed}/rows/{n}", max(tokens // jobs, 4 * context), context, str(tokenizer), str(pathlib.Path(folder, f"rows{n}.npy")))
            for n in range(jobs)]
    with _pool(workers) as pool:
        paths = pool.map(_rows, todo, chunksize=1)
    parts = [numpy.load(p) for p in paths]
    rows = numpy.concatenate([part for part in parts if part.size])
    for p in paths:
        pathlib.Path(p).unlink()
    print(f"corpus: {rows.shape[0]} rows of {context}, {int((rows < EMPTY).sum()) / 1e6:.1f} M tokens, "
          f"{int((rows < LIGHT).sum()) / 1e6:.1f} M of full weight, {time.monotonic() - begun:.0f} s", flush=True)
    return rows
