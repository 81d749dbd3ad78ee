"""One story: a plot (plots*.txt) with a hero, a friend, a place and a thing, told in full or in a few sentences."""

import pathlib

from corpus import cast, grammar

# An adjective before the noun, or a clause about it.
_TRAITS = [("curious", "very curious"), ("shy", "rather shy"), ("clever", "clever and quick"), ("brave", "brave"), ("cheerful", "always cheerful"), ("kind", "kind and gentle"),
           ("proud", "a little proud"), ("stubborn", "as stubborn as a stone"), ("dreamy", "full of dreams"), ("careful", "very careful"), ("impatient", "impatient"),
           ("busy", "busy from morning till night"), ("lonely", "often alone"), ("merry", "full of songs"), ("young", "young"), ("quiet", "quiet")]
_OPENINGS = ["[Once upon a time|Long ago|Once|Many years ago], {a_hero} lived {at}. {details} {Name} was {trait}. ",
             "[Once upon a time|Once|Long ago] there was {a_quick_hero} who lived {at}. {details} ",
             "{At}, {details_low}. There lived {a_hero}. {He} was {trait}. ",
             "There was once {a_quick_hero}. {He} lived {at}, where {details_low}. ",
             "[One day, long ago, there was|This is the story of] {a_quick_hero} who lived {at}. {details} ",
             "{a_quick_hero} lived {at}. {details} "]
_SHORT = ["Once there was {a_quick_hero} {at}. ", "{a_quick_hero} lived {at}. ", "Once upon a time, {a_hero} lived {at}. ", "{At} there lived {a_quick_hero}. "]
_MORALS = ["[And so|And that is how] {Name} learned [something|a thing] {he} never forgot: {moral}.", "{Moral}.", "[They say|The old ones say] {at}: {moral}.", ""]
_ENDS = ["", "", "", " The end.", " And that is the end of the story."]


def _load(pattern):
    """{name: {"beats": [[line, line], ...], "morals": text, "themes": [...], "kinds": text}}"""
    plots, name = {}, None
    for path in sorted(pathlib.Path(__file__).parent.glob(pattern)):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("== "):
                name, themes, kinds = (line[3:].split(";") + ["", ""])[:3]
                plots[name] = {"beats": [[]], "morals": "", "themes": [t.strip() for t in themes.split(",")], "kinds": kinds.strip() or "lwis"}
            elif line.startswith("! "):
                plots[name]["morals"] = line[2:].rstrip(".")
            elif line and not line.startswith("#"):
                plots[name]["beats"][-1].append(line)
            elif name and plots[name]["beats"][-1]:
                plots[name]["beats"].append([])
    for plot in plots.values():
        plot["beats"] = [beat for beat in plot["beats"] if beat]
    return plots


PLOTS = _load("plots*.txt")
SHORTS = {name: plot["beats"][0] for name, plot in _load("shorts.txt").items()}
# (plot, which of its two stories) where the thing has a part
WITH_THING = [(name, line) for name, plot in PLOTS.items() for line in (0, 1)
              if any("{thing}" in beat[line] for beat in plot["beats"]) and "{thing}" in SHORTS[name][line]]
for _name, _plot in PLOTS.items():
    assert all(len(beat) == 2 for beat in _plot["beats"]) and len(SHORTS[_name]) == 2, _name


def gender(rng, kind, name=None):
    """Whether this one is a she."""
    if name:
        return name in cast.SHE
    noun = kind.split(" ")[-1] if kind not in cast.HER | cast.HIM else kind
    return noun in cast.HER or (noun not in cast.HIM and rng.random() < 0.5)


class Tale:
    """What is not asked for is chosen. One of the two is a she and the other a he unless the request forbids it."""

    def __init__(self, rng, plot=None, line=None, hero=None, name=None, friend=None, friend_name=None, place=None, thing=None):
        self.hero = hero or rng.choice([c for c in cast.CREATURES if not place or c != place[1]])
        self.she = gender(rng, self.hero, name)
        self.name = name or rng.choice(cast.HEROES_HER if self.she else cast.HEROES_HIM)
        kinds = [c for c in cast.CREATURES if c not in self.hero and self.hero not in c and c != thing and c not in (cast.HER if not self.she else cast.HIM) | {self.hero}]
        kinds = [c for c in kinds if c not in (cast.HIM if not self.she else cast.HER)]
        self.friend = friend or rng.choice(kinds)
        self.friend_she = friend_name in cast.SHE if friend_name else not self.she
        if friend and not friend_name and friend.split(" ")[-1] in cast.HER | cast.HIM or friend in cast.HER | cast.HIM:
            self.friend_she = gender(rng, friend, friend_name)
        names = [n for n in (cast.FRIENDS_HER if self.friend_she else cast.FRIENDS_HIM) if n[0] != self.name[0]]
        self.friend_name = friend_name or rng.choice(names)
        self.thing = thing or rng.choice([t for t in cast.THINGS if t not in (self.hero, self.friend)])
        self._choose_plot(rng, plot, line, place, bool(thing))
        self._fill(rng)

    def _choose_plot(self, rng, plot, line, place, has_thing):
        choices = [(n, at) for n in PLOTS for at in (0, 1)]
        if plot:
            choices = [c for c in choices if c[0] == plot]
        if has_thing:
            choices = [c for c in choices if c in WITH_THING] or choices
        if line is not None:
            choices = [c for c in choices if c[1] == line] or choices
        if place:
            choices = [c for c in choices if place[0] in PLOTS[c[0]]["kinds"]] or choices
        self.plot, self.line = rng.choice(choices)
        self.place = place or rng.choice([p for p in cast.PLACES if p[0] in PLOTS[self.plot]["kinds"] and p[1] not in (self.hero, self.friend)])
        self.moral = grammar.expand(rng, PLOTS[self.plot]["morals"])

    def _fill(self, rng):
        _, noun, where, details = self.place
        self.where, details = where, grammar.expand(rng, details)
        hero, friend, name, other = self.hero, self.friend, self.name, self.friend_name
        adjective, trait = rng.choice(_TRAITS)
        quick = hero if " " in hero or adjective in ("young",) and hero.startswith("old") else f"{adjective} {hero}"
        he, him, his = ("she", "her", "her") if self.she else ("he", "him", "his")
        fhe, fhim, fhis = ("she", "her", "her") if self.friend_she else ("he", "him", "his")
        if self.she == self.friend_she:  # the pronoun would not say which of the two
            fhe, fhim, fhis = other, other, other + "'s"
        introduced = rng.choice([f"a {friend} named {other}", f"a {friend} called {other}", f"{other} the {friend}"])
        self.slots = {
            "Name": name, "he": he, "him": him, "his": his, "He": he.capitalize(), "His": his.capitalize(), "himself": "herself" if self.she else "himself",
            "friend": "the " + friend, "Friend": "The " + friend, "Fname": other, "fhe": fhe, "fhim": fhim, "fhis": fhis, "Fhe": fhe[0].upper() + fhe[1:],
            "fself": "herself" if self.friend_she else "himself", "fname_a": introduced, "Fname_a": introduced[0].upper() + introduced[1:],
            "fname_k": f"{other} the {friend}", "at": where, "At": where[0].upper() + where[1:], "place": noun[1:] if noun[0] == "=" else "the " + noun,
            "thing": self.thing, "Thing": "The " + self.thing, "details_low": details, "details": grammar.polish(details) + ".", "trait": trait,
            "a_hero": rng.choice([f"a {hero} named {name}", f"a {hero} whose name was {name}", f"a {hero} called {name}"]),
            "a_quick_hero": f"a {quick} named {name}", "moral": self.moral[0].lower() + self.moral[1:], "Moral": self.moral}

    def told(self, rng, moral=True):
        parts = [grammar.expand(rng, rng.choice(_OPENINGS), self.slots).strip()]
        met = False
        for beat in PLOTS[self.plot]["beats"]:
            line = beat[self.line]
            if met:  # said once who the friend is
                line = line.replace("{fname_a}", "{Fname}").replace("{Fname_a}", "{Fname}").replace("{fname_k}", "{Fname}")
            met = met or "name_a}" in line or "{fname_k}" in line
            parts.append(grammar.expand(rng, line, self.slots))
        if moral:
            parts.append(grammar.expand(rng, rng.choice(_MORALS), self.slots))
        parts = [part for part in parts if part]
        text = " ".join(parts) if rng.random() < 0.6 else "\n".join(" ".join(parts[at : at + 2]) for at in range(0, len(parts), 2))
        return grammar.polish(text) + rng.choice(_ENDS)

    def short(self, rng, sentences=None):
        """In three sentences, or four or five."""
        line, extra = SHORTS[self.plot][self.line], sentences or rng.choice([3, 3, 4, 5])
        text = rng.choice(_SHORT) + ("{details} " if extra > 4 else "") + self._named_at_once(line)
        if extra > 3:
            text += " {Moral}."
        return grammar.polish(grammar.expand(rng, text, self.slots))

    def _named_at_once(self, line):
        """The hero is called by name in the sentence after the first."""
        for pronoun, name in (("{He}", "{Name}"), (" {his} {thing} ", " {Name}'s {thing} "), (" {his} birthday", " {Name}'s birthday")):
            if pronoun in line.split(". ")[0]:
                return line.replace(pronoun, name, 1)
        return line.replace("{he}", "{Name}", 1) if "{he}" in line.split(". ")[0] else line.replace("{him}", "{Name}", 1)
