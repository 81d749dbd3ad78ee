"""Short stories: a plot (plots.txt), a hero, a friend, a place and a thing; told anew each time."""

import pathlib

from corpus import grammar


def _list(text):
    return [word.strip() for word in text.replace("\n", " ").split(",") if word.strip()]


CREATURES = _list("""fox, owl, bear, mouse, rabbit, hedgehog, badger, otter, squirrel, crow, goose, duck, cat, dog, frog, turtle, wolf, deer,
sparrow, robin, goat, donkey, sheep, pig, horse, beaver, mole, lizard, hen, stork, bat, snail, raven, swan, penguin, elephant, lion, tiger,
monkey, giraffe, camel, seal, bee, ant, dragon, dwarf, giant, robot, princess, prince, king, queen, knight, wizard, witch, baker, sailor,
shepherd, fisherman, gardener, clockmaker, miller, painter, girl, boy, old woman, old man, pirate, ghost, fairy, snowman, troll, tailor""")
HER = {"princess", "queen", "witch", "girl", "old woman", "fairy", "hen"}
HIM = {"prince", "king", "wizard", "boy", "old man", "snowman", "fisherman"}
NAMES_HER = _list("Mira, Lina, Fern, Hazel, Pia, Tilda, Rosa, Nell, Ada, Olive, Wanda, Clara, Ivy, Juna, Ruby, Edda, Maja, Poppy, Selma, Vera, Flora, Ina, Bea, Greta, Luna, Tessa, Nora, Alma, Dora, Elsie")
NAMES_HIM = _list("Pip, Otto, Finn, Bruno, Max, Emil, Jasper, Milo, Toby, Hugo, Oskar, Ben, Felix, Rufus, Leo, Nils, Theo, Anton, Jonas, Kasper, Barnaby, Arlo, Tom, Gus, Ned, Linus, Moritz, Henry, Albert, Sam")
TRAITS = ["[curious|very curious]", "[shy|rather shy]", "[clever|clever and quick]", "[small but brave|small]", "[cheerful|always cheerful]", "[kind|kind and gentle]", "[proud|a little proud]",
          "[stubborn|as stubborn as a stone]", "[dreamy|full of dreams]", "[careful|very careful]", "[impatient|always in a hurry]", "[hard-working|busy from morning till night]", "[lonely|often alone]", "[merry|full of songs]"]
THINGS = _list("lantern, music box, kite, clay pot, wooden boat, little mirror, old clock, blue bowl, flute, umbrella, spyglass, teapot, drum, glass ball, wooden horse, painted cup, violin, red bucket, snow globe, basket")

# place, where, what one notices there
PLACES = [line.split("/") for line in """lighthouse/at the lighthouse/the waves [sang|whispered] against the rocks, and the great lamp turned all night
forest/in the forest/the [old trees|tall pines] stood close together, and the moss was soft [as a pillow|under every foot]
village/in the village/the houses leaned against each other, and smoke rose from every chimney
mill/at the mill/the [wheel|big wheel] turned slowly, and everything smelled of flour
river/by the river/the water [sparkled|murmured] over round stones, and willows hung over the bank
mountain/on the mountain/the air was thin and clear, and one could see [seven valleys|to the end of the world]
sea/by the sea/the gulls cried, and the wind tasted of salt
island/on the island/there were [three palm trees|two hills] and [a white beach|many shells], and water on every side
castle/in the castle/the walls were thick, and [flags|red flags] waved on the towers
garden/in the garden/roses climbed over the wall, and bees hummed all day
desert/in the desert/the sand [glowed|shone] like gold, and at night the stars were very near
lake/by the lake/the water was as smooth as glass, and reeds stood along the shore
farm/on the farm/there was a red barn, and the hens scratched in the yard
city/in the city/the streets were loud and bright, and nobody seemed to sleep
harbour/in the harbour/the boats rocked, and ropes creaked in the wind
library/in the library/the shelves reached up to the ceiling, and the dust danced in the light
school/at the school/a bell rang every morning, and the windows were full of paper stars
cave/in the cave/water dripped from the ceiling, and every word came back as an echo
valley/in the valley/the fog lay on the meadows in the morning, and brooks ran down from every side
meadow/on the meadow/the grass was high and full of flowers, and crickets sang
market/at the market/there were [apples and cheese|baskets and bells], and everyone talked at once
bakery/in the bakery/it was warm, and it smelled of fresh bread
train station/at the train station/the big clock ticked, and the rails hummed before a train came
tower/in the tower/there were [ninety-nine steps|a hundred steps], and the wind sang in the windows
moon/on the moon/everything was silver and still, and one could jump as high as a house
old bridge/at the old bridge/the stones were green with moss, and trout stood in the shade
orchard/in the orchard/the apples were red and the grass was full of them
snow/in the snow/everything was white and quiet, and every step creaked
jungle/in the jungle/the leaves were as large as umbrellas, and parrots called from above
workshop/in the workshop/tools hung in rows on the wall, and shavings lay on the floor
beach/on the beach/the sand was warm, and shells lay about like lost buttons
hill/on the hill/a single oak stood there, and the wind never quite stopped
windmill/at the windmill/the sails turned day and night, and the boards creaked
swamp/in the swamp/the ground was soft, and small lights danced there at night
theatre/in the theatre/the curtain was red, and the chairs waited in the dark
museum/in the museum/old things slept behind glass, and every step echoed
ship/on the ship/the sails were white, and the planks smelled of tar
zoo/in the zoo/there was always somebody singing or roaring
kitchen/in the kitchen/copper pots hung on the wall, and something was always boiling
well/at the well/the bucket hung on a long rope, and the water was cold and clear""".splitlines()]

THEMES = {"friendship": ["lost", "newcomer", "map", "promise", "letter", "apology"], "courage": ["storm", "dark"], "bravery": ["storm", "dark"],
          "sharing": ["share"], "patience": ["seed", "race", "song", "letter"], "honesty": ["truth", "promise", "boast", "apology"],
          "kindness": ["share", "newcomer", "garden"], "helping others": ["storm", "lost", "bridge"], "pride": ["race", "boast"],
          "learning": ["song", "invention"], "working together": ["bridge", "invention", "garden", "music", "clock"], "a treasure": ["map"], "a storm": ["storm"],
          "a race": ["race"], "a wish": ["wish"], "a promise": ["promise"], "a lie": ["truth", "boast"], "the moon": ["moon"], "being content": ["wish"],
          "a map": ["map"], "a bridge": ["bridge"], "a seed": ["seed"], "a song": ["song", "music"], "music": ["song", "music"], "an invention": ["invention"], "being afraid of the dark": ["dark"],
          "an adventure": ["map", "invention"], "winter": ["share"], "a new friend": ["newcomer"], "a letter": ["letter"], "a quarrel": ["apology"], "saying sorry": ["apology"],
          "a garden": ["garden"], "a clock": ["clock"], "listening": ["music"], "curiosity": ["clock", "invention"]}
# Plots whose alternatives belong together from beginning to end.
LINKED = {"moon", "wish", "boast", "promise", "letter", "garden"}
WITH_THING = {"lost", "truth", "promise"}


def _load():
    plots = {}
    beats, name = None, None
    for line in pathlib.Path(__file__).with_name("plots.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        if line.startswith("== "):
            name = line[3:].split(";")[0].strip()
            plots[name] = {"beats": [[]], "moral": ""}
        elif name and line.startswith("! "):
            plots[name]["moral"] = line[2:]
        elif name and line:
            plots[name]["beats"][-1].append(line)
        elif name and plots[name]["beats"][-1]:
            plots[name]["beats"].append([])
    for plot in plots.values():
        plot["beats"] = [beat for beat in plot["beats"] if beat]
    return plots


PLOTS = _load()
_OPENINGS = [
    "[Once upon a time|Long ago|Once|Many years ago], {a_hero} lived {at}{trait_clause}. {details} ",
    "[Once upon a time|Once|Long ago] there was {a_hero_trait} who lived {at}. {details} ",
    "{At_cap}, {details_low}. There lived {a_hero}. {He} was {trait}. ",
    "There was once {a_hero_trait}. {He} lived {at}, where {details_low}. ",
    "{a_hero_trait} lived {at}. {details} ",
]
_MORALS = ["[And so {name} learned|And that is how {name} learned] [something|a thing] {he} never forgot: {moral}", "{moral_cap}", "[They say|The old ones say] {at}: {moral}", ""]
_ENDS = ["", "", "", " The end.", " And that is the end of the story."]


def _person(rng, kind, taken=()):
    her = kind in HER or (kind not in HIM and rng.random() < 0.5)
    name = rng.choice([n for n in (NAMES_HER if her else NAMES_HIM) if n not in taken])
    return name, her


def tell(rng, plot=None, hero=None, friend=None, place=None, thing=None, moral=True):
    """A story; what is not asked for is chosen."""
    plot = plot or rng.choice(list(PLOTS))
    hero = hero or rng.choice(CREATURES)
    friend = friend or rng.choice([c for c in CREATURES if c != hero])
    place = place or rng.choice(PLACES)
    thing = thing or rng.choice(THINGS)
    name, her = _person(rng, hero)
    fname, fher = _person(rng, friend, (name,))
    noun, where, details = place
    details = grammar.expand(rng, details)
    trait = grammar.expand(rng, rng.choice(TRAITS))
    simple = trait.split(" ")[-1] if trait.split(" ")[0] in ("very", "rather") else trait.split(" ")[0]
    simple = simple if simple not in ("as", "full", "a", "always", "often", "busy") else rng.choice(["little", "young", "curious"])
    simple = "" if hero.startswith("old ") and simple in ("little", "young", "small") else simple
    s = {"name": name, "Name": name, "hero": "the " + hero, "Hero": "The " + hero, "he": "she" if her else "he", "him": "her" if her else "him", "himself": "herself" if her else "himself",
         "his": "her" if her else "his", "He": "She" if her else "He", "His": "Her" if her else "His",
         "friend": "the " + friend, "Friend": "The " + friend, "Fname": fname, "fhe": "she" if fher else "he", "fhim": "her" if fher else "him",
         "fhis": "her" if fher else "his", "Fhe": "She" if fher else "He", "fname_a": rng.choice([f"a {friend} named {fname}", f"{fname} the {friend}"]),
         "at": where, "At_cap": where[0].upper() + where[1:], "place": "the " + noun, "thing": thing, "Thing": "The " + thing, "details_low": details,
         "details": grammar.polish(details) + ".", "trait": trait, "trait_clause": f", and {'she' if her else 'he'} was {trait}",
         "a_hero": rng.choice([f"a {hero} named {name}", f"a {hero} whose name was {name}", f"a {hero} called {name}"]),
         "a_hero_trait": f"a {simple} {hero} named {name}".replace("  ", " ")}
    parts = [grammar.sentence(rng, rng.choice(_OPENINGS), s).strip()]
    parts[0] = grammar.polish(parts[0])
    introduced, line = False, rng.randrange(2)
    for beat in PLOTS[plot]["beats"]:
        text = grammar.expand(rng, beat[line] if plot in LINKED else rng.choice(beat), s)
        if introduced:  # a second introduction would read as a second friend
            text = text.replace(s["fname_a"], fname)
        elif s["fname_a"] in text:
            introduced = True
            before, after = text.split(s["fname_a"], 1)
            text = before + s["fname_a"] + after.replace(s["fname_a"], fname)
        else:
            text, introduced = _introduce(text, fname, friend, s["his"])
        parts.append(text)
    if moral:
        lesson = grammar.expand(rng, PLOTS[plot]["moral"], s)
        s["moral"], s["moral_cap"] = lesson[0].lower() + lesson[1:], lesson
        parts.append(grammar.expand(rng, rng.choice(_MORALS), s))
    text = grammar.polish(" ".join(p for p in parts if p))
    text += rng.choice(_ENDS)
    if rng.random() < 0.35:
        text = _paragraphs(rng, parts) + rng.choice(_ENDS)
    return grammar.polish(text.strip())


def _introduce(text, fname, friend, his):
    """The first mention of the friend says both name and kind: `Fern the owl`, `her friend Fern the owl`."""
    by_name, by_kind = text.find(fname), text.lower().find("the " + friend)
    if by_name >= 0 and (by_kind < 0 or by_name < by_kind):
        return text[:by_name] + f"{fname} the {friend}" + text[by_name + len(fname) :], True
    if by_kind >= 0:
        owner = his.capitalize() if text[by_kind] == "T" else his
        return text[:by_kind] + f"{owner} friend {fname} the {friend}" + text[by_kind + len(friend) + 4 :], True
    return text, False


def _paragraphs(rng, parts):
    lines, paragraph = [], []
    for part in parts:
        if not part:
            continue
        paragraph.append(part)
        if len(paragraph) >= rng.choice([1, 2, 2]):
            lines.append(" ".join(paragraph))
            paragraph = []
    if paragraph:
        lines.append(" ".join(paragraph))
    return "\n".join(lines)


_TELL = ["tell me a story", "tell me a story", "tell a story", "tell me a short story", "can you tell me a story", "write a story", "write a short story", "I want a story", "please tell me a story",
         "I would like to hear a story", "make up a story", "could you tell me a tale", "tell me a tale", "a story", "story", "give me a story", "write me a story", "do you know a story", "let me hear a story",
         "tell us a story", "please write a short story", "tell me a bedtime story", "invent a story", "can you write a story", "one story, please, "]
_AGAIN = ["another story, please.", "another one.", "tell me another story.", "one more story?", "again, but another one.", "and another one?"]


def _end(rng, asked):
    return asked.rstrip(", ") + rng.choice([".", ".", "?" if asked.startswith(("can", "could", "do")) else ".", "!"])


def request(rng):
    """(question, what the story must have)."""
    ask = rng.choice(_TELL)
    want = {"hero": rng.choice(CREATURES)}
    kind = rng.random()
    a = "a " + want["hero"]
    if kind < 0.13:
        return _end(rng, ask), {}
    if kind < 0.36:
        asked = f"{ask} about {a}"
    elif kind < 0.62:
        want["place"] = rng.choice(PLACES)
        noun, where = want["place"][:2]
        asked = rng.choice([f"{ask} about {a} and a {noun}", f"{ask} about {a} {where}", f"{ask} about {a} who lives {where}", f"{ask} with {a} and a {noun}"])
        if noun in ("snow", "moon", "sea"):
            asked = rng.choice([f"{ask} about {a} {where}", f"{ask} about {a} and the {noun}"])
    elif kind < 0.78:
        want["friend"] = rng.choice([c for c in CREATURES if c != want["hero"]])
        asked = rng.choice([f"{ask} about {a} and a {want['friend']}", f"{ask} with {a} and a {want['friend']}", f"{ask} about the friendship of {a} and a {want['friend']}"])
    elif kind < 0.88:
        theme = rng.choice(list(THEMES))
        want = {"plot": rng.choice(THEMES[theme])}
        asked = f"{ask} about {theme}"
        if rng.random() < 0.4:
            want["hero"] = rng.choice(CREATURES)
            asked = f"{ask} about a {want['hero']} and {theme}"
    elif kind < 0.95:
        want["thing"] = rng.choice(THINGS)
        want["plot"] = rng.choice(sorted(WITH_THING))
        asked = rng.choice([f"{ask} about {a} and a {want['thing']}", f"{ask} about a {want['thing']}"])
        if a not in asked:
            del want["hero"]
    else:
        want["place"] = rng.choice(PLACES)
        asked = rng.choice([f"{ask} that happens {want['place'][1]}", f"{ask} set {want['place'][1]}", f"{ask} about the {want['place'][0]}"])
        del want["hero"]
    return _end(rng, asked), want


def exchange(rng):
    while True:
        asked, want = request(rng)
        asked = grammar.polish(asked)
        if not want or not grammar.is_held_out(asked):
            break
    turns = [(grammar.typed_by_hand(rng, asked), tell(rng, **want))]
    if rng.random() < 0.06:
        turns.append((grammar.typed_by_hand(rng, rng.choice(_AGAIN)), tell(rng)))
    return turns


def held_out(rng, count):
    found, seen = [], set()
    while len(found) < count:
        asked, want = request(rng)
        asked = grammar.polish(asked)
        if want and asked not in seen and grammar.is_held_out(asked):
            seen.add(asked)
            must = [want[k] if isinstance(want[k], str) else want[k][0] for k in ("hero", "friend", "thing", "place") if k in want]
            found.append({"kind": "story", "question": asked, "words": must})
    return found
