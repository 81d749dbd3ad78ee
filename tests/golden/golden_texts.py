"""The text the small tokenizers learn from, and the hard text they are asked to encode. Everything is made here."""

import random

NOUNS = "machine token block queue layer garden river letter window engine lesson bridge clock number story".split()
VERBS = "reads writes opens holds counts turns stops shows keeps finds loses makes".split()
ADJECTIVES = "small quiet glass old bright patient unlikely seventh unbelievable".split()
NAMES = "Ada Grace Alan Emmy Kurt Noor Ngozi Yuki Zoë Łukasz".split()
OTHER_SCRIPTS = [
    "机器读取一个令牌，然后停止。", "你好，世界！今天天气很好。", "トークンを一つずつ読みます。",
    "الآلة تقرأ رمزا ثم تتوقف.", "Машина читает слово и ждёт.", "Η μηχανή διαβάζει.", "기계가 글자를 읽는다.",
    "🙂 🚀 👩‍💻 🇫🇷 👍🏽 ❤️", "naïve café Ångström façade élève", "ñandú coöperate Straße",
]


def training_lines(count=2500):
    """Sentences, numbers, code and other scripts in a fixed order: the same on every machine."""
    dice = random.Random(20250711)
    lines = []
    for i in range(count):
        name, noun, verb = dice.choice(NAMES), dice.choice(NOUNS), dice.choice(VERBS)
        kind = i % 8
        if kind < 4:
            lines.append(f"{name} {verb} the {dice.choice(ADJECTIVES)} {noun}, and it's {dice.choice(NOUNS)} "
                         f"{dice.randint(0, 2500)} that {dice.choice(VERBS)}.")
        elif kind == 4:
            lines.append(f"def {verb}_{noun}(x):\n    return x + {dice.randint(0, 99)}  # {noun}\n\n")
        elif kind == 5:
            lines.append(f"\t{noun}:\t{dice.random():.3f}\r\n  {verb}   {noun}  ")
        elif kind == 6:
            lines.append(f"I'll say \"{noun}\"; they've {verb} — we're not sure (see {noun}/{verb}).")
        else:
            lines.append(dice.choice(OTHER_SCRIPTS))
    return lines


# Short ones: every tokenizer, and the only ones for the variants of one pre-tokenizer.
SHORT = [
    "", " ", "a", " a", "a ", "  a  b ", "Hello world", " Hello  world ", "the machine reads", "it's we've I'll DON'T",
    "\n", "\n\n", " \n ", "a\nb", "a\r\nb\r\n", "\t\ttab\t", "1", "12", "1234567", "3.14159", "a1b22c333", "x=1+2;",
    "...", "a,b;c", "(hello)", "\"quoted\"", "—dash—", "the-the--the", "aaa bbb", "日本", "naïve", "e\u0301", "🙂", "½ Ⅻ ٣٤ ²",
    "_under_score_", "the<word>the",
]

HARD = SHORT + [
    "The quick brown fox jumps over the lazy dog.", "Ada reads the unbelievable machine, and it's token 1987 that stops.",
    "def opens_window(x):\n    return x + 42  # window\n\n\n", "if (a[i] != b->c) {\r\n\t\treturn 0x1F;\r\n}",
    "I'LL you'Re THEY'VE he'd 'tis 's 'S 'ſ n't", "multiple   spaces    here     and\u00a0nbsp\u2003em\u3000ideographic",
    "     five leading", "trailing five     ", "\n\n\n\n", "line\n\n\nline\n \n \tline", "\r", "\r\n\r\n", "\u2028\u2029\u0085 \x0b\x0c",
    "👩‍👩‍👧‍👦 family", "👍🏽👍🏿 🏳️‍🌈 🇫🇷🇯🇵🇺🇳", "1️⃣ #️⃣ ❤️ ☎︎", "🧑🏻‍❤️‍💋‍🧑🏾",
    "é e\u0301 Å A\u030a ÅÅ", "Z\u0351\u0300\u0323\u0302a\u0310\u0323l\u030d\u0301g\u0323o\u0321", "\u1e9b\u0323 ﬁ ﬀ Ⅷ ㎏ ㍿ ｱﾊﾟ ＡＢＣ１２３",
    "가각힣 ᄀ\u1161\u11a8", "नमस्ते दुनिया क्षत्रिय", "ภาษาไทย ไม่มี ช่องว่าง", "機器學習は楽しい。한국어도 있다!", "你好，世界！今天2024年7月26日。",
    "السَّلَامُ عَلَيْكُمْ ١٢٣", "שָׁלוֹם עולם", "\u202eright to left\u202c \u200bzero\u200dwidth\ufeff", "Привет, мир! Ёжик", "Ǆ ǅ ǆ İ ı ẞ ß ſ Σς",
    "\x01\x02\x1b[0m\x7f", "\u0080\u009f\u00ad soft", "\u0378\u0379 \U0003ffff \ue000 \U000e0041 \ufffd", "\U0001d54f\U0001d7d8 𠜎𡃁",
    "▁already▁meta ▁▁", "Ġbyte Ċlevel ĠĠ", "<0x41><0x0A> <unk>", "1,234,567.89 100% $5 №7 §8", "٠١٢٣ ०१२ ๑๒๓ 𝟘𝟙 ①②",
    "http://example.org/a?b=c&d=%20#frag", "a" * 60, "=" * 40 + "-" * 17, " " * 33 + "x", "1" * 23, "the" * 12, "ab\u0301" * 9,
    "tokenmachine machinetoken unlikelyseventh", "Zoë Łukasz Ångström", "x\u0300\u0301\u0302\u0303\u0304\u0305",
]

# With the special and added tokens of the tokenizers below written out in the text.
WITH_SPECIALS = [
    "<s>", "<s>hello", "hello<s>", "hello <s> there", "  <s>  ", "<s></s><s>", "Hello <s>.", "a</s>b", "<unk>x", "<s", "s>", "<<s>>",
    "<|endoftext|>", "a<|endoftext|>b", " <|endoftext|> ", "<|begin_of_text|>hi<|eot_id|>", "<|start_header_id|>user<|end_header_id|>\n\nHi",
    "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n", "<think> a</think>b", "<|im_start|><|im_start|>",
    "<|user|>\nHi</s>\n<|assistant|>\n", "[INST] Hi [/INST] there</s>",
]

# Tokens with every flag: <left> strips to its left, <right> to its right, <both>, <word> is a whole word.
WITH_FLAGS = [
    "a <left> b", "a   <left>   b", "a <right> b", "a   <right>   b", "a  <both>  b", " <both> <both> ", "<left><right>", "<right>  <left>",
    "x\n <left>", "<right>\n\t y", "a solo b", "asolo", "soloa", "solo", "solo solo", "(solo)", "é solo é", "ésolo", "solo_", "solo1 solo-", "日solo",
    "<aa>", "<aa><bb>", "<aa><bb", "<aa><bb><cc>", "<aa><b", "x<aa><bb><aa>", "Fancy fancy FANCY", "a Fancy", "aFancyb", "ÀCCENT a\u0300ccent àccent",
    "\u00c5 token A\u030a token", "<plain>the<plain>", " <plain> ", "two words", "two  words", "a two words b", "\u3000<left>", "<right>\u00a0\u2003z",
]
