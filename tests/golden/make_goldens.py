#!/usr/bin/env python3
"""Makes every golden under tests/golden again with Hugging Face transformers. See README.md beside this file.

    python3 tests/golden/make_goldens.py [--out DIR] [--builtin MODEL_DIR] [--only PART_OF_A_NAME]...

Needs torch, transformers 5 and safetensors; no network and no GPU. A golden that fails is reported at the end and
does not keep the others from being made; the exit status is then 1.
"""

import argparse
import os
import pathlib
import sys
import time
import traceback

sys.dont_write_bytecode = True
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_OFFLINE"] = "1"
os.environ["CUDA_VISIBLE_DEVICES"] = ""  # the references are the CPU's

import torch  # noqa: E402

import golden_models  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
LARGEST_TOTAL = 6_000_000


def make_sampler(out):
    import golden_sampler  # imported late: one that transformers no longer fits must not stop the others

    return golden_sampler.make_sampler(out, golden_models.COMMAND)


def make_typical(out):
    import golden_typical

    return golden_typical.make_typical(out, golden_models.COMMAND)


def make_beams(out):
    import golden_beams

    models = out / "models"
    return golden_beams.make_beams(out, models if models.is_dir() else HERE / "models", golden_models.COMMAND)


def make_inside(out):
    import golden_inside

    models = out / "models"
    return golden_inside.make_inside(out, models if models.is_dir() else HERE / "models",
                                     golden_models.COMMAND + " --only inside")


def make_builtin(model_directory, out):
    import golden_builtin

    return golden_builtin.make_builtin(model_directory, out)


def make_builtin_chats(model_directory, out):
    import golden_builtin

    return golden_builtin.make_chats(model_directory, out)


def make_tokenizers(out):
    import make_tokenizers as tokenizers

    tokenizers.make(out)
    return "made"


def make_chats(out):
    import golden_chats
    import make_tokenizers as tokenizers

    made = out / "tokenizers"
    return golden_chats.make(out, tokenizers.HEADER, made if made.is_dir() else HERE / "tokenizers")


def jobs(arguments):
    out = arguments.out
    result = [(f"models/{spec.name}", lambda spec=spec: golden_models.make_model(spec, out))
              for spec in golden_models.SPECS]
    result.append(("sampler", lambda: make_sampler(out)))
    result.append(("typical", lambda: make_typical(out)))
    result.append(("beams", lambda: make_beams(out)))
    result.append(("inside", lambda: make_inside(out)))
    if arguments.builtin:
        result.append(("builtin/expected", lambda: make_builtin(arguments.builtin, out)))
        result.append(("builtin/chats", lambda: make_builtin_chats(arguments.builtin, out)))
    result.append(("tokenizers", lambda: make_tokenizers(out)))
    result.append(("chat", lambda: make_chats(out)))
    if arguments.only:
        result = [job for job in result if any(part in job[0] for part in arguments.only)]
    return result


def print_sizes(out):
    total = 0
    for folder in sorted(path for path in [*out.glob("models/*"), out / "sampler", out / "beams",
                                         out / "builtin"] if path.is_dir()):
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        total += size
        print(f"{size:>9} bytes  {folder.relative_to(out)}")
    print(f"{total:>9} bytes  models, sampler, beams and builtin together")
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=HERE)
    parser.add_argument("--builtin", type=pathlib.Path, help="the built-in model's directory")
    parser.add_argument("--only", action="append", help="make only the goldens whose name contains this")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)

    # One thread: the same additions in the same order wherever this runs.
    torch.set_num_threads(1)
    failures = []
    for name, job in jobs(arguments):
        start = time.monotonic()
        try:
            print(f"{name}: {job()} ({time.monotonic() - start:.1f} s)", flush=True)
        except Exception as error:
            traceback.print_exc()
            failures.append(f"{name}: {error!r}")
            print(f"{name}: FAILED", flush=True)
    if print_sizes(arguments.out) > LARGEST_TOTAL:
        failures.append(f"the goldens together are larger than {LARGEST_TOTAL} bytes")
    for failure in failures:
        print(f"FAILED {failure}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
