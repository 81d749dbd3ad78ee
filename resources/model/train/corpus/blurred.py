"""Questions in rough: key words, words left out, definitions turned round.

A small model tends to learn whole questions by heart. These leave it nothing but the words, so that a stranger's
sentence with the same words in another order finds the same answer.
"""

import re

from corpus import grammar

_LITTLE = frozenset("""a an the is are was were be been it its this that these those of in on at to for from by with as and or but so than then
do does did can could would should may might will what which who whom whose when where why how i you he she we they me my your our their them
there here if not no yes please tell explain describe about mean means meant get got has have had into out up down over just only also very""".split())
_KEYWORD_FRAMES = ["{x}", "{x}", "{x}", "{x}?", "{x}?", "what about {x}?", "how about {x}?", "{x} explained", "question about {x}", "tell me about {x}",
                   "{x}, how does that go?", "{x} - why?", "explain {x}", "I wonder about {x}", "help with {x}", "something about {x}"]
_TURNED_FRAMES = ["what {x}?", "what {x}?", "which part {x}?", "what is it that {x}?", "what is the thing that {x}?", "what do you call what {x}?", "what is the name of what {x}?",
                  "is there something that {x}?", "which term stands for what {x}?"]
_SENTENCE_FRAMES = ["is it true that {x}?", "what is it called when {x}?", "I have heard that {x}. Can you say more?", "someone told me: {x}. What does that mean?",
                    "why is it that {x}?", "what does it mean that {x}?", "somebody said that {x}", "{x}. Is that right?", "how can it be that {x}?"]


def _words(text):
    return re.findall(r"[A-Za-z0-9][A-Za-z0-9'/+-]*", text)


def _first_sentence(text):
    return re.split(r"(?<=[.!?;:])\s", text)[0].rstrip(".!?;:")


def _lowered(text):
    """Without the capital of a sentence's beginning; names and abbreviations keep theirs."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def with_words_left_out(rng, question):
    """Small words go more easily than telling ones; now and then neighbours change places."""
    kept = [w for w in question.split(" ") if rng.random() > (0.45 if w.lower().strip("?.,!") in _LITTLE else 0.15)]
    if len(kept) > 2 and rng.random() < 0.3:
        at = rng.randrange(len(kept) - 1)
        kept[at], kept[at + 1] = kept[at + 1], kept[at]
    return " ".join(kept) if len(kept) >= 2 else question


def _keywords(rng, text):
    telling = [w for w in _words(text) if w.lower() not in _LITTLE]
    count = min(len(telling), rng.choice([2, 3, 3, 4, 4, 5, 6, 8]))
    if count < 2:
        return None
    picked = sorted(rng.sample(range(len(telling)), count)) if rng.random() < 0.7 else rng.sample(range(len(telling)), count)
    return rng.choice(_KEYWORD_FRAMES).format(x=" ".join(telling[i] for i in picked))


def _turned_round(rng, answer, phrases):
    """`A tokenizer cuts text into pieces` asks for what cuts text into pieces."""
    sentence = _first_sentence(answer)
    for phrase in phrases:
        name = phrase.lstrip("*")
        for start in (name, re.sub(r"^(a|an|the) ", "", name), "the " + name, "a " + name):
            if sentence.lower().startswith(start.lower() + " ") and len(sentence) > len(start) + 12:
                return rng.choice(_TURNED_FRAMES).format(x=sentence[len(start) + 1 :])
    return None


def question(rng, entry):
    """One more way to ask for an entry, or None where none came out."""
    roll = rng.random()
    answer = rng.choice(entry.answers)
    if roll < 0.4:
        made = with_words_left_out(rng, rng.choice(entry.own or entry.trained))
    elif roll < 0.6:
        made = _keywords(rng, rng.choice(entry.own or entry.trained))
    elif roll < 0.75:
        made = _keywords(rng, answer)
    elif roll < 0.9:
        made = _turned_round(rng, answer, entry.asked["what"])
    else:
        made = rng.choice(_SENTENCE_FRAMES).format(x=_lowered(_first_sentence(answer)))
    return None if made is None or grammar.is_held_out(made) else made
