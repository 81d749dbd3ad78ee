"""What transformers computes with the built-in model: kept small, for its vocabulary is large."""

import hashlib
import json
import pathlib

import torch
import transformers
from safetensors.torch import save_file

from golden_models import COMMAND, GREEDY_TOKENS, NEEDED_GAP, choose, forward, greedy_cached, greedy_recomputed, load, metadata

PROMPT_TOKENS = 64
SEEDS_TRIED = 12
ROWS_KEPT = 8


def digest(model_directory):
    """Of all weight files: a test can then distinguish a stale golden from a wrong engine."""
    sha = hashlib.sha256()
    for path in sorted(pathlib.Path(model_directory).glob("*.safetensors")):
        sha.update(path.read_bytes())
    return sha.hexdigest()


def choose_prompt(model):
    """Random ids are hard on a trained model; of a few prompts, the one that greedy decoding is surest about."""
    best = None
    for seed in range(1, SEEDS_TRIED + 1):
        generator = torch.Generator().manual_seed(seed)
        prompt = torch.randint(0, model.config.vocab_size, (PROMPT_TOKENS,), generator=generator)
        run = greedy_cached(model, prompt)
        if best is None or run[1] > best[1][1]:
            best = (prompt, run)
    return best


def make_builtin(model_directory, root):
    """Writes builtin/expected.safetensors and returns a line about it."""
    model = load(model_directory)
    if model.config.max_position_embeddings < PROMPT_TOKENS + GREEDY_TOKENS:
        raise RuntimeError(f"the context is shorter than {PROMPT_TOKENS + GREEDY_TOKENS} tokens")
    prompt, cached = choose_prompt(model)
    recomputed = greedy_recomputed(model, prompt)
    logits, _ = forward(model, prompt)
    directory = root / "builtin"
    directory.mkdir(parents=True, exist_ok=True)
    runs = (recomputed, cached)
    save_file({"input_ids": prompt, "logits_last": logits[-ROWS_KEPT:].contiguous().clone(),
               "argmax": logits.argmax(dim=-1), "greedy": torch.tensor(recomputed[0], dtype=torch.int64)},
              str(directory / "expected.safetensors"),
              metadata=metadata("builtin", runs, weights_sha256=digest(model_directory)))
    gap = min(recomputed[1], cached[1])
    if recomputed[0] != cached[0] or not gap > NEEDED_GAP:
        raise RuntimeError(f"greedy decoding comes too close to a tie ({gap}), or differs with a cache")
    return f"gap {gap:.4f}"


ANSWER_TOKENS = 120
CHATS_NEEDED = 12
QUESTIONS = [
    "Hello!", "Who are you?", "What is a KV cache?", "What is the difference between prefill and decode?",
    "Why does the scheduler preempt a request?", "What is 7 + 5?", "Count from one to ten.", "What is a token?",
    "How does speculative decoding work?", "Who won the football match yesterday?", "What does temperature do?",
    "Explain prefix sharing, please.", "  What is   batching? ", "What can you do?", "What is a p99?",
]
CONVERSATIONS = [
    [("system", "You answer briefly."), ("user", "What is a block table?")],
    [("user", "What is continuous batching?"), ("assistant", "Requests join and leave the batch at every step."), ("user", "why?")],
    [("user", "Hi"), ("assistant", "Hello! What would you like to know?"), ("user", "What is top-p?")],
]


def chats():
    """Conversations to answer: the questions one by one, then those of several messages."""
    for talk in [[("user", question)] for question in QUESTIONS] + CONVERSATIONS:
        yield [{"role": role, "content": content} for role, content in talk]


@torch.no_grad()
def smallest_gap(model, prompt, answer):
    """How far the second choice stayed behind the first along an answer; the answer must be the model's first choices."""
    logits = model(input_ids=torch.tensor([prompt + answer]), use_cache=False).logits[0].float()
    rows = [choose(logits[len(prompt) - 1 + i]) for i in range(len(answer))]
    return min(gap for _, gap in rows) if [token for token, _ in rows] == answer else 0.0


def make_chats(model_directory, root):
    """Writes builtin/chats.json: what transformers answers from the shipped folder alone, greedily. Returns a line about it."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(model_directory), local_files_only=True)
    model = load(model_directory)
    cases, left_out = [], []
    for messages in chats():
        prompt = list(tokenizer.apply_chat_template(messages, tokenize=True, add_generation_prompt=True, return_dict=False))
        ids = torch.tensor([prompt])
        said = model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=ANSWER_TOKENS,
                              temperature=None, top_p=None, pad_token_id=tokenizer.eos_token_id)
        answer = said[0, len(prompt):].tolist()
        if smallest_gap(model, prompt, answer) > NEEDED_GAP:
            cases.append({"messages": messages, "prompt_ids": prompt, "answer_ids": answer,
                          "answer": tokenizer.decode(answer, skip_special_tokens=True)})
        else:
            left_out.append(messages[-1]["content"])
    directory = root / "builtin"
    directory.mkdir(parents=True, exist_ok=True)
    head = json.dumps({"magic": "vitrine-golden", "version": 1, "command": COMMAND + " --builtin resources/model",
                       "made_with": {"transformers": transformers.__version__, "torch": torch.__version__},
                       "weights_sha256": digest(model_directory), "max_tokens": ANSWER_TOKENS}, ensure_ascii=False)[:-1]
    lines = ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases)
    (directory / "chats.json").write_text(f'{head}, "cases": [\n{lines}\n]}}\n', encoding="utf-8")
    if len(cases) < CHATS_NEEDED:
        raise RuntimeError(f"only {len(cases)} answers stay clear of ties; left out: {left_out}")
    return f"{len(cases)} answers; too close to a tie: {left_out or 'none'}"
