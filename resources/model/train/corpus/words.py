"""Word lists for the small tasks and for questions outside the model's knowledge."""


def _list(text):
    return [word.strip() for word in text.replace("\n", " ").split(",") if word.strip()]


ANIMALS = _list("""cat, dog, horse, cow, pig, sheep, goat, fox, wolf, bear, lion, tiger, elephant, giraffe, zebra, monkey,
rabbit, mouse, squirrel, hedgehog, badger, otter, beaver, deer, frog, toad, snake, turtle, lizard, owl, eagle, sparrow, robin,
duck, goose, swan, hen, parrot, penguin, crow, whale, dolphin, seal, shark, crab, snail, bee, ant, spider, butterfly, camel,
donkey, kangaroo, bat, mole, raven, stork, salmon, trout, beetle""")
COLOURS = _list("red, blue, green, yellow, orange, purple, pink, brown, black, white, grey, violet, gold, silver")
FRUITS = _list("""apple, pear, plum, cherry, peach, grape, lemon, orange, banana, strawberry, raspberry, melon, fig, mango,
apricot, blueberry, kiwi, pineapple, lime, blackberry""")
VEGETABLES = _list("carrot, potato, onion, cabbage, pea, bean, tomato, cucumber, turnip, pumpkin, leek, radish, beetroot, pepper, aubergine")
WEEKDAYS = _list("Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday")
MONTHS = _list("January, February, March, April, May, June, July, August, September, October, November, December")
SEASONS = _list("spring, summer, autumn, winter")
TOOLS = _list("hammer, saw, drill, screwdriver, spanner, pair of pliers, file, chisel, axe, ruler")
CLOTHES = _list("shirt, coat, hat, scarf, sock, shoe, glove, dress, jacket, belt, jumper, skirt, cap, boot")
INSTRUMENTS = _list("piano, violin, guitar, flute, drum, trumpet, harp, cello, organ, clarinet")
FURNITURE = _list("table, chair, bed, sofa, desk, shelf, cupboard, stool, bench, wardrobe")
VEHICLES = _list("car, bus, train, bicycle, boat, ship, lorry, tram, plane, motorbike, ferry, van")
JOBS = _list("""teacher, baker, farmer, nurse, doctor, carpenter, painter, gardener, sailor, pilot, cook, tailor, plumber,
musician, librarian, engineer, postman, shepherd""")
DRINKS = _list("water, tea, coffee, milk, juice, lemonade, cocoa, beer, wine")
BODY = _list("head, hand, foot, arm, leg, nose, ear, eye, mouth, finger, knee, shoulder, elbow, back")
SHAPES = _list("circle, square, triangle, rectangle, oval, star, hexagon, diamond")
TREES = _list("oak, birch, pine, willow, maple, beech, elm, ash, cedar, poplar")
FLOWERS = _list("rose, tulip, daisy, lily, poppy, violet, daffodil, iris, sunflower, orchid, bluebell")
WEATHER = _list("rain, snow, wind, sunshine, fog, hail, thunder, frost")
ROOMS = _list("kitchen, bedroom, bathroom, living room, cellar, attic, hall, study")
METALS = _list("iron, copper, gold, silver, tin, lead, zinc, steel, aluminium")
NUMBERS = _list("""zero, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen, fifteen,
sixteen, seventeen, eighteen, nineteen, twenty""")

ORDINALS = _list("first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh, twelfth")

CATEGORIES = {
    "animals": ANIMALS, "colours": COLOURS, "fruits": FRUITS, "vegetables": VEGETABLES, "weekdays": WEEKDAYS, "months": MONTHS,
    "tools": TOOLS, "clothes": CLOTHES, "musical instruments": INSTRUMENTS, "pieces of furniture": FURNITURE, "vehicles": VEHICLES,
    "jobs": JOBS, "drinks": DRINKS, "parts of the body": BODY, "shapes": SHAPES, "trees": TREES, "flowers": FLOWERS,
    "kinds of weather": WEATHER, "rooms of a house": ROOMS, "metals": METALS, "birds": _list(
        "owl, eagle, sparrow, robin, duck, goose, swan, hen, parrot, penguin, crow, raven, stork"),
    "farm animals": _list("cow, pig, sheep, goat, hen, horse, duck, donkey, goose"),
    "wild animals": _list("wolf, bear, fox, deer, lion, tiger, elephant, badger, hedgehog"),
    "sampling settings": _list("temperature, top-k, top-p, min-p, repetition penalty, presence penalty, frequency penalty, seed"),
    "parts of a language model": _list("embedding, attention, MLP, normalization layer, output head, tokenizer"),
}
NO_ARTICLE = {"colours", "weekdays", "months", "drinks", "kinds of weather", "metals", "sampling settings", "parts of a language model"}

OPPOSITES = dict(pair.split("/") for pair in _list("""hot/cold, big/small, tall/short, fast/slow, old/young, light/dark,
heavy/light, hard/soft, happy/sad, early/late, open/closed, full/empty, wet/dry, rich/poor, strong/weak, loud/quiet, near/far,
high/low, up/down, left/right, in/out, on/off, day/night, good/bad, clean/dirty, thick/thin, wide/narrow, deep/shallow,
long/short, new/old, first/last, always/never, begin/end, start/stop, push/pull, win/lose, buy/sell, give/take, love/hate,
laugh/cry, asleep/awake, brave/afraid, cheap/expensive, easy/difficult, true/false, yes/no, black/white, north/south,
east/west, summer/winter, inside/outside, above/below, before/after, more/less, many/few, warm/cool, sharp/blunt, smooth/rough,
simple/complicated, safe/dangerous, noisy/silent, kind/cruel, lazy/busy, polite/rude, sick/healthy, sweet/sour, alive/dead,
arrive/leave, find/lose, remember/forget, question/answer, friend/enemy, top/bottom, front/back, increase/decrease,
allocate/free, prefill/decode, input/output, save/load, wide awake/fast asleep"""))
PLURALS = dict(pair.split("/") for pair in _list("""cat/cats, dog/dogs, horse/horses, fox/foxes, box/boxes, bus/buses, mouse/mice,
goose/geese, foot/feet, tooth/teeth, child/children, man/men, woman/women, sheep/sheep, fish/fish, wolf/wolves, leaf/leaves,
knife/knives, city/cities, baby/babies, story/stories, key/keys, day/days, boy/boys, church/churches, dish/dishes, potato/potatoes,
tomato/tomatoes, hero/heroes, piano/pianos, photo/photos, shelf/shelves, half/halves, loaf/loaves, ox/oxen, deer/deer, match/matches,
cache/caches, query/queries, token/tokens, block/blocks, matrix/matrices, index/indices, vertex/vertices, vocabulary/vocabularies,
sequence/sequences, batch/batches, person/people, tree/trees, house/houses, lady/ladies, penny/pennies, glass/glasses, table/tables,
star/stars, bird/birds, flower/flowers, school/schools, berry/berries, scarf/scarves, thief/thieves, wife/wives, life/lives"""))
COLOUR_OF = {"grass": "green", "snow": "white", "coal": "black", "a lemon": "yellow", "the sky on a clear day": "blue",
             "a ripe tomato": "red", "milk": "white", "a carrot": "orange", "blood": "red", "a banana": "yellow",
             "chocolate": "brown", "an elephant": "grey", "a flamingo": "pink", "the sun at sunset": "red or orange",
             "a raven": "black", "a strawberry": "red", "a pea": "green", "an orange": "orange", "a swan": "white",
             "a crow": "black", "the night sky": "black", "a pumpkin": "orange", "a leaf in spring": "green", "salt": "white"}
SOUNDS = {"cat": "meow", "dog": "woof", "cow": "moo", "sheep": "baa", "pig": "oink", "duck": "quack", "horse": "neigh",
          "hen": "cluck", "owl": "hoot", "frog": "croak", "bee": "buzz", "lion": "roar", "mouse": "squeak", "wolf": "howl",
          "crow": "caw", "goose": "honk", "snake": "hiss"}
LEGS = {"cat": 4, "dog": 4, "horse": 4, "cow": 4, "fox": 4, "bird": 2, "duck": 2, "hen": 2, "spider": 8, "ant": 6, "bee": 6,
        "beetle": 6, "butterfly": 6, "snake": 0, "fish": 0, "sheep": 4, "goat": 4, "frog": 4, "crab": 10, "owl": 2, "person": 2}
YOUNG = {"dog": "puppy", "cat": "kitten", "cow": "calf", "horse": "foal", "sheep": "lamb", "duck": "duckling", "hen": "chick",
         "goat": "kid", "fox": "cub", "bear": "cub", "lion": "cub", "pig": "piglet", "goose": "gosling", "frog": "tadpole",
         "swan": "cygnet", "deer": "fawn", "owl": "owlet", "eagle": "eaglet"}

SPELLABLE = sorted(set(w for w in ANIMALS + COLOURS + FRUITS + VEGETABLES + WEEKDAYS + MONTHS + JOBS + CLOTHES + INSTRUMENTS + TREES
                       + FLOWERS + VEHICLES + FURNITURE + SHAPES + NUMBERS if " " not in w) | set(_list("""
token, block, cache, model, prompt, batch, prefill, decode, scheduler, attention, layer, memory, query, value, vector, matrix, sampler,
temperature, penalty, beam, draft, engine, window, system, number, letter, school, garden, river, mountain, bridge, castle, lantern,
friend, family, mother, father, brother, sister, water, winter, summer, morning, evening, house, street, village, story, music, paper,
pencil, bottle, basket, candle, mirror, picture, island, forest, desert, ocean, planet, engine, rocket, robot, computer, keyboard,
because, believe, friend, beautiful, people, through, thought, enough, weather, whether, Wednesday, rhythm, necessary, separate, language,
Vitrine, hello, thank, please, sorry, happy, little, again, always, bread, butter, cheese, sugar, honey, light, night, right, world, yes, no""")))
