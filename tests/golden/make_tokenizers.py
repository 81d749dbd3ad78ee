"""Trains small tokenizers of every kind Vitrine reads, and writes what Hugging Face makes of hard text.

Called by make_goldens.py as make(out): writes out/tokenizers/<name>/. Needs tokenizers, transformers and
sentencepiece; no network. The reference for a tokenizer.json is the tokenizers library itself. For a lone
tokenizer.model it is SentencePiece: each stretch of text between special tokens gets the ids of its own encode.
transformers rebuilds such a file as a tokenizer.json, and its newest rebuild loses one of the spaces that a text begins
with ("  a" comes back as " a"), so only what becomes of ids again, and the tokenizer.json that it saves, are its own.

In expected.json "ids" are without and "ids_special" with added special tokens; "decoded" and "decoded_skip" are the
text of ids_special with special tokens kept and left out.
"""

import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import tempfile

import sentencepiece
import tokenizers
import transformers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from golden_texts import HARD, SHORT, WITH_FLAGS, WITH_SPECIALS, training_lines

HEADER = {"magic": "vitrine-golden", "version": 1, "command": "python3 tests/golden/make_goldens.py",
          "made_with": {"tokenizers": tokenizers.__version__, "transformers": transformers.__version__,
                        "sentencepiece": sentencepiece.__version__}}

LLAMA3_PATTERN = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
                  r"|\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2_PATTERN = LLAMA3_PATTERN.replace(r"\p{N}{1,3}", r"\p{N}")

# Every flag an added token can have; the texts in WITH_FLAGS are made for them.
FLAGGED = [
    AddedToken("<left>", lstrip=True, normalized=False, special=True),
    AddedToken("<right>", rstrip=True, normalized=False, special=True),
    AddedToken("<both>", lstrip=True, rstrip=True, normalized=False, special=False),
    AddedToken("solo", single_word=True, normalized=False, special=False),
    AddedToken("<aa>", normalized=False, special=False),
    AddedToken("<aa><bb>", normalized=False, special=False),
    AddedToken("<aa><bb><cc>", normalized=False, special=True),
    AddedToken("Fancy", normalized=True, special=False),
    AddedToken("\u00c0ccent", normalized=True, special=False),
    AddedToken("\u00c5", normalized=True, special=False),
    AddedToken("<plain>", normalized=True, special=True),
    AddedToken("two words", normalized=True, special=False),
]


USER_SYMBOLS = ["<|user|>", "<|assistant|>"]  # user_defined_symbols of the SentencePiece models
MARKS = ["<unk>", "<s>", "</s>", *USER_SYMBOLS]  # their tokens that are recognised in a text


def special(*contents):
    return [AddedToken(content, normalized=False, special=True) for content in contents]


def cases_of(backend, texts):
    """What the tokenizers library gives for each text."""
    cases = []
    for text in texts:
        with_special = backend.encode(text, add_special_tokens=True).ids
        cases.append({"text": text, "ids": backend.encode(text, add_special_tokens=False).ids, "ids_special": with_special,
                      "decoded": backend.decode(with_special, skip_special_tokens=False),
                      "decoded_skip": backend.decode(with_special, skip_special_tokens=True)})
    return cases


def write_json(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


def write_expected(folder, oracle, cases):
    """One case a line, so that a change can be read."""
    lines = ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases)
    head = json.dumps({**HEADER, "oracle": oracle}, ensure_ascii=False)[:-1]
    (folder / "expected.json").write_text(f'{head}, "cases": [\n{lines}\n]}}\n', encoding="utf-8")


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def write_tokenizer(folder, backend, texts, **named):
    """tokenizer.json with what the tokenizers library makes of it, read back from the very text that is written."""
    fresh(folder)
    description = json.loads(backend.to_str())
    write_json(folder / "tokenizer.json", description)
    write_json(folder / "tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast", **named})
    again = Tokenizer.from_str((folder / "tokenizer.json").read_text(encoding="utf-8"))
    write_expected(folder, f"tokenizers {tokenizers.__version__}", cases_of(again, texts))


def train_byte_level(vocab_size, pre_tokenizer, normalizer=None, **model_options):
    backend = Tokenizer(models.BPE(**model_options))
    if normalizer is not None:
        backend.normalizer = normalizer
    backend.pre_tokenizer = pre_tokenizer
    backend.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=vocab_size, show_progress=False, special_tokens=[],
                                  initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()))
    backend.train_from_iterator(training_lines(), trainer=trainer)
    return backend


def edited(backend, change):
    """The same tokenizer after change(description) has worked on its JSON."""
    description = json.loads(backend.to_str())
    change(description)
    return Tokenizer.from_str(json.dumps(description, ensure_ascii=False))


def byte_level(use_regex=False, add_prefix_space=False):
    return pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space, use_regex=use_regex)


def split_by(pattern):
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), behavior="isolated", invert=False), byte_level()])


def make_gpt2(out):
    backend = train_byte_level(600, byte_level(use_regex=True))
    backend.post_processor = processors.ByteLevel(trim_offsets=False)
    backend.add_special_tokens(special("<|endoftext|>"))
    write_tokenizer(out / "gpt2", backend, HARD + WITH_SPECIALS, bos_token="<|endoftext|>", eos_token="<|endoftext|>")

    backend = train_byte_level(400, byte_level(use_regex=True, add_prefix_space=True), normalizer=normalizers.NFC())
    backend.add_tokens(FLAGGED)
    write_tokenizer(out / "byte-level-flags", backend, SHORT + WITH_FLAGS)


def make_llama3(out):
    backend = train_byte_level(600, split_by(LLAMA3_PATTERN), ignore_merges=True)

    def add_words_no_merge_reaches(description):
        vocabulary = description["model"]["vocab"]
        for word in ("unlikelyseventh", "ĠŁukasz", "ĠĊ", "ĠÃ"):
            vocabulary.setdefault(word, len(vocabulary))

    backend = edited(backend, add_words_no_merge_reaches)
    backend.add_special_tokens(special("<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"))
    begin = backend.token_to_id("<|begin_of_text|>")
    backend.post_processor = processors.Sequence([
        processors.ByteLevel(trim_offsets=False),
        processors.TemplateProcessing(single="<|begin_of_text|> $A", pair="<|begin_of_text|> $A <|begin_of_text|>:1 $B:1",
                                      special_tokens=[("<|begin_of_text|>", begin)])])
    write_tokenizer(out / "llama3", backend, HARD + WITH_SPECIALS, bos_token="<|begin_of_text|>", eos_token="<|eot_id|>")


def make_qwen2(out):
    backend = train_byte_level(600, split_by(QWEN2_PATTERN), normalizer=normalizers.NFC())
    backend.post_processor = processors.ByteLevel(trim_offsets=False)
    backend.add_special_tokens(special("<|endoftext|>", "<|im_start|>", "<|im_end|>"))
    backend.add_tokens([AddedToken("<think>", normalized=False), AddedToken("</think>", normalized=False)])
    write_tokenizer(out / "qwen2", backend, HARD + WITH_SPECIALS, eos_token="<|im_end|>", pad_token="<|endoftext|>")


def make_pre_tokenizers(out):
    """One small vocabulary seen through many pre-tokenizers and normalizers."""
    backend = train_byte_level(330, byte_level(use_regex=True))
    split = pre_tokenizers.Split
    behaviors = ["removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"]
    variants = {f"split-{behavior}{'-invert' if invert else ''}": split(Regex(r"\s+|\p{P}"), behavior, invert=invert)
                for behavior in behaviors for invert in (False, True)}
    variants["split-string"] = split("the", "isolated", invert=False)
    variants["split-string-special"] = split(".", "merged_with_previous", invert=False)
    variants["digits"] = pre_tokenizers.Digits(individual_digits=True)
    variants["digits-runs"] = pre_tokenizers.Digits(individual_digits=False)
    variants["whitespace"] = pre_tokenizers.Whitespace()
    variants["whitespace-split"] = pre_tokenizers.WhitespaceSplit()
    variants["punctuation"] = pre_tokenizers.Punctuation("isolated")
    variants["punctuation-removed"] = pre_tokenizers.Punctuation("removed")
    for name, first in variants.items():
        backend.pre_tokenizer = pre_tokenizers.Sequence([first, byte_level()])
        write_tokenizer(out / f"pre-{name}", backend, SHORT)
    backend.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Punctuation("contiguous"), pre_tokenizers.Digits(individual_digits=True), byte_level(use_regex=True, add_prefix_space=True)])
    write_tokenizer(out / "pre-sequence", backend, HARD)
    backend.pre_tokenizer = byte_level(use_regex=True)
    chains = {
        "nfd": normalizers.NFD(), "nfkc": normalizers.NFKC(), "nfkd": normalizers.NFKD(), "lowercase": normalizers.Lowercase(),
        "strip": normalizers.Strip(left=True, right=True), "strip-left": normalizers.Strip(left=True, right=False),
        "replace": normalizers.Sequence([normalizers.Replace("the", "a the"), normalizers.Replace(Regex(r"\s{2,}"), " "),
                                         normalizers.Prepend("^")]),
    }
    for name, chain in chains.items():
        backend.normalizer = chain
        write_tokenizer(out / f"norm-{name}", backend, HARD if name in ("nfkc", "lowercase") else SHORT)
    flagged = edited(backend, lambda description: description.update(normalizer=None))
    flagged.normalizer = normalizers.Sequence([normalizers.NFKD(), normalizers.Lowercase()])
    flagged.add_tokens(FLAGGED)
    write_tokenizer(out / "norm-flags", flagged, WITH_FLAGS)


def train_metaspace(vocab_size):
    """A vocabulary of the SentencePiece look: <unk>, <s>, </s>, 256 byte pieces, then characters and merges."""
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=True)
    backend.train_from_iterator(training_lines(), trainer=trainers.BpeTrainer(vocab_size=vocab_size, show_progress=False,
                                                                              special_tokens=[], limit_alphabet=110))

    def renumber(description):
        model = description["model"]
        learnt = sorted(model["vocab"], key=model["vocab"].get)
        first = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
        model["vocab"] = {piece: i for i, piece in enumerate(first + learnt)}
        model.update(unk_token="<unk>", fuse_unk=True, byte_fallback=True)

    return edited(backend, renumber)


def byte_fallback_decoder(strip=True):
    chain = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    return decoders.Sequence(chain + [decoders.Strip(content=" ", left=1, right=0)] if strip else chain)


def make_metaspace(out):
    base = train_metaspace(450)
    template = processors.TemplateProcessing(single="<s> $A", pair="<s> $A <s>:1 $B:1", special_tokens=[("<s>", 1)])
    named = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}

    def variant(name, texts, change=None, pre=None, normalizer=None, decoder=None, post=True, flags=False):
        backend = edited(base, change or (lambda description: None))
        if normalizer is not None:
            backend.normalizer = normalizer
        # an absent pre-tokenizer has to be taken out of the description: the property does not accept None everywhere
        if pre is not None:
            backend.pre_tokenizer = pre
        else:
            backend = edited(backend, lambda description: description.update(pre_tokenizer=None))
        if decoder is not None:
            backend.decoder = decoder
        if post:
            backend.post_processor = template
        backend.add_special_tokens(special("<unk>", "<s>", "</s>"))
        if flags:
            backend.add_tokens(FLAGGED)
        write_tokenizer(out / name, backend, texts, **named)

    metaspace = pre_tokenizers.Metaspace
    variant("mistral", HARD + WITH_SPECIALS, pre=metaspace("▁", prepend_scheme="first", split=False), decoder=byte_fallback_decoder())
    variant("llama-prepend", HARD + WITH_SPECIALS, decoder=byte_fallback_decoder(),
            normalizer=normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]))
    variant("metaspace-always", SHORT + WITH_SPECIALS, pre=metaspace("▁", prepend_scheme="always", split=True),
            decoder=decoders.Metaspace(replacement="▁", prepend_scheme="always", split=True))
    variant("metaspace-never", SHORT + WITH_SPECIALS, pre=metaspace("▁", prepend_scheme="never", split=True),
            decoder=byte_fallback_decoder(strip=False), post=False)
    variant("metaspace-flags", SHORT + WITH_FLAGS, pre=metaspace("▁", prepend_scheme="first", split=False),
            decoder=byte_fallback_decoder(), flags=True)
    variant("unk-fused", SHORT + HARD[-12:], pre=metaspace("▁", prepend_scheme="always", split=True),
            change=lambda description: description["model"].update(byte_fallback=False), post=False)
    variant("unk-single", SHORT + HARD[-12:], pre=metaspace("▁", prepend_scheme="always", split=True),
            change=lambda description: description["model"].update(byte_fallback=False, fuse_unk=False), post=False)
    variant("unk-dropped", SHORT, pre=pre_tokenizers.WhitespaceSplit(), post=False,
            change=lambda description: description["model"].update(byte_fallback=False, unk_token=None))

    def merges_as_strings(description):
        description["model"]["merges"] = [pair if isinstance(pair, str) else " ".join(pair) for pair in description["model"]["merges"]]

    # tokenizers writes pairs today and wrote "a b" before: the old spelling is put back by hand, the answers are the same
    folder = out / "merges-old"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(out / "metaspace-always", folder)
    description = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    merges_as_strings(description)
    write_json(folder / "tokenizer.json", description)


def train_sentencepiece(model_type, vocab_size, **options):
    model = io.BytesIO()
    lines = [line.replace("\n", " ").replace("\r", " ") for line in training_lines()]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=model, model_type=model_type, vocab_size=vocab_size, character_coverage=1.0,
        hard_vocab_limit=False, unk_id=0, bos_id=1, eos_id=2, pad_id=-1, num_threads=1, minloglevel=2, **options)
    return model.getvalue()


def load_llama(folder, raw, config):
    """LlamaTokenizer of a tokenizer.model; where protobuf is missing, from the pieces, as transformers would take them."""
    try:
        return transformers.LlamaTokenizer.from_pretrained(str(folder))
    except Exception as error:
        print(f"  {folder.name}: {type(error).__name__}: {error}; built from its pieces instead")
    from transformers.tokenization_utils_base import generate_merges

    vocabulary = {raw.id_to_piece(i): i for i in range(raw.get_piece_size())}
    marks = [AddedToken(piece, normalized=False, special=raw.is_control(i)) for piece, i in vocabulary.items()
             if raw.is_control(i) or piece in USER_SYMBOLS]
    arguments = {key: value for key, value in config.items() if key != "tokenizer_class"}
    return transformers.LlamaTokenizer(vocab=vocabulary, merges=generate_merges(vocabulary), additional_special_tokens=marks, **arguments)


def sentencepiece_ids(raw, text, config):
    """What SentencePiece's encode gives for each stretch between special tokens.

    The space it puts in front of a text stands where the text begins; after a special token only if the config says
    "legacy". Without it a stretch is encoded behind a user-defined symbol, which SentencePiece joins to nothing.
    """
    symbol = USER_SYMBOLS[0]

    def without_prefix(stretch):
        ids = raw.encode(symbol + stretch)
        return ids[ids.index(raw.piece_to_id(symbol)) + 1:]

    ids, at_start = [], True
    for part in re.split("(" + "|".join(map(re.escape, MARKS)) + ")", text):
        if part in MARKS:
            ids.append(raw.piece_to_id(part))
        elif part:
            prefix = config.get("add_prefix_space", True) and (at_start or config.get("legacy", False))
            ids += raw.encode(part) if prefix else without_prefix(part)
        at_start = at_start and not part
    return ids


def sentencepiece_cases(raw, tokenizer, texts, config):
    """Ids by SentencePiece, and what transformers' decoder makes of them again."""
    cases = []
    for text in texts:
        ids = sentencepiece_ids(raw, text, config)
        around = ([raw.bos_id()] if config["add_bos_token"] else []) + ids + ([raw.eos_id()] if config["add_eos_token"] else [])
        cases.append({"text": text, "ids": ids, "ids_special": around,
                      "decoded": tokenizer.backend_tokenizer.decode(around, skip_special_tokens=False),
                      "decoded_skip": tokenizer.backend_tokenizer.decode(around, skip_special_tokens=True)})
    return cases


def make_sentencepiece_bpe(out):
    """A lone tokenizer.model as Llama 2 ships it, and the tokenizer.json that transformers saves of it."""
    model = train_sentencepiece("bpe", 620, byte_fallback=True, normalization_rule_name="identity", remove_extra_whitespaces=False,
                                split_digits=True, allow_whitespace_only_pieces=True, user_defined_symbols=USER_SYMBOLS)
    raw = sentencepiece.SentencePieceProcessor(model_proto=model)
    config = {"tokenizer_class": "LlamaTokenizer", "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "add_bos_token": True,
              "add_eos_token": False, "clean_up_tokenization_spaces": False}
    for name, further in {"sp-bpe": {"legacy": False}, "sp-bpe-legacy": {"legacy": True}, "sp-bpe-no-prefix": {"legacy": False, "add_prefix_space": False},
                          "sp-bpe-eos": {"legacy": False, "add_bos_token": False, "add_eos_token": True}}.items():
        folder = fresh(out / name)
        (folder / "tokenizer.model").write_bytes(model)
        write_json(folder / "tokenizer_config.json", {**config, **further})
        tokenizer = load_llama(folder, raw, {**config, **further})
        texts = HARD + WITH_SPECIALS if name == "sp-bpe" else SHORT + WITH_SPECIALS
        write_expected(folder, f"sentencepiece {sentencepiece.__version__}; text again by transformers {transformers.__version__}",
                       sentencepiece_cases(raw, tokenizer, texts, {**config, **further}))
        if name in ("sp-bpe", "sp-bpe-legacy"):
            saved = fresh(out / (name + "-saved"))
            tokenizer.save_pretrained(str(saved))
            for path in saved.iterdir():
                if path.name not in ("tokenizer.json", "tokenizer_config.json"):
                    path.unlink()
            write_json(saved / "tokenizer.json", json.loads((saved / "tokenizer.json").read_text(encoding="utf-8")))
            again = Tokenizer.from_file(str(saved / "tokenizer.json"))
            write_expected(saved, f"tokenizers {tokenizers.__version__}", cases_of(again, SHORT + WITH_SPECIALS))


@contextlib.contextmanager
def normalization_rules():
    """A small table of rules: the usual NFKC one weighs 240 kB. Named without a folder, for the model keeps the name."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            # full-width A to a, ligature to two letters, e + acute to one letter, tab and newline to a space, soft hyphen away
            pathlib.Path("rules.tsv").write_text("FF21\t61\nFB01\t66 69\n65 301\tE9\n9\t20\nA\t20\nAD\t\n", encoding="utf-8")
            yield "rules.tsv"
        finally:
            os.chdir(before)


def make_sentencepiece_unigram(out):
    """Unigram, which transformers' LlamaTokenizer does not read: sentencepiece itself is the reference."""
    out = out.resolve()
    with normalization_rules() as rules:
        normalized = train_sentencepiece("unigram", 560, byte_fallback=True, normalization_rule_tsv=rules)
    plain = train_sentencepiece("unigram", 560, normalization_rule_name="identity", add_dummy_prefix=False)
    for name, model in {"sp-unigram": normalized, "sp-unigram-plain": plain}.items():
        folder = fresh(out / name)
        (folder / "tokenizer.model").write_bytes(model)
        write_json(folder / "tokenizer_config.json", {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "add_bos_token": True})
        raw = sentencepiece.SentencePieceProcessor(model_proto=model)
        cases = []
        for text in HARD if name == "sp-unigram" else SHORT:
            ids = raw.encode(text)
            cases.append({"text": text, "ids": ids, "ids_special": [raw.bos_id()] + ids, "decoded_skip": raw.decode(ids)})
        write_expected(folder, f"sentencepiece {sentencepiece.__version__}", cases)


def compare_with_transformers(root):
    """AutoTokenizer should read each tokenizer.json as the tokenizers library does; notes the texts where it does not."""
    notes = {}
    for folder in sorted(path for path in root.iterdir() if (path / "tokenizer.json").exists()):
        try:
            expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
            tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder))
            different = [case["text"] for case in expected["cases"]
                         if tokenizer(case["text"], add_special_tokens=False)["input_ids"] != case["ids"]]
        except Exception as error:
            different = [f"{type(error).__name__}: {error}"]
        if different:
            notes[folder.name] = different
    if notes:
        print("  AutoTokenizer differs in", ", ".join(notes))
    write_json(root / "auto_tokenizer_differs.json", notes)


def make(out):
    root = pathlib.Path(out) / "tokenizers"
    failures = []
    for part in (make_gpt2, make_llama3, make_qwen2, make_pre_tokenizers, make_metaspace, make_sentencepiece_bpe, make_sentencepiece_unigram):
        try:
            part(root)
        except Exception as error:  # one that a new release breaks must not keep the others from being made
            failures.append(f"{part.__name__}: {type(error).__name__}: {error}")
    compare_with_transformers(root)
    size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
    print(f"{size:>9} bytes  tokenizers")
    if failures:
        raise RuntimeError("; ".join(failures))
