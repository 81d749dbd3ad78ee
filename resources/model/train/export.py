"""Writes the trained model as a Hugging Face directory, with its card, and checks that it reads back the same."""

import json
import pathlib
import tarfile

import torch

import card
import text
from corpus import documents

LIMIT_BYTES = 24 * 1000 * 1000
SAMPLES = [
    "Hello!", "Who are you?", "What is a KV cache?", "Explain prefix sharing, please.", "why is decoding memory bound?",
    "What does F10 do?", "What is the difference between prefill and decode?", "Who won the football match yesterday?",
    "What is 7 + 5?", "Count from one to ten.", "Tell me a story about a fox and a lighthouse.",
]


def config_of(shape, exit_layer):
    rope = {"rope_type": "default", "rope_theta": shape.theta}
    return {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": shape.vocab, "hidden_size": shape.hidden,
        "intermediate_size": shape.inner, "num_hidden_layers": shape.layers, "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads, "head_dim": shape.head_dim, "hidden_act": "silu",
        "max_position_embeddings": shape.context, "initializer_range": 0.02, "rms_norm_eps": shape.eps,
        "rope_theta": shape.theta, "rope_parameters": rope, "tie_word_embeddings": True, "attention_bias": False,
        "attention_dropout": 0.0, "mlp_bias": False, "bos_token_id": text.BOS, "eos_token_id": text.EOS, "use_cache": True,
        "torch_dtype": "bfloat16", "dtype": "bfloat16", "vitrine": {"recommended_exit_layer": exit_layer},
    }


def tokenizer_config():
    def added(content):
        return {"content": content, "lstrip": False, "normalized": False, "rstrip": False, "single_word": False, "special": True}

    return {
        "tokenizer_class": "LlamaTokenizer", "add_bos_token": True, "add_eos_token": False, "legacy": False,
        "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "</s>", "padding_side": "left",
        "model_max_length": 1024, "clean_up_tokenization_spaces": False, "use_default_system_prompt": False,
        "sp_model_kwargs": {}, "added_tokens_decoder": {str(i): added(name) for i, name in enumerate(text.SPECIALS)},
        "chat_template": text.CHAT_TEMPLATE,
    }


@torch.no_grad()
def agreement(model, rows):
    """How often each exit's first choice is the full model's, on the answers of held-out rows."""
    from data import ID_MASK, LIGHT

    same, total = dict.fromkeys(model.shape.exits, 0), 0
    for part in rows.long().split(8):
        ids, answered = part & ID_MASK, part < LIGHT
        answered = torch.roll(answered, -1, dims=1)
        answered[:, -1] = False
        full = model.logits(ids).argmax(-1)
        total += int(answered.sum())
        for exit_layer in same:
            early = model.logits(ids, exit_layer=exit_layer).argmax(-1)
            same[exit_layer] += int(((early == full) & answered).sum())
    return {e: count / max(total, 1) for e, count in same.items()}


def expected_speed(rate, exit_layer, layers, length):
    """Tokens per full forward when each of `length` drafts costs exit_layer / layers of one."""
    tokens = length + 1 if rate >= 1.0 else (1 - rate ** (length + 1)) / (1 - rate)
    return tokens / (1 + length * exit_layer / layers)


def recommended_exit(rates, layers):
    return max(rates, key=lambda e: max(expected_speed(rates[e], e, layers, k) for k in range(1, 7)))


def write(model, codec, history, corpus_tokens, held, options):
    from safetensors.torch import save_file

    out = pathlib.Path(options.out)
    rates = agreement(model, held)
    exit_layer = recommended_exit(rates, model.shape.layers)

    def dump(name, value):
        (out / name).write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

    dump("config.json", config_of(model.shape, exit_layer))
    dump("tokenizer_config.json", tokenizer_config())
    dump("generation_config.json", {"bos_token_id": text.BOS, "eos_token_id": text.EOS, "pad_token_id": text.EOS,
                                    "do_sample": True, "temperature": 0.6, "top_p": 0.9, "max_length": 1024})
    save_file(model.hf_tensors(), str(out / "model.safetensors"), metadata={"format": "pt"})
    size = (out / "model.safetensors").stat().st_size
    if size > LIMIT_BYTES:
        raise SystemExit(f"model.safetensors is {size} bytes, more than {LIMIT_BYTES}")
    (out / "loss.svg").write_text(card.loss_curve(history), encoding="utf-8")
    dump("training.json", {
        "parameters": sum(p.numel() for p in model.parameters()), "bytes": size, "exit_layer": exit_layer,
        "entries": len(documents.ENTRIES), "questions": sum(len(set(e.questions)) for e in documents.ENTRIES),
        "corpus_tokens": corpus_tokens, "tokens": history[-1]["tokens"], "minutes": round(history[-1]["seconds"] / 60, 2),
        "optimizer": options.optimizer, "seed": options.seed,
        "held_out_loss": next(h["held_out"] for h in reversed(history) if "held_out" in h)})
    print(f"export: {size / 1e6:.1f} MB, exits agree {({e: round(r, 3) for e, r in rates.items()})}, "
          f"recommended exit {exit_layer}", flush=True)


@torch.no_grad()
def verify(model, codec, out, device):
    """The directory as others see it: same logits in transformers, same ids from its tokenizer, some chats."""
    from transformers import AutoModelForCausalLM

    theirs = AutoModelForCausalLM.from_pretrained(str(out), dtype=torch.float32).to(device).eval()
    for p in model.parameters():
        p.data = p.data.to(torch.bfloat16).float()  # what the file holds
    ids = torch.tensor([codec.prompt([("user", q)])[:12] for q in SAMPLES if len(codec.prompt([("user", q)])) >= 12], device=device)
    difference = float((theirs(ids).logits - model.logits(ids)).abs().max())
    print(f"verify: largest difference of logits to transformers {difference:.2e}", flush=True)
    if not difference < 1e-3:
        raise SystemExit("the exported model does not reproduce the trainer's logits")
    verify_tokenizer(codec, out)
    for question in SAMPLES:
        prompt = torch.tensor([codec.prompt([("user", question)])], device=device)
        said = theirs.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=300, do_sample=False, pad_token_id=text.EOS,
                               temperature=None, top_p=None)
        print(f"> {question}\n{codec.decode(said[0, prompt.shape[1]:].tolist())}\n", flush=True)


def verify_tokenizer(codec, out):
    """Compares with Hugging Face's own reading of the same files; reported, for its versions differ."""
    messages = [("user", "What's a KV-cache?  It costs 2048 bytes"), ("assistant", "Keys and values."), ("user", "naïve\n日本")]
    try:
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(str(out))
        rendered = tokenizer.apply_chat_template([{"role": r, "content": c} for r, c in messages], tokenize=False,
                                                 add_generation_prompt=True)
        theirs = tokenizer(rendered, add_special_tokens=False)["input_ids"]
    except Exception as problem:
        print(f"verify: transformers does not read the tokenizer: {type(problem).__name__}: {problem}", flush=True)
        return
    same_text = rendered == text.render(messages, answer_next=True)
    same_ids = theirs == codec.prompt(messages)
    print(f"verify: chat template {'same' if same_text else 'DIFFERENT'}, ids {'same' if same_ids else 'DIFFERENT'}", flush=True)
    if not same_ids:
        print(f"  theirs {theirs}\n  ours   {codec.prompt(messages)}", flush=True)


def parcels(out, folder):
    """The directory as vitrine-model.tar in parts of 15 MiB: `cat vitrine-model.tar.* | tar x`."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    whole = folder / "vitrine-model.tar"
    with tarfile.open(whole, "w") as archive:
        for path in sorted(pathlib.Path(out).iterdir()):
            if path.is_file():
                archive.add(path, arcname=path.name)
    content = whole.read_bytes()
    whole.unlink()
    part = 15 * 1024 * 1024
    for index in range(0, len(content), part):
        (folder / f"vitrine-model.tar.{index // part}").write_bytes(content[index : index + part])
