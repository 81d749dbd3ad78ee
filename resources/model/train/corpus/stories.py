"""Asking for stories and poems, and talking about what was told."""

import re

from corpus import cast, grammar, outside, poems
from corpus.tale import PLOTS, Tale

THEMES = {"friendship": ["lost", "newcomer", "map", "promise", "letter", "apology", "birthday", "treasure"], "courage": ["storm", "dark", "keeper"], "bravery": ["storm", "dark"],
          "sharing": ["share", "treasure", "gift"], "patience": ["seed", "race", "song", "letter", "hurry", "stars"], "honesty": ["truth", "promise", "boast", "apology"],
          "kindness": ["share", "newcomer", "garden", "bread", "gift"], "helping others": ["storm", "lost", "bridge", "keeper"], "pride": ["race", "boast", "chief"],
          "learning": ["song", "invention", "work", "question"], "working together": ["bridge", "invention", "garden", "music", "clock", "chief"], "teamwork": ["bridge", "clock"],
          "a treasure": ["map", "treasure"], "a storm": ["storm"], "a race": ["race"], "a wish": ["wish"], "a promise": ["promise"], "a lie": ["truth", "boast"], "the moon": ["moon"],
          "being content": ["wish"], "happiness": ["wish", "question"], "a map": ["map"], "a bridge": ["bridge"], "a seed": ["seed"], "a song": ["song", "music"],
          "music": ["song", "music"], "an invention": ["invention"], "being afraid of the dark": ["dark"], "fear": ["dark", "storm"], "an adventure": ["map", "invention", "journey"],
          "a journey": ["journey"], "home": ["journey"], "winter": ["share"], "a new friend": ["newcomer"], "loneliness": ["newcomer", "birthday"], "a letter": ["letter"],
          "a quarrel": ["apology", "treasure"], "saying sorry": ["apology", "bread"], "forgiveness": ["apology", "bread", "truth"], "a garden": ["garden"], "a clock": ["clock"],
          "listening": ["music", "chief", "oneself"], "curiosity": ["clock", "invention", "question", "stars"], "a birthday": ["birthday"], "a present": ["gift", "birthday"],
          "generosity": ["gift", "share"], "a thief": ["bread"], "a lamp": ["keeper"], "being yourself": ["picture", "oneself"], "art": ["picture"], "being in a hurry": ["hurry"],
          "time": ["hurry", "clock"], "the stars": ["stars", "fallen"], "a fallen star": ["fallen"], "a question": ["question"], "envy": ["oneself"], "greed": ["wish", "treasure"],
          "a king for a day": ["chief"], "sleep": ["sleep"], "dreams": ["sleep"], "a first day at work": ["work"], "making mistakes": ["work", "picture", "invention"],
          "trust": ["promise", "bread"], "hope": ["seed", "letter", "keeper"], "love": ["letter", "wish", "gift"], "failure": ["invention", "song", "work"]}
_TELL = """tell me a story|tell me a story|tell a story|can you tell me a story|write a story|I want a story|please tell me a story|I would like to hear a story|make up a story
|could you tell me a tale|tell me a tale|a story|story|give me a story|write me a story|do you know a story|let me hear a story|tell us a story|invent a story|can you write a story
|tell me a bedtime story|a bedtime story|read me a story|I need a story|could you write a story|may I have a story|tell me a nice story|tell me a fairy tale|a fairy tale
|create a story|come up with a story|I'd like a story|tell me an old tale|how about a story|tell the kids a story|tell me something""".replace("\n", "").split("|")
_SHORT = """tell me a short story|a short story|write a short story|a short tale|tell me a very short story|a very short story|give me a short story|please write a short story|a tiny story
|make up a short story|can you tell me a short story|a quick story|tell me a little story|a mini story""".replace("\n", "").split("|")
_THREE = ["in three sentences", "in 3 sentences", "three sentences only", "in just three sentences", "of three sentences"]


def _end(rng, asked):
    return asked.rstrip(", ") + rng.choice([".", ".", "?" if asked.startswith(("can", "could", "do", "may", "how")) else ".", "!"])


def _hero(rng):
    roll = rng.random()
    if roll < 0.05:
        return outside.invented(rng).lower()  # so that any word can be a hero
    return (rng.choice(cast.MANNERS) + " " if roll < 0.15 else "") + rng.choice(cast.CREATURES)


def _place(rng):
    if rng.random() < 0.12:
        city = outside.invented(rng) if rng.random() < 0.3 else rng.choice(cast.CITIES)
        return ("l", "=" + city, "in " + city, rng.choice(cast.OF_CITIES))
    return rng.choice(cast.PLACES)


def _name(rng):
    return rng.choice(cast.HEROES_HER + cast.HEROES_HIM + cast.FRIENDS_HER + cast.FRIENDS_HIM + cast.OTHER_HER + cast.OTHER_HIM)


def _placed(rng, place):
    """The place as a second subject, or as where it happens."""
    noun, where = place[1], place[2]
    if noun[0] == "=" or noun in ("snow", "moon", "sea", "ocean"):
        return rng.choice([" " + where, " who lives " + where, f" and {noun[1:]}" if noun[0] == "=" else f" and the {noun}"])
    return rng.choice([f" and a {noun}", " " + where, " who lives " + where, f" {where}"])


def _subject(rng):
    """(how it is asked for, what the story must have)."""
    kind = rng.choices(["hero", "place", "friend", "theme", "thing", "only place", "only thing", "named", "two names", "all"],
                       [22, 20, 13, 12, 9, 5, 4, 9, 3, 4])[0]
    want = {"hero": _hero(rng)}
    a = "a " + want["hero"]
    if kind == "hero":
        return rng.choice([f"about {a}", f"about {a}", f"with {a}", f"about {a}, please", f"where {a} is the hero"]), want
    if kind in ("place", "only place"):
        want["place"] = _place(rng)
        if kind == "place":
            if want["hero"] == want["place"][1]:
                want["hero"], a = "fox", "a fox"
            return rng.choice(["about ", "about ", "with "]) + a + _placed(rng, want["place"]), want
        noun, where = want["place"][1:3]
        return rng.choice([f"that happens {where}", f"set {where}", f"about {'' if noun[0] == '=' else 'the '}{noun.lstrip('=')}", where]), {"place": want["place"]}
    if kind in ("friend", "all"):
        want["friend"] = rng.choice([c for c in cast.CREATURES if c not in want["hero"] and want["hero"] not in c])
        asked = rng.choice([f"about {a} and a {want['friend']}", f"with {a} and a {want['friend']}", f"about the friendship of {a} and a {want['friend']}", f"about {a} who meets a {want['friend']}"])
        if kind == "all":
            want["place"] = _place(rng)
            asked = f"about {a} and a {want['friend']} {want['place'][2]}"
        return asked, want
    if kind == "theme":
        theme = rng.choice(list(THEMES))
        found = {"plot": rng.choice(THEMES[theme])}
        if rng.random() < 0.4:
            return f"about {a} and {theme}", {**found, **want}
        return f"about {theme}", found
    if kind in ("thing", "only thing"):
        want["thing"] = rng.choice([t for t in cast.THINGS if t not in want["hero"]])
        if kind == "thing":
            return rng.choice([f"about {a} and a {want['thing']}", f"about {a} with a {want['thing']}", f"with {a} and a {want['thing']}"]), want
        return f"about a {want['thing']}", {"thing": want["thing"]}
    if kind == "named":
        want["name"] = _name(rng)
        if rng.random() < 0.3:
            return f"about {want['name']}", {"hero": "girl" if want["name"] in cast.SHE else "boy", "name": want["name"]}
        return rng.choice([f"about {a} called {want['name']}", f"about {a} named {want['name']}", f"about {want['name']} the {want['hero']}"]), _fitting(want)
    first = _name(rng)
    second = rng.choice([n for n in cast.FRIENDS_HER + cast.FRIENDS_HIM + cast.OTHER_HER + cast.OTHER_HIM if n[0] != first[0] and (n in cast.SHE) != (first in cast.SHE)])
    return rng.choice([f"about {first} and {second}", f"with {first} and {second}"]), {
        "hero": "girl" if first in cast.SHE else "boy", "name": first, "friend": "girl" if second in cast.SHE else "boy", "friend_name": second}


def _fitting(want):
    """No queen called Tom."""
    kind = want["hero"].split(" ")[-1]
    if (kind in cast.HER and want["name"] not in cast.SHE) or (kind in cast.HIM and want["name"] in cast.SHE):
        want["name"] = "Luna" if kind in cast.HER else "Hugo"
    return want


def request(rng):
    """(question, what the story must have, its length: "long", "short" or 3 sentences)."""
    while True:
        subject, want = ("", {}) if rng.random() < 0.12 else _subject(rng)
        if "name" not in want or want["name"] in subject:
            break
    roll = rng.random()
    if roll < 0.70:
        ask, length = rng.choice(_TELL), "long"
    elif roll < 0.90:
        ask, length = rng.choice(_SHORT), "short"
    else:
        ask, length = rng.choice(_TELL), 3
    asked = f"{ask} {subject}".strip()
    if length == 3:
        asked += " " + rng.choice(_THREE)
    if ask.endswith("something") and (not subject or not subject.startswith("about")):
        asked = f"tell me a story {subject}".strip()
    return grammar.polish(_end(rng, asked)), want, length


def told(rng, tale, length):
    return tale.told(rng) if length == "long" else tale.short(rng, 3 if length == 3 else None)


def _about(rng, tale, length):
    """One question about the story just told, with its answer."""
    name, other, hero, friend = tale.name, tale.friend_name, tale.hero, tale.friend
    moral = tale.moral[0].lower() + tale.moral[1:]
    options = [
        ("what is the moral?|what's the moral of the story?|and the moral?|what do we learn from it?|what does the story teach?", f"The moral is: {moral}."),
        (f"who was {name}?|who is {name}?|and who is {name}?|what was {name}?", f"{name} was the {hero}, the hero of the story."),
        (f"who was {other}?|who is {other}?|what was {other}?", f"{other} was the {friend} whom {name} met in the story."),
        (f"what was the name of the {hero}?|what was the {hero} called?|who is the main character?|what is the hero's name?|who is the hero?", f"The hero is {name} the {hero}."),
        (f"what was the name of the {friend}?|what was the {friend} called?", f"The {friend} was called {other}."),
        ("where did it happen?|where does the story take place?|where do they live?|where was that?", f"The story takes place {tale.where}."),
        ("who is in the story?|who are the characters?|which characters are in it?", f"There are two: {name} the {hero} and {other} the {friend}."),
        ("is that a true story?|is it true?|did that really happen?", "No, I made it up, one token after another."),
        ("who wrote that?|did you write it yourself?|where is this story from?", "I made it up just now, from stories of this kind that I was trained on."),
        ("nice story!|that was lovely.|I liked it.|beautiful.|what a nice story|great story", "Thank you! Shall I tell you another one?")]
    if length == "long":
        options += [("make it shorter.|shorter, please.|can you make it shorter?|summarize the story.|in short?|too long.|sum it up.|the short version, please.", None)] * 3
        questions, answer = rng.choice(options)
        return questions, answer or tale.short(rng)
    options += [("make it longer.|longer, please.|can you make it longer?|tell it with more detail.|the long version, please.|more details, please.", None)] * 2
    questions, answer = rng.choice(options)
    return questions, answer or tale.told(rng)


_AGAIN = ["another story, please.", "another one.", "tell me another story.", "one more story?", "again, but another one.", "and another one?", "one more", "a different story, please.", "next story"]


def exchange(rng):
    if rng.random() < 0.12:
        return poems.exchange(rng)
    while True:
        asked, want, length = request(rng)
        if not want or not grammar.is_held_out(asked):
            break
    tale = Tale(rng, **want)
    if rng.random() < 0.2:
        asked = grammar.reworded(rng, asked)
    turns = [(grammar.typed_by_hand(rng, asked), told(rng, tale, length))]
    while len(turns) < 4 and rng.random() < 0.4:
        roll = rng.random()
        if roll < 0.15:
            tale = Tale(rng)
            question, answer = rng.choice(_AGAIN), told(rng, tale, length)
        elif roll < 0.25:  # the same two once more
            question = rng.choice([f"another story about {tale.name}.", f"tell me more about {tale.name}.", f"one more story with {tale.name} and {tale.friend_name}.", "another one with the same characters."])
            plot = rng.choice([name for name in PLOTS if name != tale.plot and tale.place[0] in PLOTS[name]["kinds"]])
            tale = Tale(rng, plot, hero=tale.hero, name=tale.name, friend=tale.friend, friend_name=tale.friend_name, place=tale.place)
            answer = told(rng, tale, length)
        else:
            questions, answer = _about(rng, tale, length)
            question = rng.choice(questions.split("|"))
        if answer in [said for _, said in turns]:
            break
        turns.append((grammar.typed_by_hand(rng, question), answer))
    return turns


def tell(rng):
    """A story that nobody asked for."""
    return Tale(rng).told(rng)


def held_out(rng, count):
    found, seen = [], set()
    while len(found) < count:
        asked, want, _ = request(rng)
        if want and asked not in seen and grammar.is_held_out(asked):
            seen.add(asked)
            words = [want[k] if isinstance(want[k], str) else want[k][1].lstrip("=") for k in ("hero", "name", "friend", "friend_name", "thing", "place") if k in want]
            found.append({"kind": "story", "question": asked, "words": [re.sub(r"^(girl|boy)$", "", word.lower()) for word in words]})
    return found
