"""A small template language and the noise of real typing.

`[a|b|c]` is one of the alternatives (they nest), `{name}` is a slot. Articles are mended afterwards
("a owl" becomes "an owl") and sentences begin with a capital, so templates may be written plainly.
"""

import functools
import hashlib
import pathlib
import re

from corpus import exam

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")
_ARTICLE = re.compile(r"\b([Aa]) (?=([A-Za-z]+))")
_AFTER_STOP = re.compile(r"(^|[.!?] +|\n+)([a-z])")
_CONSONANT_SOUND = ("uni", "use", "usu", "one", "once", "eu", "ut", "uk", "ew")
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
    words = normalised(question)
    return words in _exam() or fold(words, "held-out/") % 100 < percent


@functools.cache
def _exam():
    return frozenset(normalised(question) for _, question in exam.questions())


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


def _synonyms():
    """{phrase: what may stand for it} out of synonyms.txt, and a pattern that finds any of the phrases."""
    found = {}
    for line in pathlib.Path(__file__).with_name("synonyms.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        before, arrow, after = line.partition("=>")
        members = [phrase.strip() for phrase in before.split("|")]
        others = [phrase.strip() for phrase in after.split("|")] if arrow else members
        for phrase in members:
            found[phrase.lower()] = [other for other in others if other != phrase]
    longest = sorted(found, key=len, reverse=True)
    return found, re.compile(r"(?<![\w-])(?:" + "|".join(map(re.escape, longest)) + r")(?![\w-])", re.IGNORECASE)


_SYNONYMS, _PHRASE = _synonyms()
_FILLERS = [" exactly", " actually", " really", " please", " then", " again", " in practice", " in general"]
_BEFORE = ["actually, ", "basically, ", "honestly, ", "so basically, ", "hmm, ", "um, ", "ok so ", "wait, ", "sorry but ", "again: "]
_ORDERS = ("explain", "describe", "define", "tell me", "give me", "show me", "compare", "teach me", "help me", "name", "list", "write", "make up", "count", "spell",
           "sort", "invent", "tell", "repeat", "say", "calculate")
_POLITE = ["please ", "can you ", "could you ", "would you ", "could you please ", "can you please ", "I want you to ", "I'd like you to ", "kindly ", "go ahead and "]


def _with_synonyms(rng, text):
    matches = list(_PHRASE.finditer(text))
    chosen = rng.sample(matches, min(len(matches), rng.choice([1, 1, 1, 2])))
    for match in sorted(chosen, key=lambda m: -m.start()):
        other = rng.choice(_SYNONYMS[match[0].lower()])
        if match.start() == 0 and match[0][0].isupper():
            other = other[0].upper() + other[1:]
        text = text[: match.start()] + other + text[match.end() :]
    return text


def _filled(rng, text):
    """A word more, as people put them in without a thought."""
    low = text.lower()
    if low.startswith(_ORDERS) and rng.random() < 0.6:
        polite = rng.choice(_POLITE)
        return polite + text[0].lower() + text[1:].rstrip(".?") + ("?" if polite[0] in "cw" else ".")
    if rng.random() < 0.5:
        head = text if text[1:2].isupper() or text.startswith(("I ", "I'")) else text[0].lower() + text[1:]
        return rng.choice(_BEFORE) + head
    if text.endswith("?") and len(text) < 80 and low.startswith(("what", "how", "why", "where", "when", "which", "can", "does", "is ")):
        return text[:-1] + rng.choice(_FILLERS) + "?"
    return text


def reworded(rng, text):
    """The question in somewhat other words, or as it was where the other words are kept for the evaluation."""
    if '"' in text:
        return text
    new, roll = text, rng.random()
    if roll < 0.75:
        new = _with_synonyms(rng, new)
    if roll > 0.6:
        new = _filled(rng, new)
    if rng.random() < 0.12:
        new = re.sub(r"\b(the|a|an) (?=[a-z])", "", new, count=1)
    new = polish(new)
    return text if is_held_out(new) else new


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
