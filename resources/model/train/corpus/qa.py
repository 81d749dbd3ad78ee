"""Questions and answers about LLM inference: reads qa/*.txt and multiplies the ways of asking.

One entry of a file:

    == kv-cache                      its name
    what: the KV cache | *KV caches  noun phrases for "what is ..." (a star: plural)
    how: the KV cache works          clauses for "explain how ..."
    why: an engine keeps a KV cache  clauses for "explain why ..."
    diff: prefill / decode           pairs for "what is the difference between ... and ..."
    q: What does the KV cache hold?  whole questions
    key: key|keys; value             facts an answer must name: ';' is and, '|' is or
    a: ...                           answers, short to long
    why? ... eg? ... more? ...       answers to "why?", "give an example", "tell me more"
    f: question | question => answer any other follow-up
"""

import pathlib
import re

from corpus import blurred, grammar

_WHAT = [
    "what {is} {x}?", "what {is} {x}?", "what {is} {x}?", "explain {x}.", "tell me about {x}.",
    "can you explain {x}?", "what do you know about {x}?", "could you tell me what {x} {is}?",
    "I want to understand {x}.", "describe {x}.", "define {x}.", "what exactly {is} {x}?",
    "what {do} {x} mean?", "help me understand {x}.", "what {is} meant by {x}?",
    "give me a short explanation of {x}.", "I don't understand {x}.", "{x}?", "{x}", "teach me about {x}.",
    "how would you explain {x} to a beginner?", "what {is} {x} in an LLM engine?", "do you know what {x} {is}?",
    "I keep hearing about {x}. What {is} {that}?", "what do people mean by {x}?", "explain to me what {x} {is}.",
    "what can you tell me about {x}?", "I would like to learn about {x}.", "please explain {x}.",
    "talk to me about {x}.", "what {is} {x} in language models?", "so what {is} {x}?", "what {is} {x}, exactly?",
    "could you explain {x} to me?", "tell me what {x} {is}.", "I have never heard of {x}. What {is} {that}?",
    "what {is} {x} in simple terms?", "can you define {x}?", "explain {x} to me.", "explain {x} like I'm five.", "give me the definition of {x}.",
    "how would you define {x}?", "{x}: what {is} {that}?", "I don't know what {x} {is}.", "what {is} {x}? I am new to this.",
    "remind me what {x} {is}.", "somebody mentioned {x}. What {is} {that}?", "explain {x} in simple words.", "what {is} {x} all about?",
]
# Asked only where no entry has the question for its own.
_LOOSE = [
    "how {do} {x} work?", "what {do} {x} do?", "what {is} {x} for?", "what {is} {x} good for?", "what is the purpose of {x}?",
    "why do we need {x}?", "what's the point of {x}?", "why {is} {x} useful?", "why {is} {x} important?", "how {is} {x} used?",
    "give me an overview of {x}.", "what about {x}?", "and {x}?", "how about {x}?", "and what {is} {x}?", "what's {x}?",
    "what role {do} {x} play?", "what is the idea of {x}?", "in short, what {is} {x}?", "tell me something about {x}.",
    "can you describe {x}?", "what should I know about {x}?", "what is the definition of {x}?", "what {do} {x} mean exactly?",
    "explain the idea behind {x}.", "what is the use of {x}?", "why would I want {x}?", "introduce me to {x}.",
    "what, in simple terms, {is} {x}?", "could you describe how {x} {works}?", "explain how {x} {works}.",
    "how {do} {x} help?", "what would happen without {x}?", "when {do} {x} matter?", "could an engine do without {x}?", "who needs {x}?",
    "what {do} {x} mean for a user?", "how {do} {x} actually work?", "why {do} {x} exist?", "what makes {x} important?", "how should I picture {x}?",
]
_BARE = ["{b}", "{b}?", "what {is} {b}?", "explain {b}.", "define {b}.", "tell me about {b}.", "how would you describe {b}?"]
_HOW = [
    "explain how {x}.", "can you explain how {x}?", "tell me how {x}.", "I want to know how {x}.",
    "could you tell me how {x}?", "describe how {x}.", "do you know how {x}?", "help me understand how {x}.",
    "I don't understand how {x}.", "please explain how {x}.", "show me how {x}.",
    "walk me through how {x}.", "give me an idea of how {x}.", "I'd like to know how {x}.", "explain to me how {x}.",
    "can you describe how {x}?", "can you show me how {x}?",
]
_WHY = [
    "explain why {x}.", "why is it that {x}?", "can you explain why {x}?", "tell me why {x}.",
    "I don't understand why {x}.", "what is the reason that {x}?", "do you know why {x}?",
    "could you tell me why {x}?", "how come {x}?", "I wonder why {x}.", "please explain why {x}.",
    "I'd like to know why {x}.", "what is the reason why {x}?", "it is not clear to me why {x}.", "explain to me why {x}.", "can you tell me why {x}?",
    "does anybody know why {x}?", "give me the reason why {x}.",
]
_DIFF = [
    "what is the difference between {x} and {y}?", "how do {x} and {y} differ?", "compare {x} and {y}.",
    "{x} vs {y}", "{x} or {y}: what is the difference?", "explain the difference between {x} and {y}.",
    "how is {x} different from {y}?", "what is the difference between {y} and {x}?", "{x} versus {y}?",
    "can you compare {x} with {y}?", "are {x} and {y} the same thing?", "is {x} the same as {y}?",
    "what distinguishes {x} from {y}?", "I mix up {x} and {y}. What is the difference?", "how can I tell {x} from {y}?", "{x} and {y}: are they the same?",
    "{x} compared to {y}?", "{y} vs {x}", "in what way do {x} and {y} differ?", "can you tell me the difference between {x} and {y}?", "isn't {x} the same as {y}?",
]
OPENINGS = [
    "please ", "hey, ", "hi! ", "hello, ", "ok, ", "so, ", "quick question: ", "I am new to this. ", "another question: ",
    "one more thing: ", "and ", "thanks. ", "hmm, ", "I have a question. ", "sorry, ", "well, ", "good. ", "now, ",
    "I'm a student. ", "maybe a silly question: ", "just curious: ", "next question: ", "ok thanks, ", "right. ",
    "help me out: ", "I was wondering: ", "tell me, ", "one thing I don't get: ", "good morning! ",
    "I'm reading about this. ", "for my homework: ", "to be clear: ", "my teacher asked: ", "excuse me, ", "I wonder: ", "interesting. ",
]
BRIEF = [" In one sentence.", " Briefly, please.", " Keep it short.", " In short.", " In a few words.", " Short answer, please."]
_LONG = [" In detail, please.", " Give me the long answer.", " Take your time.", " I want the details.", " Explain it well."]
PLAIN = [" In simple words, please.", " Please.", " Thank you!", " I am a beginner."]

_ASK_WHY = ["Why?", "Why?", "why is that?", "But why?", "Why is that so?", "why so?", "What is the reason?", "How come?", "And why?"]
_ASK_EXAMPLE = ["Give an example.", "Give me an example.", "Can you give an example?", "For example?", "An example, please.",
                "Could you show me an example?", "example?", "I need an example."]
_ASK_SHORT = ["Shorter, please.", "Shorter please", "Can you say that in fewer words?", "Too long. Shorter?", "In one sentence?",
              "Make it shorter.", "Sum that up.", "Say it more briefly.", "tl;dr?", "Summarize that.", "Give me the short version."]
_ASK_MORE = ["Tell me more.", "More, please.", "Can you say more?", "Go on.", "Explain more.", "I want to know more.",
             "More detail, please.", "How does it work?", "how does that work?", "How does it work exactly?", "Can you explain that in more detail?", "Could you go deeper?", "Say more about that."]
_ASK_AGAIN = ["I don't understand.", "Can you explain that differently?", "Say it another way.", "Explain it again, please.",
              "I did not get that.", "Could you rephrase that?", "Huh?", "Once more, in other words?"]


# What people ask first, and where a doubtful question should lead.
_CENTRAL = ("basics.txt", "cache.txt", "sampling.txt", "scheduling.txt", "hardware.txt", "vitrine.txt")


class Entry:
    def __init__(self, name, origin):
        self.name, self.origin = name, origin
        self.asked = {"what": [], "how": [], "why": [], "diff": [], "q": []}
        self.answers, self.keys, self.followups = [], [], []
        self.whys, self.examples, self.mores = [], [], []
        self.questions, self.loose = [], []

    def is_right(self, answer):
        """Whether an answer names every key fact."""
        text = answer.lower()
        return all(any(fact in text for fact in alternatives) for alternatives in self.keys)


def _split(value):
    return [part.strip() for part in value.split("|") if part.strip()]


def _fill(frames, **slots):
    return [re.sub(r"\{(\w+)\}", lambda m: slots[m[1]], frame) for frame in frames]


def _questions_of(entry):
    found = list(entry.asked["q"])
    for phrase in entry.asked["what"]:
        plural = phrase.startswith("*")
        x = phrase.lstrip("*")
        words = ("are", "do", "those", "work") if plural else ("is", "does", "that", "works")
        entry.loose += _fill(_LOOSE, x=x, **{"is": words[0], "do": words[1], "works": words[3]})
        found += _fill(_WHAT, x=x, **{"is": words[0], "do": words[1], "that": words[2]})
        bare = re.sub(r"^(a|an|the) ", "", x)
        if bare != x and " of " not in bare:  # many people leave the article out
            found += _fill(_BARE, b=bare, **{"is": words[0]})
    for clause in entry.asked["how"]:
        found += _fill(_HOW, x=clause)
        if clause.endswith(" works"):
            found += [f"how does {clause[:-6]} work?"] * 3
        elif clause.endswith(" work"):
            found += [f"how do {clause}?"] * 3
    for clause in entry.asked["why"]:
        found += _fill(_WHY, x=clause)
    for pair in entry.asked["diff"]:
        x, y = (side.strip() for side in pair.split("/"))
        found += _fill(_DIFF, x=x, y=y)
    return found


def parse(text, origin):
    entries, entry = [], None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("=="):
            entry = Entry(line[2:].strip(), origin)
            entries.append(entry)
            continue
        head, mark, value = line.partition(" ")
        value = value.strip()
        if entry is None or not value:
            raise ValueError(f"{origin}:{number}: not understood: {line}")
        if head in ("what:", "how:", "why:", "diff:"):
            entry.asked[head[:-1]] += _split(value)
        elif head == "q:":
            entry.asked["q"] += _split(value)
        elif head == "key:":
            entry.keys += [[fact.strip().lower() for fact in group.split("|")] for group in value.split(";")]
        elif head == "a:":
            entry.answers.append(value)
        elif head in ("why?", "eg?", "more?"):
            {"why?": entry.whys, "eg?": entry.examples, "more?": entry.mores}[head].append(value)
        elif head == "f:":
            questions, arrow, answer = value.partition("=>")
            if not arrow:
                raise ValueError(f"{origin}:{number}: a follow-up needs '=>'")
            entry.followups.append((_split(questions), answer.strip()))
        else:
            raise ValueError(f"{origin}:{number}: unknown head {head}")
    return entries


def load():
    """All entries, checked: every answer names its entry's key facts and no two entries are asked alike."""
    entries, seen, names, faults = [], {}, set(), []
    for path in sorted(pathlib.Path(__file__).with_name("qa").glob("*.txt")):
        entries += parse(path.read_text(encoding="utf-8"), path.name)
    for entry in entries:
        if entry.name in names or not entry.answers or not entry.keys:
            faults.append(f"{entry.name}: twice, or without answer or key facts")
        names.add(entry.name)
        faults += [f"{entry.name}: an answer misses a key fact: {a}" for a in entry.answers if not entry.is_right(a)]
        entry.answers.sort(key=len)
        entry.questions = _questions_of(entry)
        for question in entry.questions:
            other = seen.setdefault(grammar.normalised(question), entry.name)
            if other != entry.name:
                faults.append(f"'{question}' asks for both {other} and {entry.name}")
    for entry in entries:
        entry.questions += [q for q in entry.loose if seen.setdefault(grammar.normalised(q), entry.name) == entry.name]
        entry.trained = [q for q in entry.questions if not grammar.is_held_out(q)]
        entry.own = [q for q in entry.asked["q"] if not grammar.is_held_out(q)]
        entry.weight = (8 + len(entry.own)) * (2 if entry.origin in _CENTRAL else 1)
        entry.held_out = sorted({q for q in entry.questions if grammar.is_held_out(q)})
        if not entry.trained:
            faults.append(f"{entry.name}: no question is left to train on")
    if faults:
        raise ValueError("\n".join(faults))
    return entries


def _ask(rng, entry):
    rough = blurred.question(rng, entry) if rng.random() < 0.3 else None
    if rough is not None:
        return grammar.typed_by_hand(rng, grammar.reworded(rng, rough)), rng.choice(entry.answers)
    particular = bool(entry.own) and rng.random() < 0.55
    question = rng.choice(entry.own if particular else entry.trained)
    if rng.random() < 0.5:
        question = grammar.reworded(rng, question)
    roll = rng.random()
    answers = entry.answers
    answer = rng.choice(answers)
    if particular and rng.random() < 0.4:
        answer = answers[-1]  # a particular question is mostly answered by the fuller text
    if roll < 0.07:
        question, answer = question + rng.choice(BRIEF), answers[0]
    elif roll < 0.12:
        question, answer = question + rng.choice(_LONG), answers[-1]
    elif roll < 0.16:
        question += rng.choice(PLAIN)
    if rng.random() < 0.18:
        question = rng.choice(OPENINGS) + question
    return grammar.typed_by_hand(rng, question), answer


def _followup(rng, entry, said):
    """One more turn about what was just said, or None when there is nothing fitting to ask."""
    options = []
    options += [(_ASK_WHY, text) for text in entry.whys] * 2
    options += [(_ASK_EXAMPLE, text) for text in entry.examples] * 2
    options += [(_ASK_MORE, text) for text in entry.mores]
    options += [(questions, text) for questions, text in entry.followups] * 2
    if len(said) > len(entry.answers[0]):
        options.append((_ASK_SHORT, entry.answers[0]))
    if not entry.mores and len(said) < len(entry.answers[-1]):
        options.append((_ASK_MORE, entry.answers[-1]))
    others = [text for text in entry.answers if text != said]
    if others:
        options.append((_ASK_AGAIN, rng.choice(others)))
    if not options:
        return None
    questions, answer = rng.choice(options)
    return grammar.typed_by_hand(rng, rng.choice(questions)), answer


def exchange(rng, entries):
    """One to four turns about one entry; what is asked in more ways is asked more often."""
    entry = rng.choices(entries, [entry.weight for entry in entries])[0]
    turns = [_ask(rng, entry)]
    while len(turns) < 4 and rng.random() < (0.45 if len(turns) == 1 else 0.3):
        turn = _followup(rng, entry, turns[-1][1])
        if turn is None or turn[1] in [answer for _, answer in turns]:
            break
        turns.append(turn)
    return turns


def held_out(rng, entries, per_entry):
    """Questions for the evaluation with what a right answer must name."""
    found = []
    for entry in entries:
        questions = entry.held_out[:]
        rng.shuffle(questions)
        for question in questions[:per_entry]:
            found.append({"kind": "qa", "entry": entry.name, "question": question[:1].upper() + question[1:],
                          "keys": entry.keys, "reference": entry.answers[0]})
    return found


def held_out_followups(rng, entries, count):
    """Second turns after a held-out question and its entry's answer, with the answers that would be right."""
    asked = [("whys", "Why is that so?"), ("examples", "Can you give me an example?"), ("mores", "Tell me more about that.")]
    options = [(entry, ask, getattr(entry, kind)) for entry in entries if entry.held_out for kind, ask in asked if getattr(entry, kind)]
    return [{"kind": "followup", "entry": entry.name, "turns": [rng.choice(entry.held_out), entry.answers[0], ask], "right": right}
            for entry, ask, right in rng.sample(options, min(count, len(options)))]
