"""Makes the built-in model: corpus, tokenizer, training, export, by one command on one GPU.

    python3 resources/model/train/train.py --out DIR [--minutes M] [--tokens N] [--smoke]

`--minutes` is the training loop's time; corpus, tokenizer and export take about two minutes more.
Everything but the GPU's rounding is a function of `--seed`.
"""

import argparse
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import torch  # noqa: E402

import data  # noqa: E402
import export  # noqa: E402
import model as decoder  # noqa: E402
import optimizer  # noqa: E402
import text  # noqa: E402
from corpus import documents  # noqa: E402

EXIT_TURNS = (4, 6, 4, 6, 4, 6, 8, 3)  # which exit learns in this step
EXIT_WEIGHT = 0.3
TYPED_WEIGHT = 0.1  # a user's words count little: the model answers, it does not ask
DEEPEST_DROPOUT = 0.1


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=7.6, help="of training, compilation included")
    parser.add_argument("--tokens", type=float, default=0, help="stop after so many tokens, if that is sooner")
    parser.add_argument("--corpus-tokens", type=float, default=300e6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=64, help="rows of one context in a step")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--optimizer", choices=("muon", "adamw"), default="muon")
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--workers", type=int, default=min(16, os.cpu_count() or 1))
    parser.add_argument("--parcels", type=pathlib.Path, help="also write the result there as a tar file in parts of 15 MiB")
    parser.add_argument("--smoke", action="store_true", help="the whole path in under a minute, with a toy result")
    options = parser.parse_args()
    if options.smoke:
        options.minutes, options.corpus_tokens, options.batch = 0.25, 1.5e6, 8
    return options


def schedule(done):
    """Warm up, hold, fall to nothing; `done` is the share of the run, 0 to 1."""
    if done < 0.01:
        return max(done / 0.01, 0.05)
    return 1.0 if done < 0.45 else max(0.0, (1.0 - done) / 0.55)


def batch_of(rows):
    """Ids, targets and weights of some rows of marked cells."""
    cells = rows.long()
    ids = cells & data.ID_MASK
    weights = torch.where(cells >= data.LIGHT, TYPED_WEIGHT, 1.0)
    weights = torch.where(cells >= data.EMPTY, 0.0, weights)
    targets = torch.roll(ids, -1, dims=1)
    weights = torch.roll(weights, -1, dims=1)
    targets[:, -1] = 0
    weights[:, -1] = 0.0
    return ids, targets, weights


def keep_masks(shape, batch, done, device, dtype):
    """Layer dropout: deeper layers are skipped more often, and less towards the end of the run."""
    strength = DEEPEST_DROPOUT * min(1.0, max(0.0, (1.0 - done) / 0.4))
    depth = torch.arange(shape.layers, device=device) / max(shape.layers - 1, 1)
    chance = strength * (torch.exp2(depth) - 1.0)
    return (torch.rand(shape.layers, batch, 1, 1, device=device) >= chance[:, None, None, None]).to(dtype)


@torch.no_grad()
def held_out_loss(model, rows, dtype):
    """Mean loss of the answers' tokens at full depth and at each exit."""
    sums = {exit_layer: 0.0 for exit_layer in (None, *model.shape.exits)}
    total = 0.0
    for part in rows.split(8):
        ids, targets, weights = batch_of(part)
        weights = (weights == 1.0).float()
        x, kept = model.hidden_states(ids, dtype, wanted=model.shape.exits)
        for exit_layer in sums:
            hidden = x if exit_layer is None else kept[exit_layer]
            loss = decoder.answer_loss(hidden, model.norm, model.embedding.to(dtype), targets, weights, model.shape.eps)
            sums[exit_layer] += float(loss) * float(weights.sum())
        total += float(weights.sum())
    return {("full" if e is None else f"exit {e}"): value / max(total, 1.0) for e, value in sums.items()}


def losses(model, functions, rows, exit_layer, done, dtype):
    """Loss of the full depth and of one exit on some rows; `functions` are the block and the paired loss to use."""
    model.run_block, paired = functions
    ids, targets, weights = batch_of(rows)
    keep = keep_masks(model.shape, len(rows), done, rows.device, dtype)
    x, kept = model.hidden_states(ids, dtype, keep, (exit_layer,))
    from_full = torch.tensor(min(1.0, max(0.0, (done - 0.1) / 0.3)), device=rows.device)
    return paired(x, kept[exit_layer], model.norm, model.embedding.to(dtype), targets, weights, from_full, model.shape.eps)


def hot_functions(options, model, rows, dtype):
    """The two hot functions, compiled where that works on this machine: tried once, forward and backward."""
    plain = (decoder.block, decoder.exit_losses)
    if options.no_compile or rows.device.type != "cuda":
        return plain
    try:
        fast = tuple(torch.compile(function, dynamic=False) for function in plain)
        sum(losses(model, fast, rows, EXIT_TURNS[0], 0.0, dtype)).backward()
        return fast
    except Exception as problem:  # a machine without a C compiler, say
        print(f"torch.compile is not used: {type(problem).__name__}: {str(problem)[:300]}", flush=True)
        return plain
    finally:
        model.zero_grad(set_to_none=True)


def train(options, model, rows, eval_rows, device):
    """The loop. Returns the history [{step, tokens, seconds, rate, loss, ...}]."""
    dtype = torch.bfloat16 if device.type == "cuda" else torch.float32
    optim = optimizer.Both(model, options.optimizer, options.rate)
    history, recent = [], []
    begun = clock = time.monotonic()
    functions = hot_functions(options, model, rows[: options.batch], dtype)
    deadline = begun + 60.0 * options.minutes
    tokens, done, order = 0, 0.0, iter(())
    per_step = options.batch * rows.shape[1]
    for step in itertools.count():
        picked = next(order, None)
        if picked is None or len(picked) < options.batch:
            order = iter(torch.randperm(rows.shape[0], device=device).split(options.batch))
            picked = next(order)
            if len(picked) < options.batch:
                raise SystemExit("the corpus has fewer rows than one batch")
        loss, early = losses(model, functions, rows[picked], EXIT_TURNS[step % len(EXIT_TURNS)], done, dtype)
        (loss + EXIT_WEIGHT * early).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optim.step(schedule(done))
        recent.append(loss.detach())
        tokens += per_step
        if step == 2:  # whatever is compiled has been: the schedule's clock starts here
            float(loss.detach())
            clock = time.monotonic()
        if step >= 2 and step % 10 == 0:
            mean = float(torch.stack(recent).mean())  # waits for the GPU, so the clock below is honest
            recent.clear()
            now = time.monotonic()
            if not mean == mean:
                raise SystemExit(f"the loss is not a number at step {step}")
            done = min(1.0, (now - clock) / max(deadline - clock, 1.0))
            if options.tokens:
                done = min(1.0, max(done, tokens / options.tokens))
            history.append({"step": step, "tokens": tokens, "seconds": round(now - begun, 2), "rate": schedule(done), "loss": mean})
            if step % 500 == 0 or done >= 1.0:
                model.run_block = decoder.block
                history[-1]["held_out"] = held_out_loss(model, eval_rows, dtype)
                speed = (tokens - 3 * per_step) / max(now - clock, 1e-9)
                print(json.dumps({"step": step, "done": round(done, 3), "loss": round(mean, 4), "held_out": {
                    k: round(v, 4) for k, v in history[-1]["held_out"].items()}, "Mtok": round(tokens / 1e6, 1),
                    "tok_per_s": int(speed)}), flush=True)
            if done >= 1.0:
                return history


def prepare(options, folder, shape):
    """Corpus and tokenizer: (codec, training rows, held-out rows), all before the GPU is touched."""
    begun = time.monotonic()
    tokenizer = options.out / "tokenizer.model"
    characters = 2_000_000 if options.smoke else 40_000_000
    lines = data.tokenizer_lines(options.seed, characters, options.workers)
    text.train_tokenizer(lines, tokenizer, shape.vocab, options.workers)
    codec = text.Codec(tokenizer)
    print(f"tokenizer: {codec.pieces.get_piece_size()} pieces, {time.monotonic() - begun:.0f} s", flush=True)
    if codec.pieces.get_piece_size() > shape.vocab:
        raise SystemExit("the tokenizer has more pieces than the model")
    rows = data.training_rows(options.seed, int(options.corpus_tokens), shape.context, tokenizer, folder, options.workers)
    held = data.training_rows(f"{options.seed}/held-out", 64 * shape.context if options.smoke else 128 * shape.context,
                              shape.context, tokenizer, folder, options.workers, 4)
    return codec, rows, held


def measure(options):
    """The evaluation writes the model card: a program of its own, as everybody runs it."""
    script = pathlib.Path(__file__).resolve().with_name("evaluate.py")
    command = [sys.executable, str(script), "--model", str(options.out), "--card"] + (["--limit", "8"] if options.smoke else [])
    if options.parcels:
        options.parcels.mkdir(parents=True, exist_ok=True)
        command += ["--answers", str(options.parcels / "answers.jsonl")]
    subprocess.run(command, check=True)


def main():
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    shape = decoder.Shape()
    with tempfile.TemporaryDirectory() as folder:
        codec, rows, held = prepare(options, folder, shape)
    documents.write_evaluation(options.out / "evaluation.jsonl", options.seed)

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(options.seed)
    torch.set_float32_matmul_precision("high")
    rows = torch.from_numpy(rows).to(device)
    held = torch.from_numpy(held).to(device)
    model = decoder.Decoder(shape).to(device)
    count = sum(p.numel() for p in model.parameters())
    print(f"model: {count / 1e6:.2f} M parameters on {device}", flush=True)
    history = train(options, model, rows, held, device)
    torch.set_float32_matmul_precision("highest")
    model.run_block = decoder.block
    export.write(model, codec, history, rows.shape[0] * shape.context, held, options)
    export.verify(model, codec, options.out, device)
    measure(options)
    if options.parcels:
        export.parcels(options.out, options.parcels)


if __name__ == "__main__":
    main()
