"""A small template language and the noise of real typing.

`[a|b|c]` is one of the alternatives (they nest), `{name}` is a slot. Articles are mended afterwards
("a owl" becomes "an owl") and sentences begin with a capital, so templates may be written plainly.
"""

import hashlib
import re

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")
_ARTICLE = re.compile(r"\b([Aa]) (?=([A-Za-z]+))")
_AFTER_STOP = re.compile(r"(^|[.!?] +|\n+)([a-z])")
_CONSONANT_SOUND = ("uni", "use", "usu", "one", "once", "eu", "ut")
_VOWEL_SOUND = ("hour", "honest", "heir", "LLM", "MLP", "SM", "RMS", "NVIDIA", "FIFO", "LRU", "ITL", "EOS")


def expand(rng, text, slots=None):
    """Fills a template: inner choices first, then slots, then whatever the slots' text still offers."""
    for _ in range(12):
        before = text
        while "[" in text:
            text = _CHOICE.sub(lambda m: rng.choice(m[1].split("|")), text)
        if slots and "{" in text:
            text = _SLOT.sub(lambda m: slots[m[1]], text)
        if text == before or ("[" not in text and "{" not in text):
            break
    return text


def polish(text):
    """Articles and capitals."""

    def article(match):
        word = match[2]
        vowel = word[0].lower() in "aeiou" and not word.lower().startswith(_CONSONANT_SOUND)
        vowel = vowel or word.startswith(_VOWEL_SOUND)
        return (match[1] + "n " if vowel else match[1] + " ")

    text = _ARTICLE.sub(article, text)
    return _AFTER_STOP.sub(lambda m: m[1] + m[2].upper(), text)


def sentence(rng, text, slots=None):
    return polish(expand(rng, text, slots))


def normalised(question):
    """What two askings have in common when only case, punctuation and spaces differ."""
    return " ".join(re.sub(r"[^a-z0-9+*/ -]+", " ", question.lower()).split())


def fold(text, salt=""):
    """A number that is the same on every machine and in every run."""
    return int.from_bytes(hashlib.sha1((salt + text).encode()).digest()[:6], "big")


def is_held_out(question, percent=5):
    """Whether a question is kept for the evaluation and never trained on."""
    return fold(normalised(question), "held-out/") % 100 < percent


def _typo(rng, word):
    at = rng.randrange(1, len(word) - 1)
    kind = rng.random()
    if kind < 0.35:
        return word[: at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind < 0.7:
        return word[:at] + word[at + 1 :]
    if kind < 0.9:
        return word[:at] + word[at] + word[at:]
    return word[:at] + rng.choice("abcdefghijklmnopqrstuvwxyz") + word[at + 1 :]


def typed_by_hand(rng, text):
    """A question as people type it: lower case, no question mark, a slip of the finger."""
    roll = rng.random()
    if roll < 0.30:
        text = text.lower()
    elif roll < 0.31:
        text = text.upper()
    elif roll < 0.85:
        text = text[:1].upper() + text[1:]
    if rng.random() < 0.3:
        text = text.rstrip("?.!")
    elif rng.random() < 0.03:
        text = text.rstrip("?.!") + rng.choice(["??", "?!", " ?", "...", "!"])
    if rng.random() < 0.10:
        words = text.split(" ")
        long_words = [i for i, w in enumerate(words) if len(w) >= 5 and w.isalpha()]
        for _ in range(rng.choice([1, 1, 2])):
            if long_words:
                at = rng.choice(long_words)
                words[at] = _typo(rng, words[at])
                long_words.remove(at)
        text = " ".join(words)
    if "'" in text and rng.random() < 0.3:
        text = text.replace("'", rng.choice(["\u2019", ""]))
    if rng.random() < 0.02:
        text = rng.choice([" " + text, text + " ", text.replace(" ", "  ", 1)])
    return text
