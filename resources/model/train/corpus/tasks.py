"""Simple instructions with certain answers: counting, spelling, small sums, lists, opposites, weekdays."""

from corpus import facts, grammar, words

_POLITE = ["", "", "", "", "", "", "please ", "hey, ", "ok, ", "now ", "quick: ", "and ", "next: "]
_TIMES = {"+": ("plus", "and"), "-": ("minus", "take away"), "*": ("times", "multiplied by"), "/": ("divided by", "over")}


def _series(names):
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _number(rng, n):
    return words.NUMBERS[n] if n < len(words.NUMBERS) and rng.random() < 0.5 else str(n)


def _sum(rng):
    kind = rng.choice("++++--**/")
    if kind == "+":
        top = rng.choice([10, 10, 10, 20, 20, 20, 50, 100])
        a, b = rng.randrange(top), rng.randrange(top)
        result = a + b
    elif kind == "-":
        top = rng.choice([10, 10, 20, 20, 20, 50, 100])
        a = rng.randrange(top)
        b = rng.randint(0, a)
        result = a - b
    elif kind == "*":
        a, b = rng.randint(0, 10), rng.randint(0, 10)
        result = a * b
    else:
        b, result = rng.randint(1, 10), rng.randint(0, 10)
        a = b * result
    if rng.random() < 0.03:  # too large: said, not guessed
        a, b, kind = rng.randint(1000, 99999), rng.randint(1000, 99999), rng.choice("+-**")
        asked = rng.choice([f"what is {a} {kind} {b}?", f"{a} {kind} {b}", f"compute {a} {_TIMES[kind][0]} {b}."])
        return asked, ["That is too large for me. I only do small sums.", "I can only do small sums, and that one is too large for me."]
    word = _TIMES[kind][0]
    spaced = rng.choice([f"{a} {kind} {b}", f"{a}{kind}{b}", f"{a} {word} {b}", f"{a} {word} {b}", f"{a} {kind} {b}"])
    if kind == "*" and rng.random() < 0.3:
        spaced = f"{a} x {b}"
    asked = rng.choice([f"what is {spaced}?", f"how much is {spaced}?", f"{spaced}", f"{spaced} = ?", f"{spaced}?", f"calculate {spaced}.",
                        f"what's {spaced}?", f"can you compute {spaced}?", f"{spaced} makes what?", f"tell me what {spaced} is."])
    if kind == "+" and rng.random() < 0.2:
        asked = rng.choice([f"add {a} and {b}.", f"what is the sum of {a} and {b}?", f"I have {a} apples and get {b} more. How many have I?"])
    if kind == "-" and rng.random() < 0.2:
        asked = rng.choice([f"take {b} away from {a}.", f"I have {a} apples and eat {b}. How many are left?", f"subtract {b} from {a}."])
    return asked, [f"{a} {word} {b} is {result}.", f"{result}."]


def _count(rng):
    high = rng.choice([3, 4, 5, 5, 6, 7, 8, 10, 10, 10, 12, 15, 20])
    low = 1 if rng.random() < 0.75 else rng.randint(0, high - 1)
    end = _number(rng, high)
    if low == 1:
        asked = rng.choice([f"count to {end}.", f"count from one to {end}.", f"count up to {end}.", f"can you count to {end}?",
                            f"please count from 1 to {end}.", f"say the numbers from one to {end}.", f"list the numbers from 1 to {high}."])
    else:
        begin = _number(rng, low)
        asked = rng.choice([f"count from {begin} to {end}.", f"please count from {begin} up to {end}.", f"say the numbers from {begin} to {end}."])
    return asked, [", ".join(str(n) for n in range(low, high + 1)) + "."]


def _count_back(rng):
    high, low = rng.choice([3, 5, 5, 6, 8, 10, 10, 10, 12, 15, 20]), rng.choice([1, 1, 1, 0])
    begin = _number(rng, high)
    asked = rng.choice([f"count backwards from {begin}.", f"count down from {begin}.", f"count backward from {begin} to one.",
                        f"can you count down from {begin}?", f"do a countdown from {begin}.", f"count from {begin} down to 1."])
    if low == 0:
        asked = rng.choice([f"count backwards from {begin} to zero.", f"count down from {begin} to 0.", f"count from {begin} down to zero."])
    return asked, [", ".join(str(n) for n in range(high, low - 1, -1)) + "."]


def _count_steps(rng):
    step = rng.choice([2, 2, 2, 3, 5, 10])
    high = step * rng.choice([4, 5, 5, 6, 10])
    name = {2: "twos", 3: "threes", 5: "fives", 10: "tens"}[step]
    asked = rng.choice([f"count by {name} to {high}.", f"count in {name} up to {high}.", f"count to {high} in steps of {step}.", f"count to {high} by {name}.", f"say every {words.ORDINALS[step - 1]} number up to {high}."])
    return asked, [", ".join(str(n) for n in range(step, high + 1, step)) + "."]


def _spell(rng):
    word = rng.choice(words.SPELLABLE)
    asked = rng.choice([f"spell {word}.", f"how do you spell {word}?", f'spell the word "{word}".', f"can you spell {word}?",
                        f"please spell {word}.", f"how is {word} spelled?", f"spell {word} for me.", f"what is the spelling of {word}?"])
    letters = "-".join(word.upper())
    return asked, [f"{letters}.", f"{word}: {letters}."]


def _letter(rng):
    word = rng.choice(words.SPELLABLE)
    kind = rng.randrange(3)
    if kind == 0:
        return f"what is the first letter of {word}?", [f"The first letter of {word} is {word[0].upper()}."]
    if kind == 1:
        return f"what is the last letter of {word}?", [f"The last letter of {word} is {word[-1].upper()}."]
    return rng.choice([f"how many letters are in {word}?", f"how many letters does {word} have?"]), [
        f"{word} has {len(word)} letters."]


def _opposite(rng):
    pairs = list(words.OPPOSITES.items())
    a, b = rng.choice(pairs)
    if rng.random() < 0.35 and sum(1 for p in pairs if p[1] == b) == 1 and b not in words.OPPOSITES:
        a, b = b, a
    asked = rng.choice([f"what is the opposite of {a}?", f"opposite of {a}?", f"the opposite of {a}, please.", f"tell me the opposite of {a}.",
                        f"give me the opposite of {a}.", f"what's the opposite of {a}?", f'name the opposite of "{a}".', f"{a} is the opposite of what?"])
    return asked, [f"The opposite of {a} is {b}.", f"{b}."]


def _plural(rng):
    one, many = rng.choice(list(words.PLURALS.items()))
    asked = rng.choice([f"what is the plural of {one}?", f"plural of {one}?", f"one {one}, two what?", f"tell me the plural of {one}.",
                        f"what's the plural of {one}?", f"how do you say more than one {one}?"])
    return asked, [f"The plural of {one} is {many}.", f"{many}."]


def _calendar(rng):
    names, noun = rng.choice([(words.WEEKDAYS, "day"), (words.WEEKDAYS, "day"), (words.MONTHS, "month")])
    at = rng.randrange(len(names))
    here, after, before = names[at], names[(at + 1) % len(names)], names[at - 1]
    kind = rng.randrange(3)
    if kind == 0:
        asked = rng.choice([f"what {noun} comes after {here}?", f"which {noun} follows {here}?", f"what is the {noun} after {here}?",
                            f"what comes after {here}?", f"which {noun} is after {here}?"])
        return asked, [f"After {here} comes {after}.", f"{after}."]
    if kind == 1:
        asked = rng.choice([f"what {noun} comes before {here}?", f"which {noun} is before {here}?", f"what is the {noun} before {here}?",
                            f"what comes before {here}?"])
        return asked, [f"Before {here} comes {before}.", f"{before}."]
    if noun == "day":
        asked = rng.choice([f"if today is {here}, what day is tomorrow?", f"today is {here}. What day is tomorrow?"])
        if rng.random() < 0.4:
            asked = rng.choice([f"if today is {here}, what day was yesterday?", f"today is {here}. What day was yesterday?"])
            return asked, [f"If today is {here}, yesterday was {before}."]
        return asked, [f"If today is {here}, tomorrow is {after}."]
    number = words.ORDINALS[at]
    return rng.choice([f"what is the {number} month of the year?", f"which month is the {number}?"]), [f"The {number} month is {here}."]


def _facts(rng):
    kind = rng.randrange(9)
    if kind == 0:
        thing, colour = rng.choice(list(words.COLOUR_OF.items()))
        return rng.choice([f"what colour is {thing}?", f"what color is {thing}?", f"which colour has {thing}?", f"tell me the colour of {thing}."]), [
            f"{thing} is {colour}.", f"{colour}."]
    if kind == 1:
        animal, sound = rng.choice(list(words.SOUNDS.items()))
        return rng.choice([f"what sound does a {animal} make?", f"what does a {animal} say?", f"how does a {animal} sound?"]), [f"A {animal} says {sound}."]
    if kind == 2:
        animal, legs = rng.choice(list(words.LEGS.items()))
        count = words.NUMBERS[legs] if legs else "no"
        return rng.choice([f"how many legs does a {animal} have?", f"how many legs has a {animal}?"]), [f"A {animal} has {count} legs."]
    if kind == 3:
        animal, young = rng.choice(list(words.YOUNG.items()))
        return rng.choice([f"what is a young {animal} called?", f"what is a baby {animal} called?", f"what do you call a young {animal}?"]), [
            f"A young {animal} is called a {young}."]
    if kind == 4:
        return rng.choice([
            ("how many days are in a week?", ["There are seven days in a week."]), ("how many months are in a year?", ["There are twelve months in a year."]),
            ("how many hours are in a day?", ["There are twenty-four hours in a day."]), ("how many minutes are in an hour?", ["There are sixty minutes in an hour."]),
            ("how many seconds are in a minute?", ["There are sixty seconds in a minute."]), ("how many seasons are there?", ["There are four seasons: spring, summer, autumn and winter."]),
            ("how many letters are in the alphabet?", ["There are twenty-six letters in the English alphabet."]),
            ("how many days are in a year?", ["There are 365 days in a year, and 366 in a leap year."]),
            ("how many bits are in a byte?", ["There are eight bits in a byte."]), ("how many bytes are in a kilobyte?", ["There are 1000 bytes in a kilobyte, and 1024 in a kibibyte."]),
            ("how many sides does a triangle have?", ["A triangle has three sides."]), ("how many sides does a square have?", ["A square has four sides."]),
            ("how many wheels does a car have?", ["A car has four wheels."]), ("how many wheels does a bicycle have?", ["A bicycle has two wheels."])])
    if kind == 5:
        a, b = rng.sample(range(1, 100), 2)
        if rng.random() < 0.5:
            return rng.choice([f"which is bigger, {a} or {b}?", f"what is larger: {a} or {b}?", f"is {a} or {b} the larger number?"]), [f"{max(a, b)} is bigger than {min(a, b)}."]
        return rng.choice([f"which is smaller, {a} or {b}?", f"what is smaller: {a} or {b}?"]), [f"{min(a, b)} is smaller than {max(a, b)}."]
    if kind == 6:
        n = rng.randrange(100)
        return rng.choice([f"is {n} even or odd?", f"is {n} odd or even?", f"is {n} an even number?"]), [f"{n} is {'odd' if n % 2 else 'even'}."]
    if kind == 7:
        n = rng.randint(0, 99)
        if rng.random() < 0.5:
            return rng.choice([f"what number comes after {n}?", f"what comes after {n}?", f"what is the next number after {n}?"]), [f"After {n} comes {n + 1}."]
        return rng.choice([f"what number comes before {n + 1}?", f"what comes before {n + 1}?"]), [f"Before {n + 1} comes {n}."]
    return rng.choice([
        ("say the alphabet.", ["A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z."]),
        ("can you say the alphabet?", ["A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z."]),
        ("name the days of the week.", [f"The days of the week are {_series(words.WEEKDAYS)}."]), ("list the weekdays.", [f"The days of the week are {_series(words.WEEKDAYS)}."]),
        ("name the months of the year.", [f"The months of the year are {_series(words.MONTHS)}."]), ("list the months.", [f"The months of the year are {_series(words.MONTHS)}."]),
        ("name the four seasons.", ["The four seasons are spring, summer, autumn and winter."]), ("what are the seasons?", ["The four seasons are spring, summer, autumn and winter."])])


def _listing(rng):
    """Lists have no one right answer; only the training uses them."""
    name = rng.choice(list(words.CATEGORIES))
    many = rng.choice([2, 3, 3, 3, 3, 4, 5])
    chosen = rng.sample(words.CATEGORIES[name], many)
    if name not in words.NO_ARTICLE:
        chosen = ["a " + item for item in chosen]
    count = _number(rng, many) if rng.random() < 0.3 else words.NUMBERS[many]
    asked = rng.choice([f"list {count} {name}.", f"name {count} {name}.", f"give me {count} {name}.", f"can you name {count} {name}?",
                        f"tell me {count} {name}.", f"{count} {name}, please.", f"please list {count} {name}.", f"I need {count} {name}.",
                        f"what are {count} {name}?", f"write down {count} {name}."])
    said = _series(chosen)
    return asked, [rng.choice([f"Here are {words.NUMBERS[many]} {name}: {said}.", f"{said}."])]


def _repeat(rng):
    text = rng.choice([
        _series(rng.sample(words.ANIMALS, rng.randint(1, 3))), " ".join(rng.sample(words.SPELLABLE, rng.randint(1, 4))),
        grammar.expand(rng, "[the|a] [red|blue|small|old|quiet|happy] [" + "|".join(words.ANIMALS) + "] [sleeps|sings|runs away|eats bread|is here]"),
        grammar.expand(rng, "[good morning|hello world|tokens are numbers|blocks are pages|one step at a time|thank you|all is well|practice makes perfect]")])
    asked = rng.choice([f"repeat after me: {text}", f"say: {text}", f'say "{text}".', f"repeat: {text}", f'please repeat "{text}".', f'write "{text}".'])
    return asked, [text[:1].upper() + text[1:] + "."]


def _choose(rng):
    group = rng.choice(["animals", "fruits", "vegetables", "tools", "vehicles", "colours", "jobs", "flowers", "clothes", "months"])
    other = rng.choice([g for g in ["animals", "fruits", "vehicles", "tools", "furniture"] if g != group])
    item = rng.choice([i for i in words.CATEGORIES[group] if i not in facts.UNSURE])
    singular = {"clothes": "piece of clothing"}.get(group, group[:-1])
    if rng.random() < 0.5:
        thing = item if group in words.NO_ARTICLE else "a " + item
        return grammar.polish(f"is {thing} a {singular}?"), [f"Yes, {thing} is a {singular}."]
    wrong = {"animals": "animal", "fruits": "fruit", "vehicles": "vehicle", "tools": "tool", "furniture": "piece of furniture"}[other]
    thing = item if group in words.NO_ARTICLE else "a " + item
    return grammar.polish(f"is {thing} a {wrong}?"), [f"No, {thing} is a {singular}."]


_CERTAIN = [(_sum, 6), (_count, 4), (_count_back, 3), (_count_steps, 1), (_spell, 4), (_letter, 2), (_opposite, 4), (_plural, 3),
            (_calendar, 4), (_facts, 6), (_choose, 2), (_repeat, 3)] + facts.CERTAIN
_ALL = _CERTAIN + [(_listing, 8)] + facts.OPEN


def _draw(rng, makers):
    maker = rng.choices([m for m, _ in makers], [w for _, w in makers])[0]
    question, answers = maker(rng)
    return maker, grammar.polish(question), [grammar.polish(a) for a in answers]


def exchange(rng):
    while True:
        maker, question, answers = _draw(rng, _ALL)
        if not grammar.is_held_out(question):
            break
    turns = [(_typed(rng, maker, question), rng.choice(answers[:1] * 2 + answers))]
    if maker is _listing and rng.random() < 0.2:
        name, chosen = next((n, c) for n, c in words.CATEGORIES.items() if n in question)
        left = [item for item in chosen if item not in turns[0][1]]
        if len(left) >= 2:
            more = rng.sample(left, min(3, len(left)))
            more = more if name in words.NO_ARTICLE else ["a " + item for item in more]
            turns.append((rng.choice(["more, please.", "some more?", "and more?", "a few others?"]), grammar.polish(_series(more) + ".")))
    return turns


def _typed(rng, maker, question):
    if maker in (_repeat, _spell, _letter) + facts.EXACT:
        return question  # the words are the matter: no slips in them
    question = rng.choice(_POLITE) + question[0].lower() + question[1:] if rng.random() < 0.2 and question[0].isalpha() else question
    if maker not in (_opposite, _plural) and rng.random() < 0.15:  # there the word itself is asked for
        question = grammar.reworded(rng, question)
    return grammar.typed_by_hand(rng, question)


def held_out(rng, count):
    found, seen = [], set()
    while len(found) < count:
        _, question, answers = _draw(rng, _CERTAIN)
        if grammar.is_held_out(question) and question not in seen:
            seen.add(question)
            found.append({"kind": "task", "question": question, "right": answers})
    return found
