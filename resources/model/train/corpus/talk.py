"""Small talk. talk.txt holds what people say and what is answered; a follow-up is a tuple in `AFTER`."""

import pathlib

from corpus import grammar
from corpus.tale import Tale

AFTER = [
    ("how are you|how are you today", "I am well, thank you. My weights are where they should be. How are you?",
     "fine, thanks|i am good|very well|good|great, thanks|not bad", "I am glad to hear that. What would you like to know?"),
    ("tell me a joke|do you know a joke", "Why was the cache so calm? It had seen it all before.",
     "haha|lol|that was funny|good one|funny", "I am glad you liked it."),
    ("tell me a joke|make me laugh", "Why did the prompt bring a ladder? It wanted a higher temperature.",
     "i don't get it|i do not understand the joke|explain the joke|why is that funny", "Temperature is a setting of the sampler: a higher one makes the choice of tokens more random. So the ladder leads to a higher temperature."),
    ("who are you|what are you", "I am Vitrine's built-in model: a small language model of about ten million parameters, here to show how inference works.",
     "what can you do|and what can you do|what are you good at", "I can explain how language models are served, do simple tasks such as counting or spelling, and tell short stories."),
    ("what can you do|help", "I can explain how language models are served, do simple tasks such as counting or spelling, and tell short stories.",
     "show me|give me an example|like what|for example", "Ask me \"What is the KV cache?\", or \"Count to ten\", or \"Tell me a story about a fox\"."),
    ("what time is it|what is the weather like", "I don't know. I have no clock, no window and no network.",
     "why not|why|how come", "I am a language model: I see only the tokens of this conversation, and nothing of the world outside."),
    ("tell me a riddle|a riddle please", "What has a face and two hands, but no arms? A clock.", "haha|good one|nice|lol", "I am glad you liked it. Shall I ask another one?"),
    ("knock knock|knock knock!", "Who is there?", "it's me|token|anna|nobody|guess who", "Nice to meet you! Now I am curious how it goes on."),
    ("hello|hi", "Hi! I can explain how I am run, tell a story, or count to ten. What would you like?", "count to ten|count|count to ten please", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10."),
    ("ask me something|quiz me", "Gladly: which takes more time for each token, prefill or decode?", "decode|decode?|i think decode|the decode",
     "Right! Decode reads all the weights for a single token, while prefill shares that reading among all tokens of the prompt."),
    ("ask me something|quiz me", "Gladly: which takes more time for each token, prefill or decode?", "prefill|prefill?|i think prefill|the prefill",
     "No, it is decode: it reads all the weights for a single token, while prefill shares that reading among all tokens of the prompt."),
    ("ask me a question|test me", "Let me ask this: what happens when no block is free?", "i don't know|no idea|tell me|what happens",
     "Then a request must wait, or the engine preempts a running one and gives its blocks to others."),
    ("are you conscious|do you have feelings", "No. I am a program that predicts the next token, and I don't feel anything.", "are you sure|how do you know|really",
     "As sure as I can be: there is only arithmetic in me, and you can look at every step of it."),
    ("you are stupid|you idiot", "Let us stay friendly. What would you like to know?", "sorry|i'm sorry|ok sorry", "Thank you, no harm done. What would you like to know?"),
]
# Where an answer offers a story, a yes gets one.
_OFFERS = [("i am sad|i feel lonely|i had a bad day", "I am sorry to hear that. Would you like a short story?"), ("i am bored|entertain me|surprise me", "Shall I tell you a story?"),
           ("what can you do|help", "I can explain how language models are served, or tell you a story. Would you like one?"), ("i can't sleep|i am tired", "Shall I tell you a bedtime story?")]
_YES = "yes|yes please|sure|ok|please|yes, please|why not|gladly|go on|yeah|of course".split("|")
_NO = "no|no thanks|not now|later|no, thank you|nope".split("|")


def _parse():
    blocks = []
    for line in pathlib.Path(__file__).with_name("talk.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("# "):
            continue
        if line.startswith("= "):
            blocks[-1][1].append(line[2:])
        else:
            blocks.append((line.split("|"), []))
    return blocks


BLOCKS = _parse()
_BEFORE = ["", "", "", "", "", "", "", "hey, ", "hi, ", "hello, ", "ok, ", "so, ", "well, ", "please ", "oh, "]


def _as_typed(rng, said):
    if said[-1].isalnum() and said.startswith(("who", "what", "where", "how", "when", "are", "do", "can", "is", "which", "may", "will", "could", "why")):
        said += "?"
    elif said[-1].isalnum() and rng.random() < 0.4:
        said += rng.choice([".", "!", ""])
    if len(said) > 5 and rng.random() < 0.15:
        said = rng.choice(_BEFORE) + said
    said = said.replace(" i ", " I ")
    return grammar.typed_by_hand(rng, said[:1].upper() + said[1:])


_PEOPLE = ("Anna Tom Maria Peter Sam Lee Ali Julia Omar Lena Paul Eva Karl Ines Noah Mia Ben Sara Ivan Chen Yuki Priya Hans Marta Jon Nina Leo Ida "
           "Max Rosa Tim Zoe Amir Olga Finn Elif Hugo Clara Ravi Emma").split()


def _named(rng):
    """The only memory there is: what stands in the conversation."""
    name = rng.choice(_PEOPLE)
    turns = [(rng.choice([f"my name is {name}", f"I am {name}.", f"Hi, I'm {name}.", f"Hello, my name is {name}!", f"call me {name}", f"I'm {name}"]),
              rng.choice([f"Nice to meet you, {name}! What would you like to know?", f"Hello, {name}! How can I help?"]))]
    if rng.random() < 0.5:
        asked, answers = rng.choice([b for b in BLOCKS if not {"who am i", "my name is anna", "reset"} & set(b[0])])
        turns.append((_as_typed(rng, rng.choice(asked)), rng.choice(answers)))
    turns.append((rng.choice(["what is my name?", "What's my name?", "do you know my name?", "who am I?", "do you remember my name?"]), f"Your name is {name}."))
    return turns


def _offered(rng):
    said, offer = rng.choice(_OFFERS)
    turns = [(_as_typed(rng, rng.choice(said.split("|"))), offer)]
    if rng.random() < 0.75:
        tale = Tale(rng)
        return turns + [(_as_typed(rng, rng.choice(_YES)), tale.short(rng) if "short" in offer or rng.random() < 0.4 else tale.told(rng))]
    return turns + [(_as_typed(rng, rng.choice(_NO)), rng.choice(["All right. I am here when you need me.", "That is fine. Ask me whatever you like."]))]


def greeting(rng):
    asked, answers = rng.choice(BLOCKS[:4])
    return [(_as_typed(rng, rng.choice(asked)), rng.choice(answers))]


def exchange(rng):
    if rng.random() < 0.05:
        return _named(rng)
    if rng.random() < 0.04:
        return _offered(rng)
    if rng.random() < 0.06:
        first, answer, second, reply = rng.choice(AFTER)
        return [(_as_typed(rng, rng.choice(first.split("|"))), answer), (_as_typed(rng, rng.choice(second.split("|"))), reply)]
    asked, answers = rng.choice(BLOCKS)
    kept = [a for a in asked if not grammar.is_held_out(a)] or asked
    return [(_as_typed(rng, rng.choice(kept)), rng.choice(answers))]
