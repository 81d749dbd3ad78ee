"""Simple instructions about everyday things: comparing, sorting, odd ones out, rhymes, yes or no. Each maker gives (question, right answers)."""

from corpus import grammar, words

# From the smallest to the largest, the slowest to the fastest, the lightest to the heaviest; neighbours lie far apart.
_ORDERS = [("bigger", "smaller", words._list("a grain of sand, a pea, a cherry, an apple, a football, a dog, a cow, an elephant, a house, a mountain, the moon, the sun")),
           ("bigger", "smaller", words._list("an ant, a bee, a mouse, a cat, a sheep, a horse, an elephant, a whale")),
           ("bigger", "smaller", words._list("a button, a cup, a bucket, a bathtub, a swimming pool, a lake, an ocean")),
           ("faster", "slower", words._list("a snail, a turtle, a person on foot, a bicycle, a car, a plane, a rocket")),
           ("heavier", "lighter", words._list("a feather, a pencil, a book, a chair, a piano, a car, a train")),
           ("hotter", "colder", words._list("ice, cool water, warm tea, boiling water, fire, the sun")),
           ("longer", "shorter", words._list("a second, a minute, an hour, a day, a week, a month, a year, a century")),
           ("bigger", "smaller", words._list("a bit, a byte, a kilobyte, a megabyte, a gigabyte, a terabyte"))]
_RHYMES = [group.split() for group in """cat hat bat mat rat|tree bee sea key knee|house mouse|moon spoon soon noon|night light kite right bright|day play say way grey|star car far jar|snow go slow know toe
|rain train plane lane|ring king sing wing thing|book cook look hook|bed red head bread|sun run fun one bun|ball wall tall fall small|cake lake snake make|dog frog log fog|fish dish wish|boat goat coat note
|bear chair hair pear|door floor four more|nose rose toes hose|hand sand land band|rock clock sock lock|ten pen hen men|sky fly pie high why|wall call hall|token spoken broken|cold gold old told|deep sleep sheep keep
|fox box socks rocks|late gate plate wait eight|wind grinned|green queen seen bean|shell bell well tell|top stop drop hop|hill mill will still|word bird heard""".replace("\n", "").split("|") if group != "wind grinned"]
_YES = words._list("""ice/cold, fire/hot, snow/white, grass/green, sugar/sweet, a lemon/sour, stone/hard, wool/soft, water/wet, a feather/light, the sun/bright, an elephant/big, a mouse/small, night/dark, coal/black, honey/sweet,
glass/hard, an ant/small, a giraffe/tall, a turtle/slow, milk/white, a desert/dry, winter/cold""")
_NO = words._list("""ice/hot, fire/cold, snow/black, sugar/sour, stone/soft, water/dry, a feather/heavy, an elephant/small, a mouse/big, a turtle/fast, coal/white, a giraffe/short, wool/hard, honey/sour""")
_CAN = words._list("""fish/swim/yes, birds/fly/yes, stones/swim/no, cars/sing/no, horses/run/yes, tables/walk/no, dogs/bark/yes, cats/fly/no, fish/walk/no, frogs/jump/yes, trees/run/no, children/learn/yes, snakes/walk/no, bees/fly/yes,
cows/read/no, chairs/speak/no, ducks/swim/yes, babies/cry/yes, houses/jump/no, elephants/fly/no""")
_RIDDLED = [line.split("/") for line in """what do bees make?/Bees make honey.
what do hens lay?/Hens lay eggs.
which animal gives us wool?/Sheep give us wool.
which animal gives us milk?/Cows give us milk.
what do you wear on your feet?/You wear shoes and socks on your feet.
what do you wear on your head?/You wear a hat or a cap on your head.
what do you wear on your hands?/You wear gloves on your hands.
what do you need to cut paper?/You need scissors to cut paper.
what do you write with?/You write with a pen or a pencil.
what do you read?/You read books, letters and newspapers.
what do you sleep in?/You sleep in a bed.
what do you sit on?/You sit on a chair, a bench or a sofa.
what do you see with?/You see with your eyes.
what do you hear with?/You hear with your ears.
what do you smell with?/You smell with your nose.
what do you need when it rains?/When it rains, you need an umbrella.
what do you drink from?/You drink from a cup or a glass.
what do you eat soup with?/You eat soup with a spoon.
what shows you the time?/A clock shows you the time.
what do you use to open a lock?/You open a lock with a key.
what is ice made of?/Ice is made of water.
what is a book made of?/A book is made of paper.
what comes from the sky when it is very cold?/Snow comes from the sky when it is very cold.
what does a baker make?/A baker makes bread.
what does a tailor make?/A tailor makes clothes.
who flies a plane?/A pilot flies a plane.
who teaches children?/A teacher teaches children.
who grows food on a farm?/A farmer grows food on a farm.
who brings the letters?/The postman brings the letters.
which season comes after winter?/After winter comes spring.
which season comes after summer?/After summer comes autumn.
which season comes before winter?/Before winter comes autumn.
which season is the coldest?/Winter is the coldest season.
which season is the warmest?/Summer is the warmest season.
what is the shortest month?/February is the shortest month.
what is the first day of the week?/Monday is the first day of the week.
how many days are in a weekend?/There are two days in a weekend: Saturday and Sunday.
how many fingers do you have on one hand?/One hand has five fingers.
how many is a dozen?/A dozen is twelve.
how many is a pair?/A pair is two.
how many corners does a square have?/A square has four corners.
how many letters does the word cat have?/cat has 3 letters.
what colour do you get from blue and yellow?/Blue and yellow make green.
what colour do you get from red and yellow?/Red and yellow make orange.
what colour do you get from red and blue?/Red and blue make purple.
what colour do you get from black and white?/Black and white make grey.
what colour is a traffic light when you must stop?/It is red when you must stop.""".splitlines()]
_SINGULAR = {"animals": "an animal", "colours": "a colour", "fruits": "a fruit", "vegetables": "a vegetable", "tools": "a tool", "vehicles": "a vehicle", "jobs": "a job", "flowers": "a flower",
             "trees": "a tree", "musical instruments": "a musical instrument", "months": "a month", "weekdays": "a weekday", "metals": "a metal", "shapes": "a shape", "drinks": "a drink", "birds": "a bird"}
# Words of one kind that could be taken for another; never asked about.
UNSURE = {"orange", "violet", "rose", "iris", "gold", "silver", "lead", "tomato", "pepper", "cucumber", "pumpkin", "pea", "bean", "file", "star", "plum", "cherry", "ash", "lily", "daisy", "poppy", "lime", "peach",
          "pink", "kiwi", "back", "soup", "milk", "olive", "tin", "ruler", "iron", "cook", "May", "March", "August", "kid", "leek", "turkey", "bluebell"}


def _thing(name, item):
    return item if name in words.NO_ARTICLE or name in ("weekdays", "months") else "a " + item


def compare(rng):
    more, less, order = rng.choice(_ORDERS)
    low, high = sorted(rng.sample(range(len(order)), 2))
    small, large = order[low], order[high]
    a, b = rng.sample([small, large], 2)
    word, winner, loser = (more, large, small) if rng.random() < 0.6 else (less, small, large)
    superlative = {"bigger": "biggest", "smaller": "smallest", "faster": "fastest", "slower": "slowest", "heavier": "heaviest", "lighter": "lightest", "hotter": "hottest", "colder": "coldest", "longer": "longest",
                   "shorter": "shortest"}[word]
    if rng.random() < 0.3:
        yes = (a == winner)
        return f"is {a} {word} than {b}?", [f"{'Yes' if yes else 'No'}, {winner} is {word} than {loser}."]
    asked = rng.choice([f"which is {word}, {a} or {b}?", f"what is {word}: {a} or {b}?", f"which one is {word}, {a} or {b}?", f"{a} or {b}: which is {word}?", f"which is the {superlative}, {a} or {b}?"])
    return asked, [f"{winner} is {word} than {loser}."]


def sort(rng):
    if rng.random() < 0.4:
        numbers = rng.sample(range(1, 30), rng.choice([3, 3, 4]))
        down = rng.random() < 0.3
        said = ", ".join(map(str, sorted(numbers, reverse=down)))
        how = rng.choice(["from large to small", "in descending order"]) if down else rng.choice(["", "from small to large", "in ascending order", "by size"])
        return " ".join(f"{rng.choice(['sort', 'order', 'arrange'])} these numbers {how}".split()) + ": " + ", ".join(map(str, numbers)), [f"{said}."]
    pool = [w for w in words.ANIMALS + words.FRUITS + words.COLOURS + words.TREES if " " not in w]
    chosen = []
    while len(chosen) < rng.choice([2, 3, 3]):
        word = rng.choice(pool)
        if word[0] not in [c[0] for c in chosen]:  # the first letter decides
            chosen.append(word)
    asked = rng.choice(["sort these words alphabetically: ", "put these words in alphabetical order: ", "sort alphabetically: ", "order by the alphabet: "]) + ", ".join(chosen)
    return asked, [", ".join(sorted(chosen)) + "."]


def odd_one(rng):
    name = rng.choice([n for n in _SINGULAR if n not in ("birds", "drinks")])
    other = rng.choice([n for n in _SINGULAR if n not in (name, "birds", "drinks", "trees" if name == "fruits" else name, "fruits" if name == "trees" else name)])
    kept = rng.sample([i for i in words.CATEGORIES[name] if i not in UNSURE], 2)
    stranger = rng.choice([i for i in words.CATEGORIES[other] if i not in UNSURE and i not in words.CATEGORIES[name]])
    items = rng.sample(kept + [stranger], 3)
    asked = rng.choice([f"which one is not {_SINGULAR[name]}: {items[0]}, {items[1]} or {items[2]}?", f"which of these is not {_SINGULAR[name]}: {', '.join(items)}?", f"find the odd one out: {', '.join(items)}"])
    return asked, [f"{stranger[0].upper() + stranger[1:]} is not {_SINGULAR[name]}."]


def what_kind(rng):
    name = rng.choice(["animals", "fruits", "vegetables", "tools", "vehicles", "colours", "jobs", "flowers", "trees", "musical instruments"])
    item = rng.choice([i for i in words.CATEGORIES[name] if i not in UNSURE])
    thing = _thing(name, item)
    return rng.choice([f"what kind of thing is {thing}?", f"what sort of thing is {thing}?", f"to which group does {thing} belong?"]), [f"{thing} is {_SINGULAR[name]}."]


def yes_no(rng):
    if rng.random() < 0.4:
        who, verb, answer = rng.choice(_CAN).split("/")
        return f"can {who} {verb}?", [f"Yes, {who} can {verb}." if answer == "yes" else f"No, {who} can't {verb}."]
    if rng.random() < 0.5:
        thing, quality = rng.choice(_YES).split("/")
        return f"is {thing} {quality}?", [f"Yes, {thing} is {quality}."]
    thing, quality = rng.choice(_NO).split("/")
    return f"is {thing} {quality}?", [f"No, {thing} is not {quality}."]


def riddled(rng):
    asked, answer = rng.choice(_RIDDLED)
    return asked, [answer]


def half_and_double(rng):
    n, kind = rng.randint(1, 10), rng.randrange(4)
    if kind == 0:
        return rng.choice([f"what is double {n}?", f"what is twice {n}?", f"double {n}?"]), [f"Double {n} is {2 * n}."]
    if kind == 1:
        return rng.choice([f"what is half of {2 * n}?", f"half of {2 * n}?"]), [f"Half of {2 * n} is {n}."]
    if kind == 2:
        return rng.choice([f"what number is between {n} and {n + 2}?", f"which number lies between {n} and {n + 2}?"]), [f"Between {n} and {n + 2} is {n + 1}."]
    n = rng.randint(0, 20)
    if rng.random() < 0.5:
        return rng.choice([f"write {n} as a word.", f"write the number {n} in letters.", f"how do you write {n} in words?"]), [f"{words.NUMBERS[n]}."]
    return rng.choice([f"write {words.NUMBERS[n]} as a number.", f"write {words.NUMBERS[n]} in digits."]), [f"{n}."]


def letters(rng):
    at, kind = rng.randrange(1, 25), rng.randrange(3)
    here = chr(65 + at)
    if kind == 0:
        return rng.choice([f"what letter comes after {here}?", f"which letter follows {here}?"]), [f"After {here} comes {chr(66 + at)}."]
    if kind == 1:
        return rng.choice([f"what letter comes before {here}?", f"which letter is before {here}?"]), [f"Before {here} comes {chr(64 + at)}."]
    word = rng.choice([w for w in words.SPELLABLE if 3 <= len(w) <= 6])
    letter = rng.choice([rng.choice(word.lower()), rng.choice("abcdefghijklmnopqrstuvwyz")])
    inside = letter in word.lower()
    return f"is there a letter {letter.upper()} in {word}?", [f"{'Yes' if inside else 'No'}, there is {'a' if inside else 'no'} letter {letter.upper()} in {word}."]


def of_a_list(rng):
    items = rng.sample([w for w in words.ANIMALS + words.FRUITS if " " not in w], 3)
    said, kind = ", ".join(items), rng.randrange(4)
    if kind == 0:
        return rng.choice([f"what is the first word: {said}?", f"which comes first: {said}?"]), [f"The first word is {items[0]}."]
    if kind == 1:
        return rng.choice([f"what is the last word: {said}?", f"which comes last: {said}?"]), [f"The last word is {items[2]}."]
    if kind == 2:
        return rng.choice([f"say this backwards: {said}", f"reverse this list: {said}"]), [", ".join(reversed(items)) + "."]
    many = rng.randint(2, 5)
    text = " ".join(rng.sample([w for w in words.SPELLABLE if " " not in w], many))
    return rng.choice([f"how many words are in: {text}?", f"count the words: {text}"]), [f"There are {words.NUMBERS[many]} words."]


def rhyme(rng):
    group = rng.choice(_RHYMES)
    word = rng.choice(group)
    other = rng.choice([w for w in group if w != word])
    return rng.choice([f"what rhymes with {word}?", f"find a rhyme for {word}.", f"give me a word that rhymes with {word}.", f"a rhyme for {word}?", f"name a word that rhymes with {word}."]), [
        f"{word} rhymes with {other}.", f"{other}."]


def name_one(rng):
    name = rng.choice(list(_SINGULAR))
    thing = _thing(name, rng.choice([i for i in words.CATEGORIES[name] if i not in UNSURE]))
    one = _SINGULAR[name]
    return rng.choice([f"name {one}.", f"name {one}, please.", f"give me {one}.", f"can you name {one}?", f"tell me {one}.", f"{one}?", f"think of {one}.", f"say the name of {one}."]), [f"{thing}.", f"{thing} is {one}."]


def name_one_with(rng):
    """One more condition: the first letter."""
    name = rng.choice(["animals", "fruits", "colours", "jobs", "trees", "flowers", "vegetables"])
    item = rng.choice([i for i in words.CATEGORIES[name] if i not in UNSURE])
    asked = rng.choice([f"name {_SINGULAR[name]} that begins with {item[0].upper()}.", f"give me {_SINGULAR[name]} that starts with {item[0].upper()}.", f"which {_SINGULAR[name].split(' ', 1)[1]} starts with {item[0].upper()}?"])
    return asked, [f"{_thing(name, item)}."]


CERTAIN = [(compare, 4), (sort, 2), (odd_one, 2), (what_kind, 1), (yes_no, 3), (riddled, 4), (half_and_double, 2), (letters, 2), (of_a_list, 2)]
OPEN = [(rhyme, 2), (name_one, 3), (name_one_with, 2)]
EXACT = (letters, of_a_list, sort, rhyme)  # the words are the matter: no slips in them
