"""Small random models of every family Vitrine runs, and what Hugging Face transformers computes with them.

A model is built from a ModelSpec, filled with seeded random numbers, saved, and read back by transformers as
float32 with eager attention on one CPU thread. Nothing here knows Vitrine: the numbers are an outsider's.
"""

import copy
import json
import math
import pathlib
import shutil
import tempfile
from dataclasses import dataclass, field

import torch
import transformers
from safetensors.torch import save_file

COMMAND = "python3 tests/golden/make_goldens.py"
GREEDY_TOKENS = 64
SEEDS_TRIED = 48
GOOD_GAP = 5e-3      # a seed is taken at once when greedy decoding never comes closer to a tie than this
NEEDED_GAP = 1e-3    # and refused below this: an engine that adds in another order must choose the same tokens
GOOD_VARIETY = 12    # different tokens among the greedy ones; a model in a loop of two shows little


def rope(kind="default", theta=10000.0, **scaling):
    return {"rope_type": kind, "rope_theta": theta, **scaling}


# The main shape. 112 is on purpose no multiple of 32: kernels must mind their tails.
BASE = dict(vocab_size=320, hidden_size=64, intermediate_size=112, num_hidden_layers=3, num_attention_heads=4,
            num_key_value_heads=2, max_position_embeddings=256, rms_norm_eps=1e-5, bos_token_id=1, eos_token_id=2,
            tie_word_embeddings=False, rope_parameters=rope())

# For the rope variants: heads wide enough to have slow and fast frequencies, the rest as small as may be.
NARROW = dict(BASE, vocab_size=192, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
              num_key_value_heads=1, head_dim=32)


@dataclass(frozen=True)
class ModelSpec:
    name: str
    family: str
    config: dict = field(default_factory=dict)
    prompt_tokens: int = 48
    stored: torch.dtype = torch.float32
    shard_bytes: int = 0  # 0: one file


def narrow(name, rope_parameters, **others):
    return ModelSpec(name, "llama", dict(NARROW, rope_parameters=rope_parameters, **others), prompt_tokens=60)


SPECS = [
    ModelSpec("llama", "llama", BASE),
    ModelSpec("llama-tied", "llama", dict(BASE, vocab_size=200, hidden_size=48, num_key_value_heads=4,
                                          intermediate_size=80, tie_word_embeddings=True,
                                          rope_parameters=rope(theta=500000.0)), 41),
    ModelSpec("llama-attention-bias", "llama", dict(BASE, vocab_size=192, intermediate_size=64,
                                                    num_hidden_layers=2, attention_bias=True, mlp_bias=True)),
    narrow("llama-linear", rope("linear", factor=2.0)),
    narrow("llama3-rope", rope("llama3", factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0,
                               original_max_position_embeddings=48)),
    narrow("llama-yarn", rope("yarn", factor=8.0, original_max_position_embeddings=32)),
    narrow("llama-yarn-tuned", rope("yarn", factor=4.0, original_max_position_embeddings=32, attention_factor=1.25,
                                    beta_fast=4.0, beta_slow=0.5, truncate=False), max_position_embeddings=128),
    narrow("llama-yarn-mscale", rope("yarn", factor=8.0, original_max_position_embeddings=32, mscale=1.0,
                                     mscale_all_dim=0.5)),
    ModelSpec("qwen2", "qwen2", dict(BASE, intermediate_size=96, num_hidden_layers=2, rms_norm_eps=1e-6,
                                     tie_word_embeddings=True, rope_parameters=rope(theta=1000000.0))),
    ModelSpec("qwen2-sliding", "qwen2", dict(
        {key: value for key, value in NARROW.items() if key != "head_dim"}, num_hidden_layers=3,
        rope_parameters=rope(theta=1000000.0), use_sliding_window=True, sliding_window=16, max_window_layers=1)),
    ModelSpec("qwen3", "qwen3", dict(BASE, vocab_size=256, intermediate_size=96, num_hidden_layers=2, head_dim=32,
                                     rms_norm_eps=1e-6, rope_parameters=rope(theta=1000000.0))),
    ModelSpec("mistral", "mistral", dict(BASE, vocab_size=224, intermediate_size=64, sliding_window=16), 52),
    ModelSpec("llama-bf16-sharded", "llama", BASE, stored=torch.bfloat16, shard_bytes=80_000),
    ModelSpec("llama-f16", "llama", dict(BASE, num_hidden_layers=2), stored=torch.float16),
]


def build(spec):
    """The model with whatever transformers puts into it; fill() replaces every weight."""
    classes = {"llama": transformers.LlamaConfig, "qwen2": transformers.Qwen2Config,
               "qwen3": transformers.Qwen3Config, "mistral": transformers.MistralConfig}
    config = classes[spec.family](**copy.deepcopy(spec.config))
    model = transformers.AutoModelForCausalLM.from_config(config, attn_implementation="eager")
    return model.float().eval()


@torch.no_grad()
def fill(model, seed, stored):
    """Random weights of which each one matters: no bias is 0, no norm weight 1, logits spread by a few units.

    Rounded to the type they are stored in, so that the model in memory is already the one on disk.
    """
    generator = torch.Generator().manual_seed(seed)
    embedding_spread = 0.25 if model.config.tie_word_embeddings else 1.0
    for name, weight in sorted(model.named_parameters(), key=lambda pair: pair[0]):
        noise = torch.randn(weight.shape, generator=generator)
        if name.endswith("bias"):
            value = 0.3 * noise
        elif weight.dim() == 1:
            value = (1.0 + 0.3 * noise).clamp(0.3, 2.0)
        elif "embed_tokens" in name:
            value = embedding_spread * noise
        else:
            value = 1.5 * noise / math.sqrt(weight.shape[1])
        weight.copy_(value.to(stored).float())


def load(directory):
    model = transformers.AutoModelForCausalLM.from_pretrained(
        str(directory), dtype=torch.float32, attn_implementation="eager", local_files_only=True)
    if any(weight.dtype != torch.float32 for weight in model.parameters()):
        raise RuntimeError("transformers did not widen the weights to float32")
    if model.config._attn_implementation != "eager":
        raise RuntimeError(f"attention is {model.config._attn_implementation}, not eager")
    return model.eval()


def choose(row):
    """The largest logit's token (the smaller id on a tie) and how far the second stands behind it."""
    top = row.float().topk(2).values
    return int(row.argmax()), float(top[0] - top[1])


@torch.no_grad()
def greedy_cached(model, prompt, count=GREEDY_TOKENS):
    tokens, gap, cache, ids = [], math.inf, None, prompt.unsqueeze(0)
    for _ in range(count):
        out = model(input_ids=ids, past_key_values=cache, use_cache=True)
        cache = out.past_key_values
        token, here = choose(out.logits[0, -1])
        tokens.append(token)
        gap = min(gap, here)
        ids = torch.tensor([[token]], dtype=torch.int64)
    return tokens, gap


@torch.no_grad()
def greedy_recomputed(model, prompt, count=GREEDY_TOKENS):
    tokens, gap = [], math.inf
    for _ in range(count):
        ids = torch.cat([prompt, torch.tensor(tokens, dtype=torch.int64)]).unsqueeze(0)
        token, here = choose(model(input_ids=ids, use_cache=False).logits[0, -1])
        tokens.append(token)
        gap = min(gap, here)
    return tokens, gap


@torch.no_grad()
def forward(model, prompt):
    """Logits [T, V] and the hidden states [T, H]: the embeddings, then each layer's output, the last one normed."""
    out = model(input_ids=prompt.unsqueeze(0), output_hidden_states=True, use_cache=False)
    return out.logits[0].float(), [state[0].float() for state in out.hidden_states]


def seeded_prompt(spec, seed):
    generator = torch.Generator().manual_seed(1000 + seed)
    return torch.randint(3, spec.config["vocab_size"], (spec.prompt_tokens,), generator=generator)


def search_seed(spec, model):
    """The first seed whose greedy text is varied and far from ties, else the best of those tried."""
    best = None
    for seed in range(1, SEEDS_TRIED + 1):
        fill(model, seed, spec.stored)
        tokens, gap = greedy_recomputed(model, seeded_prompt(spec, seed))
        variety = len(set(tokens))
        if gap > GOOD_GAP and variety >= GOOD_VARIETY:
            return seed
        rank = (gap > NEEDED_GAP, min(variety, GOOD_VARIETY), gap)
        if best is None or rank > best[0]:
            best = (rank, seed)
    if not best[0][0]:
        raise RuntimeError(f"no seed of {SEEDS_TRIED} keeps greedy decoding {NEEDED_GAP} away from a tie")
    return best[1]


def old_spelling(config, stored):
    """The same config.json as transformers wrote it before version 5: rope_theta, rope_scaling, torch_dtype."""
    old = dict(config)
    scaling = dict(old.pop("rope_parameters"))
    old["rope_theta"] = scaling.pop("rope_theta")
    kind = scaling.pop("rope_type")
    key = "rope_type" if kind == "llama3" else "type"  # the two names it had
    old["rope_scaling"] = None if kind == "default" else {key: kind, **scaling}
    old["torch_dtype"] = str(stored).removeprefix("torch.")
    for newer in ("dtype", "layer_types", "transformers_version"):
        old.pop(newer, None)
    if old["model_type"].startswith("qwen") and not old.get("use_sliding_window"):
        old["sliding_window"] = 4096  # real files carry a number that use_sliding_window: false makes void
    return old


def write_old_config(directory, stored):
    old = old_spelling(json.loads((directory / "config.json").read_text()), stored)
    (directory / "config_old.json").write_text(json.dumps(old, indent=2, sort_keys=True) + "\n")


def check_old_config(directory, prompt, logits):
    """transformers itself must read config_old.json as the same model."""
    with tempfile.TemporaryDirectory() as scratch:
        for path in directory.glob("model*.safetensors*"):
            shutil.copy(path, scratch)
        shutil.copy(directory / "config_old.json", pathlib.Path(scratch) / "config.json")
        difference = float((forward(load(scratch), prompt)[0] - logits).abs().max())
    if not difference <= 1e-6:
        raise RuntimeError(f"config_old.json gives logits {difference} away from config.json's")


def check(spec, model, prompt, in_memory, logits, hidden, runs):
    """What must hold before these numbers may be called a reference."""
    (recomputed, _), (cached, _) = runs
    if not torch.isfinite(logits).all() or float(logits.std()) < 0.5:
        raise RuntimeError(f"logits are flat or not finite (spread {float(logits.std())})")
    if len(hidden) != spec.config["num_hidden_layers"] + 1:
        raise RuntimeError(f"{len(hidden)} hidden states for {spec.config['num_hidden_layers']} layers")
    with torch.no_grad():
        embedded = model.get_input_embeddings()(prompt)
        after_norm = float((model.lm_head(hidden[-1]) - logits).abs().max())
    if not torch.equal(embedded, hidden[0]):
        raise RuntimeError("the first hidden state is not the embeddings")
    if not after_norm <= 1e-5:
        raise RuntimeError(f"the last hidden state is not the one after the final norm ({after_norm})")
    reread = float((in_memory - logits).abs().max())
    if not reread <= 1e-5:
        raise RuntimeError(f"the model read back differs from the one saved by {reread}")
    if recomputed != cached:
        raise RuntimeError("greedy decoding with and without a cache disagree")
    if not min(runs[0][1], runs[1][1]) > NEEDED_GAP:
        raise RuntimeError("greedy decoding comes too close to a tie")


def metadata(name, runs, **more):
    gap = min(run[1] for run in runs)
    return {"magic": "vitrine-golden", "version": "1", "tolerance": "1e-4", "command": COMMAND, "model": name,
            "min_greedy_gap": f"{gap:.6g}", "transformers": transformers.__version__, "torch": str(torch.__version__),
            **more}


def save_model(spec, model, directory):
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    options = {"max_shard_size": spec.shard_bytes} if spec.shard_bytes else {}
    model.to(spec.stored).save_pretrained(str(directory), **options)
    shards = len(list(directory.glob("*.safetensors")))
    indexed = (directory / "model.safetensors.index.json").exists()
    if (shards > 1) != bool(spec.shard_bytes) or indexed != bool(spec.shard_bytes):
        raise RuntimeError(f"saved as {shards} file(s), index: {indexed}")


def make_model(spec, root):
    """Writes models/<name>/ and returns a line about it. The reference is computed from what was read back."""
    directory = root / "models" / spec.name
    model = build(spec)
    seed = search_seed(spec, model)
    fill(model, seed, spec.stored)
    prompt = seeded_prompt(spec, seed)
    in_memory = forward(model, prompt)[0]
    save_model(spec, model, directory)
    write_old_config(directory, spec.stored)

    model = load(directory)
    logits, hidden = forward(model, prompt)
    runs = (greedy_recomputed(model, prompt), greedy_cached(model, prompt))
    tensors = {"input_ids": prompt, "logits": logits, "greedy": torch.tensor(runs[0][0], dtype=torch.int64)}
    tensors.update({f"hidden.{i}": state for i, state in enumerate(hidden)})
    save_file({name: tensor.contiguous().clone() for name, tensor in tensors.items()},
              str(directory / "expected.safetensors"), metadata=metadata(spec.name, runs, seed=str(seed)))
    check(spec, model, prompt, in_memory, logits, hidden, runs)
    check_old_config(directory, prompt, logits)
    gap, variety = min(run[1] for run in runs), len(set(runs[0][0]))
    return f"seed {seed}, gap {gap:.4f}, {variety} different greedy tokens, logits spread {float(logits.std()):.2f}"
