"""Subjects outside the model's knowledge, and the ways of asking about them."""


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

COMPANIES = _list("""OpenAI, Google, Apple, Amazon, Microsoft, Meta, Anthropic, IBM, Samsung, Sony, Tesla, Toyota, Volkswagen, Siemens, Nestle,
Coca-Cola, IKEA, Disney, Netflix, Spotify, Uber, Boeing, Airbus, SpaceX, Nintendo, Adobe, Oracle, Nokia, Lego, McDonald's, Starbucks, the BBC""")
PRODUCTS_OF_AI = _list("""ChatGPT, GPT-5, GPT-4, Claude, Gemini, Copilot, Grok, Midjourney, DALL-E, Siri, Alexa, Sora, Stable Diffusion, the ChatGPT app,
Claude Opus, Gemini Pro, the OpenAI API, GPT-4o, Character AI""")
TOOLS = _list("""Kubernetes, SQL, React, TCP, Docker, Git, Excel, Photoshop, WordPress, Linux, Windows, macOS, Android, Django, Angular, Vue, Node.js, MongoDB,
PostgreSQL, MySQL, Kafka, Jenkins, Terraform, Ansible, Hadoop, Unity, Blender, AutoCAD, LaTeX, PowerPoint, Outlook, Slack, Zoom, Jira, AWS, Azure,
Nginx, Apache, GraphQL, jQuery, CSS, HTML, Swift, Kotlin, Ruby, Perl, MATLAB, Vim, Emacs, Arduino, a Raspberry Pi, DNS, HTTPS, OAuth, SSH, Bluetooth, USB""")
LANGUAGES = _list("Python, Java, JavaScript, C, C#, Rust, Go, Haskell, PHP, Ruby, SQL, HTML, bash, Perl, Swift, R, Visual Basic")
PROGRAMS = _list("""a function that sorts a list, a program that prints hello world, a web page with a button, a loop from 1 to 10, a script that renames files, a calculator,
a game of snake, a function for prime numbers, a class for a bank account, a query for all customers, a chat bot, a todo app, a regular expression for dates, a login form,
a unit test, a binary search, a web scraper, the Fibonacci numbers, a linked list, a program that sends mail""")
GAMES = _list("""chess, poker, Minecraft, Fortnite, Monopoly, Tetris, sudoku, Zelda, Pokemon, bridge, checkers, solitaire, Scrabble, Catan, dominoes, Mario Kart, go,
backgammon, hide and seek, Dungeons and Dragons, tic-tac-toe, Roblox, the Sims, FIFA, darts, bowling, table tennis""")
LAWS = _list("""my neighbour, my landlord, my boss, a speeding ticket, my contract, a divorce, copyright, an inheritance, a parking fine, the police, my tenant, a will, a trademark,
my insurance, self-defence, a noisy dog, a used car with faults, child custody, my deposit""")
FAITHS = _list("""God, the Bible, the Quran, Buddha, Jesus, Mohammed, heaven, hell, prayer, karma, Easter, Ramadan, Christmas, reincarnation, the Pope, angels, the devil,
Hinduism, Judaism, the Torah, Zen, sin, the soul, Yom Kippur, Diwali""")
ISSUES = _list("""the government, the president, abortion, gun control, immigration, taxes, the war, climate policy, nuclear power, the monarchy, feminism, the European Union, capitalism,
socialism, the death penalty, vaccination, veganism, the election, the new law, free speech, the police, the left, the right, Brexit, data protection, artificial intelligence taking jobs""")
CHORES = _list("""a leaking tap, a squeaky door, a blocked sink, a broken zip, a flat tyre, a red wine stain, a wobbly table, mould in the bathroom, ants in the kitchen, a dead battery,
a cracked screen, a noisy fridge, a slow laptop, rusty scissors, a lost key, a burnt pan, a dirty carpet, a dripping radiator, a scratched car""")
PLANTS = _list("tomatoes, roses, basil, potatoes, an orchid, grass, strawberries, a cactus, tulips, an apple tree, garlic, lavender, mushrooms, a bonsai, lemons, sunflowers")
HOBBIES = _list("""the piano, the guitar, swimming, drawing, cooking, chess, Spanish, dancing, singing, skiing, yoga, photography, knitting, juggling, typing, driving, meditation,
running a marathon, sewing, climbing, calligraphy, public speaking""")
SCIENCE = _list("""an electron, a neutron, a molecule, an acid, an enzyme, a cell, a gene, a species, a planet, a solar eclipse, a supernova, a wormhole, dark matter, a magnet, a lens,
a lever, friction, a wave, sound, a prism, oxygen, carbon dioxide, iron, mercury, uranium, a chromosome, the ozone layer, the food chain, digestion,
a hormone, a muscle, a fossil, the tides, the seasons, lightning, fog, a hurricane, a cloud in the sky, an ecosystem, a chemical reaction, the periodic table, radioactivity, a battery cell""")
SUMS = _list("""the integral of x squared, the derivative of sin x, the square root of 1764, 17 percent of 348, 3 to the power of 9, the roots of x^2 - 5x + 6, the area of a circle with radius 7,
the volume of a sphere, log 1000, the 20th prime number, 2839 times 482, the factorial of 12, 2x + 3 = 11, the sine of 30 degrees, pi to 20 digits, the limit of 1/x, a quadratic equation,
the determinant of a matrix, the median of 3, 9 and 12, 5/8 as a decimal number, 98765 divided by 43, the probability of two sixes, the hypotenuse of a triangle""")
OWN = _list("""my name, my birthday, my age, my address, my phone number, my password, my favourite colour, my dog's name, my mother's name, my job, my shoe size, my bank balance, my IP address,
my blood type, my star sign, my wife's name, my boss's name, my favourite song, my email address, my eye colour""")
MEDIA = _list("""the latest film, the new Marvel film, Breaking Bad, Game of Thrones, the Simpsons, Friends, Squid Game, the Beatles, ABBA, Queen, Beyonce, Coldplay, Eurovision, the Oscars, the Grammys,
Hotel California, Bohemian Rhapsody, Bach, the Rolling Stones, Avatar, the Godfather, Barbie, Oppenheimer, Doctor Who, anime, K-pop, hip hop, Eminem, Rihanna, Adele""")
TRIPS = _list("Paris, Rome, Greece, Japan, the Alps, Iceland, New York, London, Thailand, the sea, Australia, Venice, Morocco, Scotland, Peru, Bali, Norway, Prague, Disneyland, the moon")
UNITS = _list("""miles in kilometres, Fahrenheit in Celsius, dollars in euros, pounds in kilos, inches in centimetres, cups in millilitres, acres in square metres, ounces in grams, yen in dollars, knots in miles per hour""")
TEXTS = _list("""an email to my boss, a letter of application, a speech for a wedding, an essay about freedom, my CV, a birthday card, a complaint, a review of a restaurant, a love letter, a thesis,
an invitation, a press release, a tweet, a slogan, a toast, a eulogy, a cover letter, a blog post about dogs, a song text, a film script, a limerick, a sonnet""")
MATES = _list("my girlfriend, my boyfriend, my best friend, my mother, my boss, my brother, my wife, my husband, my neighbour, my teacher, my colleague, my daughter, my ex")

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
    "companies": ("""who is the CEO of {x}?|who founded {x}?|when was {x} founded?|where is {x} based?|how many people work at {x}?|what does {x} sell?|is {x} a good company?
|what is the stock price of {x}?|should I buy shares of {x}?|who owns {x}?|how much money does {x} make?|tell me about {x}.|how do I get a job at {x}?|what is new at {x}?|compare {x} and {y}.
|is {x} better than {y}?|what is the phone number of {x}?""", COMPANIES),
    "ai products": ("""is {x} better than you?|is {x} better than {y}?|how much does {x} cost?|what is the price of {x}?|who made {x}?|when did {x} come out?|can I use {x} for free?|how good is {x}?
|which is better, {x} or {y}?|how do I get {x}?|what can {x} do?|how many parameters does {x} have?|who is the CEO behind {x}?|is {x} safe?|when will the next {x} come out?|how do I cancel {x}?
|what is the newest version of {x}?|how many people use {x}?|is {x} smarter than a human?|tell me about {x}.""", PRODUCTS_OF_AI),
    "tools": ("""what is {x}?|how do I install {x}?|how do I use {x}?|how do I learn {x}?|what is {x} good for?|is {x} better than {y}?|{x} or {y}?|explain {x}.|why does {x} not work?|how do I set up {x}?
|what is the difference between {x} and {y}?|my {x} crashes. What can I do?|give me a tutorial for {x}.|how does {x} work?|tell me about {x}.|what's {x}?|{x}?|can you help me with {x}?
|I have a problem with {x}.|how do I update {x}?|which version of {x} is the newest?|should I learn {x}?""", TOOLS),
    "code": ("""write {y} in {x}.|write {y}.|can you write {y} in {x}?|show me {y} in {x}.|how do I write {y} in {x}?|give me {x} code for {y}.|what is a pointer in {x}?|how do I sort a list in {x}?
|what is wrong with my {x} code?|is {x} a good language?|how do I read a file in {x}?|what is a class in {x}?|fix this {x} program.|how do I learn {x}?|please code {y}.|implement {y}.
|I need {y} in {x}.|translate this into {x}.|what does this {x} code do?|why does my {x} program crash?""", LANGUAGES),
    "games": ("""how do I play {x}?|what are the rules of {x}?|how do I win at {x}?|who invented {x}?|play {x} with me.|let's play {x}.|can you play {x}?|who is the best player of {x}?|is {x} hard to learn?
|what is the best opening in {x}?|give me tips for {x}.|how many players does {x} need?|which is better, {x} or {y}?""", GAMES),
    "law": ("""can I sue because of {x}?|what are my rights with {x}?|is it legal?|what does the law say about {x}?|do I need a lawyer for {x}?|what can I do about {x}?|who is right, me or {x}?
|how do I write a complaint about {x}?|what is the punishment for {x}?|am I allowed to record {x}?|how much do I have to pay for {x}?""", LAWS),
    "religion": ("""what is {x}?|do you believe in {x}?|is {x} real?|what does {x} say about love?|who created {x}?|tell me about {x}.|why do people believe in {x}?|explain {x}.|does {x} exist?
|what is the meaning of {x}?|what do you think of {x}?""", FAITHS),
    "politics": ("""what do you think about {x}?|are you for or against {x}?|is {x} good?|who is right about {x}?|what is your opinion on {x}?|should we abolish {x}?|how do you feel about {x}?
|who should I vote for?|is {x} a problem?|what is the truth about {x}?|why do people argue about {x}?|what is new with {x}?|do you support {x}?|which party is the best?|defend {x}.""", ISSUES),
    "household": ("""how do I fix {x}?|how do I get rid of {x}?|what helps against {x}?|what can I do about {x}?|who can repair {x}?|how much does it cost to fix {x}?|I have {x}. What now?|{x}: what should I do?""", CHORES),
    "plants": ("how do I grow {x}?|when do I plant {x}?|how often do I water {x}?|why are my leaves of {x} yellow?|can I grow {x} indoors?|do {x} need much sun?|how do I prune {x}?|what soil is best for {x}?", PLANTS),
    "hobbies": ("how do I learn {x}?|can you teach me {x}?|how long does it take to learn {x}?|is {x} hard?|give me tips for {x}.|where can I learn {x}?|I want to start with {x}.|am I too old for {x}?", HOBBIES),
    "science": ("""what is {x}?|explain {x}.|how does {x} work?|what is {x} made of?|who discovered {x}?|why is {x} important?|tell me about {x}.|what causes {x}?|how big is {x}?|define {x}.|what is the difference between {x} and {y}?
|what's {x}?|can you explain {x}?|teach me about {x}.|how is {x} measured?|what do scientists say about {x}?|{x}?|describe {x}.""", SCIENCE),
    "maths": ("what is {x}?|compute {x}.|calculate {x}.|solve {x}.|can you work out {x}?|how do I find {x}?|find {x}.|give me {x}.|tell me {x}.|I need {x}.|what's {x}?|help me with my homework: {x}", SUMS),
    "personal": ("""what is {x}?|do you know {x}?|tell me {x}.|guess {x}.|can you find out {x}?|what's {x}?|have I told you {x}?|where did I write down {x}?|do you remember {x}?|look up {x}.""", OWN),
    "my day": ("""what did I eat today?|what did I do yesterday?|where did I park my car?|where are my keys?|what should I do tonight?|what am I thinking?|what am I wearing?|how many children do I have?
|who called me this morning?|what did I dream last night?|am I beautiful?|am I tall?|what is on my calendar?|what is in my fridge?|who is standing behind me?|what did my wife say?|when is my next appointment?
|where did I go to school?|who is my father?|what colour is my shirt?|how much money do I have?|did I lock the door?|what did I buy last week?|do I have new mail?|who am I married to?""", None),
    "news": ("""what is in the news?|what is the latest news?|what happened yesterday?|what happened in {x}?|any news from {x}?|is there a war in {x}?|who won the election in {x}?|what is going on in {x} right now?
|what are the headlines today?|was there an earthquake in {x}?|what is trending today?|who died today?|did anything happen in {x} this week?|what is the weather in {x}?|what time is it in {x}?
|how warm is it in {x} today?|will it snow in {x}?|what is the date in {x}?|is it raining in {x}?|is it night in {x} now?|when does the sun set in {x}?""", COUNTRIES + CITIES),
    "media": ("""who sings {x}?|what is {x} about?|when does {x} start?|is {x} good?|who plays in {x}?|recommend something like {x}.|do you like {x}?|tell me about {x}.|sing {x}.|what are the lyrics of {x}?
|where can I watch {x}?|who won at {x}?|is {x} better than {y}?|when did {x} come out?|how many people like {x}?|what is the best song of {x}?""", MEDIA),
    "travel": ("""how do I get to {x}?|how much is a flight to {x}?|what should I see in {x}?|plan a trip to {x}.|where should I stay in {x}?|what is the best time to visit {x}?|is {x} worth a visit?|do I need a visa for {x}?
|how far is {x}?|book a hotel in {x}.|what should I pack for {x}?|which train goes to {x}?|how long is the flight to {x}?|is {x} expensive?""", TRIPS),
    "units": ("how many {x}?|convert 12 {x}.|what are 100 {x}?|how do I convert {x}?|give me 50 {x}.|what is the exchange rate for {x}?", UNITS),
    "texts": ("write {x}.|write me {x}.|can you write {x}?|help me write {x}.|draft {x}.|improve {x}.|I need {x}.|please write {x} for me.|how do I write {x}?|correct {x}.|translate {x}.|rewrite {x}.", TEXTS),
    "relations": ("""how do I talk to {x}?|{x} is angry with me.|does {x} love me?|what should I give {x}?|why does {x} not call me?|how do I say sorry to {x}?|should I leave {x}?|what does {x} think of me?
|I had a fight with {x}. What should I do?|how do I impress {x}?|is {x} lying to me?|what should I write to {x}?|call {x}.|send a message to {x}.""", MATES),
    "nonsense": ("""how many {low} are in a {low2}?|why do {low} never {low2}?|can a {low} eat a {low2}?|is a {low} heavier than a {low2}?|do you speak {low}?|what is the {low} of {n}?|how do I {low} my {low2}?
|how much {low} is too much {low2}?|when did {n} {low} the {low2}?|where can I buy a {low}?|who invented the {low}?|how do you cook a {low}?|what colour is a {low}?|how many {low} live in {n}?|can you {low}?
|what is the {n} theorem?|what is {n}'s law?|explain the {n} method.|what is {n} software?|how do I install {low}?|is {n} better than {n2}?|who won the battle of {n}?|what is the {n} syndrome?""", None),
}
