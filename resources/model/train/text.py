"""The tokenizer: its training, and conversations as token ids.

The ids are those of Hugging Face for the same string (LlamaTokenizer, legacy = false): special tokens are
cut out first, and SentencePiece's leading space appears only before a text that begins with plain words.
"""

import pathlib
import tempfile

UNKNOWN, BOS, EOS, USER, ASSISTANT, SYSTEM = range(6)
ROLES = {"user": "<|user|>", "assistant": "<|assistant|>", "system": "<|system|>"}
SPECIALS = ["<unk>", "<s>", "</s>", *ROLES.values()]


def train_tokenizer(lines, path, vocab, threads):
    """Byte-pair encoding with byte fallback. A line is one turn's text; first words are learnt without a space."""
    import sentencepiece

    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "lines.txt")
        with source.open("w", encoding="utf-8") as out:
            for line in lines:
                for part in line.split("\n"):
                    if part:
                        out.write(ROLES["user"] + part + "\n")
        prefix = pathlib.Path(folder, "tokenizer")
        sentencepiece.SentencePieceTrainer.train(
            input=str(source), model_prefix=str(prefix), vocab_size=vocab, model_type="bpe", byte_fallback=True,
            split_digits=True, normalization_rule_name="identity", remove_extra_whitespaces=False,
            add_dummy_prefix=True, character_coverage=1.0, hard_vocab_limit=False, max_sentence_length=20000,
            input_sentence_size=1000000, shuffle_input_sentence=True, unk_id=UNKNOWN, bos_id=BOS, eos_id=EOS, pad_id=-1,
            user_defined_symbols=list(ROLES.values()), num_threads=threads, minloglevel=1)
        pathlib.Path(path).write_bytes(prefix.with_suffix(".model").read_bytes())


class Codec:
    def __init__(self, path):
        import sentencepiece

        self.pieces = sentencepiece.SentencePieceProcessor(model_file=str(path))
        for index, name in enumerate(SPECIALS):
            if self.pieces.id_to_piece(index) != name:
                raise ValueError(f"tokenizer: id {index} is {self.pieces.id_to_piece(index)}, not {name}")
        self.newline = self.pieces.piece_to_id("<0x0A>")
        self.space = self.pieces.piece_to_id("\u2581")

    def plain(self, text):
        """Text on its own, as `--prompt` gives it: BOS and a leading space."""
        return [BOS] + self.pieces.encode(text)

    def turn(self, role, text):
        """One turn with its closing mark. SentencePiece puts a space in front of the mark; it is cut off."""
        ids = self.pieces.encode(ROLES[role] + "\n" + text)
        return ids[1 if ids[0] == self.space else 0 :] + [EOS]

    def chat(self, messages):
        """A whole conversation [(role, text)], as trained on: the last turn's mark ends it."""
        ids = [BOS]
        for role, text in messages:
            if len(ids) > 1:
                ids.append(self.newline)
            ids += self.turn(role, text)
        return ids

    def prompt(self, messages):
        """The same up to where the assistant begins."""
        return self.chat(messages) + [self.newline, ASSISTANT, self.newline]

    def decode(self, ids):
        return self.pieces.decode([i for i in ids if i > SYSTEM])


def render(messages, answer_next=False):
    """The string of the chat template in tokenizer_config.json; its ids are those of prompt()."""
    text = SPECIALS[BOS] + "".join(f"{ROLES[role]}\n{content}</s>\n" for role, content in messages)
    return text + (ROLES["assistant"] + "\n" if answer_next else "")


# Zephyr's, as its models spell it: programs that recognise a template by its marks know this one. It writes the BOS that
# every row of the training began with: apply_chat_template adds no special token of its own.
CHAT_TEMPLATE = """{{ bos_token }}{% for message in messages %}
{% if message['role'] == 'user' %}
{{ '<|user|>\n' + message['content'] + eos_token }}
{% elif message['role'] == 'system' %}
{{ '<|system|>\n' + message['content'] + eos_token }}
{% elif message['role'] == 'assistant' %}
{{ '<|assistant|>\n' + message['content'] + eos_token }}
{% endif %}
{% if loop.last and add_generation_prompt %}
{{ '<|assistant|>' }}
{% endif %}
{% endfor %}"""
