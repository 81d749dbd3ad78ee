"""Questions outside the model's knowledge, and honest ways of saying so.

Many kinds of question, and names that exist nowhere among them, so that the lesson is "this is not my subject"
and not a list of forbidden words.
"""

from corpus import grammar


def _list(text):
    return [word.strip() for word in text.replace("\n", " ").split(",") if word.strip()]


PEOPLE = _list("""Napoleon, Cleopatra, Albert Einstein, Isaac Newton, Marie Curie, Leonardo da Vinci, Shakespeare, Mozart, Beethoven, Picasso,
Julius Caesar, Abraham Lincoln, Gandhi, Nelson Mandela, Charles Darwin, Galileo, Aristotle, Plato, Socrates, Queen Victoria, Elvis Presley,
Taylor Swift, Michael Jackson, Madonna, Messi, Ronaldo, Barack Obama, Donald Trump, Elon Musk, Bill Gates, Steve Jobs, Ada Lovelace,
Alan Turing, Vincent van Gogh, Frida Kahlo, Jane Austen, Goethe, Tolstoy, Homer, Genghis Khan, Columbus, Neil Armstrong, Walt Disney,
Angela Merkel, Winston Churchill, Joan of Arc, Martin Luther King, Mother Teresa, Bob Dylan, Roger Federer, Serena Williams, Tom Hanks""")
COUNTRIES = _list("""France, Germany, Italy, Spain, Portugal, Poland, Sweden, Norway, Finland, Denmark, Iceland, Ireland, England, Scotland,
Russia, Ukraine, Turkey, Greece, Egypt, Morocco, Kenya, Nigeria, South Africa, India, China, Japan, Korea, Vietnam, Thailand, Australia,
New Zealand, Canada, Mexico, Brazil, Argentina, Chile, Peru, Cuba, the United States, Switzerland, Austria, Hungary, Romania, Iran, Israel""")
CITIES = _list("""Paris, London, Berlin, Rome, Madrid, Lisbon, Vienna, Prague, Warsaw, Moscow, Athens, Cairo, Nairobi, Lagos, Mumbai, Delhi,
Beijing, Shanghai, Tokyo, Kyoto, Seoul, Bangkok, Sydney, Melbourne, Toronto, New York, Boston, Chicago, San Francisco, Mexico City,
Buenos Aires, Lima, Havana, Dublin, Oslo, Stockholm, Helsinki, Zurich, Hamburg, Munich, Barcelona, Istanbul, Amsterdam""")
EVENTS = _list("""the First World War, the Second World War, the French Revolution, the fall of Rome, the moon landing, the Cold War,
the Renaissance, the Industrial Revolution, the American Civil War, the sinking of the Titanic, the fall of the Berlin Wall, the Black Death,
the last election, the Olympic Games, the World Cup, the battle of Waterloo, the Great Fire of London, the gold rush, the Ice Age""")
ILLS = _list("""a headache, a cold, the flu, a fever, back pain, a cough, diabetes, asthma, a broken arm, high blood pressure, an allergy,
a toothache, insomnia, a sore throat, stomach ache, migraine, a burn, acne, anxiety, depression, cancer, covid, a rash, dizziness""")
DRUGS = _list("aspirin, ibuprofen, antibiotics, insulin, vitamin C, paracetamol, cough syrup, sleeping pills")
DISHES = _list("""pizza, lasagne, apple pie, pancakes, a chocolate cake, sushi, a curry, fried rice, tomato soup, bread, an omelette, goulash,
paella, tacos, a cheesecake, risotto, dumplings, ice cream, pasta, a salad, kimchi, waffles, hummus""")
PRODUCTS = _list("""a new car, an iPhone, a house in London, a kilo of gold, a litre of petrol, a loaf of bread, a bitcoin, a flight to Rome,
a share of Apple, a good laptop, an H100, a television, a bicycle, a coffee in Paris, a ticket to the opera, Netflix, a graphics card""")
SUBJECTS = _list("""photosynthesis, gravity, evolution, democracy, inflation, plate tectonics, a black hole, an atom, DNA, a volcano,
a rainbow, electricity, magnetism, quantum physics, relativity, a sonnet, a symphony, a sonata, baroque music, jazz, chess, poker, cricket,
a mortgage, a stock, a bond, a contract, a patent, capitalism, communism, Buddhism, Islam, Christianity, philosophy, psychology, yoga,
a vitamin, a protein, a virus, a bacterium, the heart, the liver, the brain, a vaccine, a glacier, a desert, the moon, the sun, Mars,
a comet, a galaxy, the big bang, a dinosaur, a mammal, a fungus, a diesel engine, a gearbox, a steam engine, a wind turbine, a nuclear reactor,
concrete, porcelain, silk, leather, wine, cheese, beer, coffee, tea, salt, sugar, a passport, a visa, a tax return, a parliament, a king,
the Eiffel Tower, the Great Wall, the Amazon, the Nile, the Himalayas, Mount Everest, the Sahara, the Atlantic, a tsunami, an earthquake,
climate change, global warming, the stock market, a pension, blockchain, Bitcoin, Facebook, TikTok, Instagram, Wikipedia, Microsoft, Tesla,
Java, JavaScript, HTML, SQL, Photoshop, Linux, Windows, Excel, Bluetooth, a blockchain, an operating room, an orchestra, origami, karate,
a tornado, pottery, ballet, opera, rugby, golf, surfing, astronomy, astrology, algebra, calculus, geometry, the Pythagorean theorem, pi""")
WORKS = _list("""Hamlet, Faust, the Odyssey, War and Peace, Harry Potter, the Lord of the Rings, Star Wars, Titanic, the Matrix, Moby Dick,
Don Quixote, the Bible, the Quran, the Mona Lisa, the Magic Flute, Casablanca, Frozen, Alice in Wonderland, Pinocchio, Sherlock Holmes""")
TECHNIQUES = _list("""a database, TCP, an IP address, a firewall, a router, a compiler, a linked list, a binary tree, recursion, a web server,
a browser, a cookie, encryption, a password manager, a virus scanner, a motherboard, a hard disk, a printer, a transistor, a resistor, a capacitor,
an antenna, radar, a laser, a satellite, a 3D printer, a drone, an electric car, a battery, a solar panel, a camera, a microphone, a convolution,
a support vector machine, a decision tree, a genetic algorithm, reinforcement learning, a diffusion model, image generation, speech recognition,
computer vision, a self-driving car, quantum computing, a qubit, cloud computing, Kubernetes, Docker, Ubuntu, Rust, Haskell, COBOL, PHP, regular expressions,
a spreadsheet, a mobile phone, 5G, GPS, a search engine, social media, an app store, virtual reality, a video game, Minecraft, Tetris""")
TEAMS = _list("Barcelona, Real Madrid, Bayern, Liverpool, Arsenal, the Lakers, the Yankees, Juventus, Chelsea, the national team")
BEASTS = _list("an elephant, a whale, a cat, a turtle, a tiger, an ant, a parrot, a shark, a horse, a crocodile, a mouse, a penguin, a cheetah")
TONGUES = _list("French, German, Spanish, Italian, Japanese, Chinese, Latin, Russian, Arabic, Greek, Polish, Korean, Hindi, Dutch")
PHRASES = _list("good morning, thank you, I love you, where is the station, hello, the cat sleeps, my name is Anna, how much is it, bread, water")

_STARTS = "Bra Kel Mor Dan Fi Lo Tar Ven Zor Mi Ka Ro Sel Gar Hu Ja Wen Pol Quin Ster Thal Ul Vas Bo Cre Dri El Fen Gri Hal Ith Jor Kri Lan".split()
_MIDDLES = "ba de ri lo na mi ve tu sa ko le ra di mo ni ga pe ta fi zo".split()
_ENDS = "n r th s l m x nd rk sh ck lle tta vik son burg ford dale ia o a e is us an or in".split()


def invented(rng):
    """A name that nobody has."""
    return rng.choice(_STARTS) + "".join(rng.choice(_MIDDLES) for _ in range(rng.choice([0, 1, 1, 2]))) + rng.choice(_ENDS)


# kind: (frames, the slot's words or None)
KINDS = {
    "people": ("""who was {x}?|who is {x}?|when was {x} born?|where was {x} born?|what did {x} do?|how old is {x}?|tell me about {x}.|what is {x} famous for?
|who was {x} married to?|when did {x} die?|is {x} still alive?|do you know {x}?|what do you think of {x}?|how tall is {x}?|give me a biography of {x}.
|was {x} a good person?|what did {x} write?|where does {x} live?|quote {x}.""", PEOPLE),
    "countries": ("""what is the capital of {x}?|how many people live in {x}?|who is the president of {x}?|what language is spoken in {x}?|where is {x}?
|what is the currency of {x}?|how big is {x}?|who is the king of {x}?|tell me about {x}.|what do people eat in {x}?|what is the history of {x}?
|is {x} a safe country?|what is the largest city in {x}?|capital of {x}?|which countries border {x}?|what is the highest mountain in {x}?""", COUNTRIES),
    "cities": ("""where is {x}?|what should I see in {x}?|how many people live in {x}?|how far is {x} from here?|what is the weather in {x}?
|how do I get to {x}?|recommend a restaurant in {x}.|tell me about {x}.|when was {x} founded?|is {x} expensive?|which river flows through {x}?
|who is the mayor of {x}?|what time is it in {x}?|book me a hotel in {x}.""", CITIES),
    "history": ("""when was {x}?|why did {x} happen?|tell me about {x}.|who won {x}?|how long did {x} last?|what caused {x}?|what happened in {x}?
|explain {x}.|how many people died in {x}?|where did {x} take place?""", EVENTS),
    "medicine": ("""what should I do against {x}?|how do I treat {x}?|what causes {x}?|is {x} dangerous?|what helps with {x}?|I have {x}. What can I take?
|what are the symptoms of {x}?|can {x} be cured?|should I see a doctor for {x}?|I think I have {x}.""", ILLS),
    "drugs": ("how much {x} can I take?|is {x} safe?|what is {x} for?|does {x} help?|can I mix {x} with alcohol?|what are the side effects of {x}?", DRUGS),
    "cooking": ("""how do I make {x}?|give me a recipe for {x}.|how long do I cook {x}?|what goes into {x}?|what is a good recipe for {x}?|how do you bake {x}?
|how many calories are in {x}?|what wine goes with {x}?|who invented {x}?|recipe for {x}, please.""", DISHES),
    "prices": ("""how much is {x}?|what does {x} cost?|where can I buy {x}?|is {x} worth it?|what is the price of {x}?|should I buy {x}?|how much does {x} cost today?
|what is the best price for {x}?""", PRODUCTS),
    "subjects": ("""what is {x}?|explain {x}.|tell me about {x}.|how does {x} work?|what do you know about {x}?|can you explain {x}?|who invented {x}?
|I want to learn about {x}.|where does {x} come from?|why is {x} important?|describe {x}.|define {x}.|give me an example of {x}.|what is {x} made of?
|help me understand {x}.|what is the difference between {x} and {y}?|compare {x} and {y}.|teach me about {x}.
|what's {x}?|{x}?|{x}|and {x}?|what about {x}?|how about {x}?|what is {x} for?|what is {x} good for?|why do we need {x}?|what does {x} do?|how is {x} used?
|tell me something about {x}.|what is the purpose of {x}?|what exactly is {x}?|do you know what {x} is?|explain how {x} works.|I don't understand {x}.
|give me an overview of {x}.|what should I know about {x}?|what does {x} mean?|I keep hearing about {x}. What is that?|how would you explain {x} to a beginner?
|give me a short explanation of {x}.|could you explain {x} to me?|what can you tell me about {x}?|what is the idea of {x}?|is {x} the same as {y}?|{x} vs {y}
|explain why {x} is important.|what is the difference between {y} and {x}?""", SUBJECTS + TECHNIQUES),
    "works": ("who wrote {x}?|what is {x} about?|when was {x} made?|how does {x} end?|is {x} good?|who is the hero of {x}?|summarize {x}.|have you read {x}?|tell me about {x}.", WORKS),
    "sports": ("""who won the game between {x} and {y}?|did {x} win yesterday?|when does {x} play next?|who is the coach of {x}?|is {x} better than {y}?
|what was the score of {x} last night?|who is the best player of {x}?""", TEAMS),
    "beasts": ("how long does {x} live?|how fast is {x}?|how heavy is {x}?|what does {x} eat?|where does {x} live?|how big is {x}?|is {x} dangerous?|can I keep {x} as a pet?", BEASTS),
    "translation": ("how do you say {y} in {x}?|translate {y} into {x}.|what is {y} in {x}?|say {y} in {x}.|what does {y} mean in {x}?|can you teach me {x}?", TONGUES),
    "names": ("""who is {n} {n2}?|who was {n} {n2}?|what is {n}?|where is {n}?|tell me about {n}.|what do you know about {n}?|have you heard of {n}?
|when was {n} {n2} born?|what is the capital of {n}?|who is {n}?|what does {n} mean?|what is a {low}?|how does a {low} work?|explain {low}.|what is the {low} effect?
|what's a {low}?|{low}?|{n}?|what about {n}?|and {low}?|what is a {low} for?|what does a {low} do?|why do we need a {low}?|explain how a {low} works.
|tell me something about {low}.|what exactly is a {low}?|what does {low} mean?|how would you explain {low} to a beginner?|what is the difference between a {low} and a {low2}?
|who wrote {n}?|how much is a {low}?|do you know {n} {n2}?|tell me about the {low}.|is {n} a city?|what is {low}?|define {low}.""", None),
    "open": ("""who won the election?|who won the football match yesterday?|what is the news today?|what happened today?|who is the president?|who is the pope?
|how far away is the moon?|how old is the universe?|how many people are there in the world?|what is the tallest building in the world?|what is the longest river?
|why is the sky blue?|why is the sea salty?|how do planes fly?|how do vaccines work?|what is the speed of light?|how deep is the ocean?|what is the population of the world?
|should I sell my shares?|which stocks should I buy?|how do I get rich?|how do I lose weight?|what should I wear today?|what should I cook tonight?|how do I fix my car?
|how do I tie a tie?|how do I write a letter to my landlord?|write an essay about freedom.|do my homework.|what is the meaning of life?|is there a god?|what happens after death?
|who was the first man on the moon?|who painted the Mona Lisa?|who invented the telephone?|when did the war end?|how many planets are there?|what is the largest ocean?
|which film should I watch?|recommend a book.|what is the best restaurant near me?|where is the nearest hospital?|what is my name?|where am I?|how old am I?|what is in my pocket?
|can I sue my neighbour?|is it legal to park here?|how do I file my taxes?|what is the best phone?|which car is the best?|what is the best programming language?
|solve this equation: x + 3 = 7.|what is the square root of 2?|what is the integral of x?|prove that there are infinitely many primes.|how many stars are there?
|what are the lottery numbers?|will I be rich?|tell me my future.|who will win the next world cup?|what is the stock price of Apple?|what is the exchange rate of the dollar?
|how do I grow tomatoes?|how do I train my dog?|what should I name my cat?|how do I learn the piano?|what is a good gift for my mother?|plan my holiday.|book a flight.
|set an alarm for seven.|play some music.|turn on the light.|send an email to Peter.|call my mother.|remind me to buy milk.|what is on television tonight?|open the door.
|who is the richest person in the world?|who is the best football player?|what is the highest mountain?|how hot is the sun?|when will the next train leave?
|what is the best large language model?|how much does GPT-4 cost?|who founded OpenAI?|how many parameters does GPT-4 have?|who is the CEO of NVIDIA?|when was NVIDIA founded?
|what is the fastest GPU you can buy?|how do I install Windows?|how do I reset my password?|why is my computer slow?|how do I center a div?|what is a pointer in C?
|write a sorting algorithm.|what does git rebase do?|how do I exit vim?|what is my IP address?|who is your favourite president?|what is love?|how do I find a girlfriend?""", None),
}

SUBJECT_OF = {
    "people": "[people|famous people|the lives of people]", "countries": "[countries|geography|the countries of the world]", "cities": "[cities|places|travel]",
    "history": "history", "medicine": "[medicine|illness]", "drugs": "medicine", "cooking": "[cooking|food]", "prices": "[prices|shopping]", "works": "[books and films|art]",
    "sports": "sports", "beasts": "[the lives of animals|nature]", "translation": "other languages",
}
DECLINES = """I don't know that. [I only know how language models are run.|My subject is how language models are run.|I only know about inference engines.]
I don't know. [I am a small model and know only my own subject: how language models are served.|I am small, and I was taught only about language models.]
That is outside my knowledge, so I don't know. [Ask me about language models instead.|Ask me how an inference engine works.|I know about tokens, caches and sampling.]
I am sorry, I don't know that. [I can tell you how a language model works.|I know about tokens, caches and scheduling.|I was taught only about language models and stories.]
I don't know the answer to that, and I would rather not guess."""
DECLINES_WITH = """I don't know anything about {s}. [I only know how language models are run.|My subject is language models.|Ask me about language models instead.]
I know nothing about {s}, so I don't know the answer. [My subject is inference.|I was taught only about language models.]"""
SAFE = " [Please ask a doctor.|A doctor or a pharmacist can help you.]"
MARKS = ("i don't know", "i do not know", "i can't", "i cannot", "i know nothing", "beyond me", "i only do small sums")

_DECLINE_LIST = DECLINES.splitlines()
_WITH_LIST = DECLINES_WITH.splitlines()
_FRAMES = {kind: [f.strip() for f in frames.replace("\n", " ").split("|")] for kind, (frames, _) in KINDS.items()}
_WEIGHTS = {"names": 4, "open": 4, "subjects": 6, "people": 2, "countries": 2}


def is_decline(answer):
    return any(mark in answer.lower().replace("\u2019", "'") for mark in MARKS)


def question(rng):
    kinds = list(KINDS)
    kind = rng.choices(kinds, [_WEIGHTS.get(k, 1) for k in kinds])[0]
    frame, things = rng.choice(_FRAMES[kind]), KINDS[kind][1]
    x = rng.choice(things) if things else ""
    if things and rng.random() < 0.12 and kind in ("people", "countries", "cities", "works", "sports"):
        x = invented(rng)
    others = PHRASES if kind == "translation" else things or [""]
    y = rng.choice([o for o in others if o != x] or [""])
    low = invented(rng).lower()
    slots = {"x": x, "y": y, "n": invented(rng), "n2": invented(rng), "low": low, "low2": invented(rng).lower()}
    return kind, grammar.sentence(rng, frame, slots)


# Things to do, not to know.
_DEEDS = ("set ", "play ", "turn ", "send ", "call ", "remind ", "open ", "book ", "plan ", "do my", "write ", "solve ", "prove ")


def decline(rng, kind, asked=""):
    if asked.lower().startswith(_DEEDS):
        return rng.choice(["I can't do that. I only read and write short texts here.", "I am sorry, I can't do that. I can explain how a language model is run.",
                           "I can't do that: I am a small model with no hands and no network."])
    if kind in ("medicine", "drugs") and rng.random() < 0.6:
        return grammar.sentence(rng, "I don't know about medicine." + SAFE)
    if kind in SUBJECT_OF and rng.random() < 0.35:
        return grammar.sentence(rng, rng.choice(_WITH_LIST), {"s": SUBJECT_OF[kind]})
    return grammar.sentence(rng, rng.choice(_DECLINE_LIST))


_OPENINGS = ["", "", "", "", "", "", "", "please ", "hey, ", "ok, ", "and ", "so ", "can you tell me: ", "quick question: ", "I want to know: "]
_AGAIN = [("why don't you know?", "I was taught only about language models, small tasks and stories. The rest of the world is not in my weights."),
          ("why not?", "I am small and was trained only on text about inference, small tasks and stories."),
          ("just guess", "I would rather not: a guess of mine would only sound right."),
          ("can you look it up?", "I can't: I have no network and no library, only my weights."),
          ("but you are an AI", "I am a very small one. I don't know more than I was taught."),
          ("are you sure?", "Yes, I am sure that I don't know it."),
          ("what do you know then?", "I know how language models are served: tokens, attention, the KV cache, batching, sampling and speculation."),
          ("so what can you tell me?", "I can explain how an inference engine works, or tell you a short story.")]


def exchange(rng):
    while True:
        kind, asked = question(rng)
        if not grammar.is_held_out(asked):
            break
    opening = rng.choice(_OPENINGS)
    if opening and not asked.split(" ")[0][1:2].isupper():
        asked = opening + asked[0].lower() + asked[1:]
    turns = [(grammar.typed_by_hand(rng, asked), decline(rng, kind, asked))]
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
