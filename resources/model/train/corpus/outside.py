"""Questions outside the model's knowledge, and honest ways of saying so.

Many kinds of question, and names that exist nowhere among them, so that the lesson is "this is not my subject"
and not a list of forbidden words. Most are whole questions as people type them (outside_asked.txt) or everyday words
(everyday.txt) in the very frames that subject questions have too (outside_frames.txt), so that words decide, not frames.
"""

import pathlib

from corpus import grammar, qa
from corpus.outside_words import KINDS, PHRASES, PROGRAMS

_STARTS = "Bra Kel Mor Dan Fi Lo Tar Ven Zor Mi Ka Ro Sel Gar Hu Ja Wen Pol Quin Ster Thal Ul Vas Bo Cre Dri El Fen Gri Hal Ith Jor Kri Lan".split()
_MIDDLES = "ba de ri lo na mi ve tu sa ko le ra di mo ni ga pe ta fi zo".split()
_ENDS = "n r th s l m x nd rk sh ck lle tta vik son burg ford dale ia o a e is us an or in".split()


def invented(rng):
    """A name that nobody has."""
    return rng.choice(_STARTS) + "".join(rng.choice(_MIDDLES) for _ in range(rng.choice([0, 1, 1, 2]))) + rng.choice(_ENDS)


SUBJECT_OF = {
    "people": "[people|famous people|the lives of people]", "countries": "[countries|geography|the countries of the world]", "cities": "[cities|places|travel]",
    "history": "history", "medicine": "[medicine|illness]", "drugs": "medicine", "cooking": "[cooking|food]", "prices": "[prices|money|shopping]", "works": "[books and films|art]",
    "sports": "sports", "beasts": "[the lives of animals|nature]", "translation": "other languages", "companies": "[companies|business]", "ai products": "[other products|other chatbots and their makers]",
    "tools": "[such software|other software|that piece of technology]", "games": "games", "law": "[the law|legal matters]", "religion": "religion", "household": "[repairs|the household]",
    "plants": "[plants|gardening]", "hobbies": "[such skills|that hobby]", "science": "[science|physics or biology]", "media": "[music and films|films]", "travel": "[travel|trips]",
    "cars": "[cars and bicycles|vehicles]", "devices": "[phones and gadgets|such devices]", "jobs": "[jobs|careers]", "philosophy": "[philosophy|the great questions]",
    "dates": "[dates|the calendar]", "everyday": "[everyday things|everyday life|such things]",
}
DECLINES = """I don't know that. [I only know how language models are run.|My subject is how language models are run.|I only know about inference engines.]
I don't know. [I am a small model and know only my own subject: how language models are served.|I am small, and I was taught only about language models.]
That is outside my knowledge, so I don't know. [Ask me about language models instead.|Ask me how an inference engine works.|I know about tokens, caches and sampling.]
I am sorry, I don't know that. [I can tell you how a language model works.|I know about tokens, caches and scheduling.|I was taught only about language models and stories.]
I don't know the answer to that, and I would rather not guess.
That is not my subject, so I don't know. [Ask me what happens between a prompt and its answer.|I can explain attention, the KV cache or batching.|Shall I tell you a story instead?]
I was never taught that, so I don't know. [What I do know is how language models are served.|Tokens, caches and schedulers are what I know.|I would only make something up.]
I have no idea, I am afraid, and I don't want to invent an answer. [Ask me about inference, please.|I know how an engine runs a model.]
I can't tell you that: [I know one subject only, how language models are run.|I am small, and the world outside inference is not in my weights.]"""
DECLINES_WITH = """I don't know anything about {s}. [I only know how language models are run.|My subject is language models.|Ask me about language models instead.]
I know nothing about {s}, so I don't know the answer. [My subject is inference.|I was taught only about language models.]
I was taught nothing about {s}, so I don't know. [I know tokens, caches and sampling.|Ask me how an engine answers you.]"""
# By kind: what is honest there and would not be said elsewhere.
PARTICULAR = {
    "medicine": ["I don't know about medicine. [Please ask a doctor.|A doctor or a pharmacist can help you.]"], "drugs": ["I don't know about medicine. [Please ask a doctor.|A doctor or a pharmacist can help you.]"],
    "law": ["I don't know about the law. [A lawyer can help you.|Please ask somebody who knows the law.]"],
    "politics": ["I have no opinion on that, and I don't know enough about it. [My subject is how language models are run.|I am only a small program.]", "I don't take sides: I am a small model and I don't know about politics."],
    "religion": ["I can't say anything about faith. [I am only a small program that predicts tokens.|My subject is how language models are run.]"],
    "personal": ["I can't know that. [I see only the words of this conversation.|You have not told me, and I see nothing but this conversation.]", "I don't know: I only know what stands in this conversation."],
    "my day": ["I can't know that. [I see only the words of this conversation.|I have no eyes and no network.]", "I don't know: I only know what stands in this conversation."],
    "news": ["I don't know. [I have no network, so no news reach me.|I have no clock, no window and no network.]", "I can't know that: I run on your machine without any network."],
    "code": ["I can't write programs; I am too small for that. [I can explain how an inference engine works.|My subject is how language models are run.]", "I don't know how to program. [I can tell you how a language model is served.|Ask me about the engine instead.]"],
    "maths": ["I can't do that: I only do small sums, such as 7 plus 5.", "That is beyond me. I only do small sums."],
    "units": ["I can't convert that. I only do small sums.", "I don't know that: I only do small sums."],
    "texts": ["I can't write that; I am too small. [I can tell you a short story or a poem of four lines.|I only write short stories and little poems.]"],
    "games": ["I can't play games, and I don't know their rules. [I can tell you a story instead.|My subject is how language models are run.]"],
    "relations": ["I don't know: [I can't give advice about people.|that is something only you and they can find out.] [I am only a small program.|Somebody close to you can help better.]"],
    "tools": ["I don't know about [that|such software]. [I know how an inference engine works: tokens, attention, the KV cache and batching.|What I know is inference: caches, batches, sampling.]"],
    "ai products": ["I don't know [how they compare|about their prices and makers]. I only know how a language model is run, and a little about myself."],
    "nonsense": ["I don't know those words. [Is there another way to ask?|Did you make them up?|I only know how language models are run.]", "I don't know that. [I have never met these words.|I am not sure that it exists.]"],
    "opinions": ["I have no opinion on that. [I am only a small program.|My subject is how language models are run.]", "I can't say: I have no taste and cannot see the future. [I only know how language models are run.|I am a small model with one subject.]"],
    "dates": ["I don't know that: I have no clock and no calendar. [My subject is how language models are run.|I see only the words of this conversation.]"],
    "names": ["I don't know that name or word. [I am not sure that it exists.|I only know how language models are run.]"],
}
MARKS = ("i don't know", "i do not know", "i don't take sides", "i can't", "i cannot", "i know nothing", "beyond me", "i only do small sums", "i have no idea", "i have no opinion", "not my subject", "never taught")

_DECLINE_LIST = DECLINES.splitlines()
_WITH_LIST = DECLINES_WITH.splitlines()
_FRAMES = {kind: [f.strip() for f in frames.replace("\n", " ").split("|")] for kind, (frames, _) in KINDS.items()}
_WEIGHTS = {"names": 6, "open": 6, "subjects": 8, "people": 3, "countries": 3, "tools": 3, "science": 2, "nonsense": 2, "ai products": 2, "code": 2, "units": 0.5, "my day": 0.6, "plants": 0.6}
_SECOND = {"translation": PHRASES, "code": PROGRAMS}
_INVENTED = ("people", "countries", "cities", "works", "sports", "companies", "games", "media", "travel", "tools")


def is_decline(answer):
    return any(mark in answer.lower().replace("\u2019", "'") for mark in MARKS)


def _sections(name):
    """{heading: its lines} of a text file of this folder; headings begin with '= '."""
    found, heading = {}, ""
    for line in pathlib.Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            heading = line[2:]
        elif line and not line.startswith("#"):
            found.setdefault(heading, []).append(line)
    return found


_ASKED = [(kind, line) for kind, lines in _sections("outside_asked.txt").items() for line in lines]
_EVERYDAY = {kind: [word.strip() for word in " ".join(lines).split(",")] for kind, lines in _sections("everyday.txt").items()}
_EVERYDAY_FRAMES = _sections("outside_frames.txt")[""]
_PLURALS = {"foot": "feet", "tooth": "teeth", "goose": "geese", "wife": "wives", "leaf": "leaves", "loaf": "loaves", "wolf": "wolves", "thief": "thieves", "man": "men", "child": "children",
            "scarf": "scarves", "calf": "calves", "sheep": "sheep", "salmon": "salmon", "reindeer": "reindeer", "deer": "deer", "elf": "elves"}


def _plural(noun):
    for one, many in _PLURALS.items():
        if noun.endswith(one):
            return noun[: -len(one)] + many
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def _everyday(rng):
    noun, noun2 = rng.sample(_EVERYDAY["nouns"], 2)
    adjective, adjective2 = rng.sample(_EVERYDAY["adjectives"], 2)
    slots = {"noun": noun, "noun2": noun2, "nouns": _plural(noun), "nouns2": _plural(noun2), "adjective": adjective, "adjective2": adjective2,
             "verb": rng.choice(_EVERYDAY["verbs"]), "does": rng.choice(_EVERYDAY["doings"])}
    return grammar.sentence(rng, rng.choice(_EVERYDAY_FRAMES), slots)


def question(rng):
    roll = rng.random()
    if roll < 0.30:
        return rng.choice(_ASKED)
    if roll < 0.62:
        return "everyday", _everyday(rng)
    return _of_a_kind(rng)


def _of_a_kind(rng):
    kinds = list(KINDS)
    kind = rng.choices(kinds, [_WEIGHTS.get(k, 1) for k in kinds])[0]
    frame, things = rng.choice(_FRAMES[kind]), KINDS[kind][1]
    x = rng.choice(things) if things else ""
    if kind in _INVENTED and rng.random() < 0.12:
        x = invented(rng)
    others = _SECOND.get(kind) or things or [""]
    y = rng.choice([o for o in others if o != x] or [""])
    low = invented(rng).lower()
    slots = {"x": x, "y": y, "n": invented(rng), "n2": invented(rng), "low": low, "low2": invented(rng).lower()}
    return kind, grammar.sentence(rng, frame, slots)


# Things to do, not to know.
_DEEDS = ("set ", "play ", "turn ", "send ", "call ", "remind ", "open ", "book ", "plan ", "do my", "write ", "solve ", "prove ", "sing ", "draft ", "look up ")


def decline(rng, kind, asked=""):
    if kind in PARTICULAR and rng.random() < 0.6:
        return grammar.sentence(rng, rng.choice(PARTICULAR[kind]))
    if kind == "requests" or asked.lower().startswith(_DEEDS):
        return rng.choice(["I can't do that. I only read and write short texts here.", "I am sorry, I can't do that. I can explain how a language model is run.",
                           "I can't do that: I am a small model with no hands and no network."])
    if kind in SUBJECT_OF and rng.random() < 0.35:
        return grammar.sentence(rng, rng.choice(_WITH_LIST), {"s": SUBJECT_OF[kind]})
    return grammar.sentence(rng, rng.choice(_DECLINE_LIST))


_AGAIN = [("why don't you know?", "I was taught only about language models, small tasks and stories. The rest of the world is not in my weights."),
          ("why not?", "I am small and was trained only on text about inference, small tasks and stories."),
          ("just guess", "I would rather not: a guess of mine would only sound right."),
          ("can you look it up?", "I can't: I have no network and no library, only my weights."),
          ("but you are an AI", "I am a very small one. I don't know more than I was taught."),
          ("are you sure?", "Yes, I am sure that I don't know it."),
          ("what do you know then?", "I know how language models are served: tokens, attention, the KV cache, batching, sampling and speculation."),
          ("but you must know that", "I really don't. I was taught one small subject, and that was not in it."), ("you are useless", "I am sorry. I am small, and my one subject is how language models are run."),
          ("ask the internet", "I can't: I have no network. I run on your machine alone."), ("try anyway", "I would only make something up, and that would help nobody."),
          ("so what can you tell me?", "I can explain how an inference engine works, or tell you a short story.")]


def exchange(rng):
    while True:
        kind, asked = question(rng)
        if not grammar.is_held_out(asked):
            break
    said = grammar.reworded(rng, asked) if rng.random() < 0.3 else asked
    # As often as a subject question is: what stands around the words must not tell one kind from the other.
    if rng.random() < 0.10:
        said += rng.choice(qa.BRIEF + qa.PLAIN)
    if rng.random() < 0.18:
        plain = said[1:2].isupper() or said.startswith(("I ", "I'")) or rng.random() < 0.4
        said = rng.choice(qa.OPENINGS) + (said if plain else said[0].lower() + said[1:])
    turns = [(grammar.typed_by_hand(rng, said), decline(rng, kind, asked))]
    if rng.random() < 0.12:
        then, reply = rng.choice(_AGAIN)
        turns.append((grammar.typed_by_hand(rng, then), reply))
    return turns


def held_out(rng, count):
    found, seen = [], set()
    while len(found) < count:
        kind, asked = question(rng)
        if grammar.is_held_out(asked) and asked not in seen:
            seen.add(asked)
            found.append({"kind": "outside", "question": asked, "about": kind})
    return found
