"""Who and what the stories are about: heroes, names, things, places.

Heroes and friends are named from lists without a common initial, so that no story has two names alike.
"""


def _list(text):
    return [word.strip() for word in text.replace("\n", " ").split(",") if word.strip()]


ANIMALS = _list("""fox, owl, bear, mouse, rabbit, hedgehog, badger, otter, squirrel, crow, goose, duck, cat, dog, frog, turtle, wolf, deer,
sparrow, robin, goat, donkey, sheep, pig, horse, beaver, mole, lizard, hen, stork, bat, snail, raven, swan, penguin, elephant, lion, tiger,
monkey, giraffe, camel, seal, bee, ant, butterfly, whale, dolphin, crab, parrot, eagle, toad, hamster, pony, cow, rooster, peacock, panda,
koala, kangaroo, zebra, hippo, rhino, crocodile, snake, spider, beetle, ladybird, cricket, grasshopper, firefly, worm, caterpillar, lobster,
octopus, shark, salmon, trout, goldfish, seahorse, jellyfish, walrus, polar bear, reindeer, moose, lynx, leopard, cheetah, gorilla, sloth,
raccoon, skunk, weasel, chipmunk, guinea pig, kitten, puppy, lamb, foal, duckling, chick, magpie, woodpecker, swallow, seagull, pelican,
flamingo, ostrich, turkey, pigeon, heron, nightingale, cuckoo, hare, rat, dormouse, newt, chameleon, dinosaur, mammoth""")
PEOPLE = _list("""princess, prince, king, queen, knight, wizard, witch, baker, sailor, shepherd, fisherman, gardener, clockmaker, miller, painter,
girl, boy, old woman, old man, pirate, tailor, teacher, doctor, nurse, farmer, cook, carpenter, blacksmith, librarian, scientist, engineer,
inventor, astronaut, pilot, captain, soldier, detective, thief, juggler, clown, dancer, singer, musician, poet, writer, programmer, student,
child, grandmother, grandfather, postman, firefighter, train driver, beekeeper, lighthouse keeper, merchant, beggar, judge, mayor, explorer,
hunter, woodcutter, potter, shoemaker, photographer, chess player, football player, ninja, cowboy, viking, emperor, duchess, monk""")
FAIRY = _list("""dragon, dwarf, giant, robot, ghost, fairy, snowman, troll, unicorn, mermaid, elf, goblin, gnome, ogre, vampire, werewolf, monster,
alien, phoenix, genie, scarecrow, mummy, sea monster, yeti, nutcracker, rag doll, teddy bear, puppet, tin soldier, cyborg""")
OBJECTS = _list("""train, toaster, teapot, spoon, lamp, candle, clock, kettle, broom, chair, shoe, button, pencil, book, umbrella, bicycle, car, bus,
boat, ship, rocket, aeroplane, tractor, balloon, kite, cloud, raindrop, snowflake, star, pebble, stone, leaf, tree, oak, flower, sunflower, rose,
mushroom, apple, potato, pumpkin, carrot, pancake, cupcake, computer, telephone, vacuum cleaner, washing machine, fridge, printer, calculator,
satellite, lighthouse, windmill, violin, drum, piano, sock, hat, pillow, cup, key, token, language model, traffic light, lawn mower, drone""")
CREATURES = ANIMALS + PEOPLE + FAIRY + OBJECTS
HER = set(_list("""princess, queen, witch, girl, old woman, fairy, hen, cow, mermaid, duchess, grandmother"""))
HIM = set(_list("""prince, king, wizard, boy, old man, snowman, fisherman, rooster, postman, cowboy, monk, emperor, grandfather, tin soldier"""))
MANNERS = _list("lazy, grumpy, brave, tiny, clever, shy, sleepy, hungry, purple, golden, talking, flying, invisible, blind, young, silly, red, blue, wise, lonely")

# Heroes' names begin with A to M, friends' names with N to Z: never one for the other.
HEROES_HER = _list("""Ada, Alma, Bea, Clara, Dora, Edda, Elsie, Fern, Flora, Greta, Hazel, Ina, Ivy, Juna, Lina, Luna, Maja, Mira, Bella, Ida, Julia,
Marta, Gwen, Agnes, Daisy, Ella, Anna, Emma, Mia, Lucy""")
HEROES_HIM = _list("""Albert, Anton, Arlo, Barnaby, Ben, Bruno, Emil, Felix, Finn, Gus, Henry, Hugo, Jasper, Jonas, Leo, Linus, Max, Milo, Moritz, Kasper,
Adam, David, Fritz, Jack, Jim, Karl, Lukas, Martin, Edgar, Igor""")
FRIENDS_HER = _list("""Nell, Nora, Olive, Pia, Poppy, Rosa, Ruby, Selma, Tessa, Tilda, Vera, Wanda, Zoe, Nina, Paula, Rita, Sara, Thea, Ursula, Olga,
Sophie, Viola, Wilma, Yara""")
FRIENDS_HIM = _list("""Ned, Nils, Oskar, Otto, Pip, Rufus, Sam, Theo, Toby, Tom, Peter, Paul, Rolf, Simon, Tim, Viktor, Walter, Wim, Oliver,
Oscar, Quentin, Noah, Yuri""")
OTHER_HER = _list("""Alice, Aisha, Bianca, Carla, Carmen, Eva, Fatima, Hanna, Heidi, Ines, Jana, Kate, Laura, Lena, Lily, Maria, Mary, Mei, Molly, Nadia,
Petra, Priya, Rachel, Sally, Susan, Victoria, Yuki, Zara""")
OTHER_HIM = _list("""Alex, Ali, Amir, Bob, Bill, Chen, Charlie, Daniel, Erik, Frank, George, Harry, Ivan, James, Joe, John, Kai, Lars, Mark, Mike, Nick, Omar,
Pedro, Ravi, Steve, Thomas, Will, Marvin""")
SHE = set(HEROES_HER + FRIENDS_HER + OTHER_HER)

THINGS = _list("""lantern, music box, kite, clay pot, wooden boat, little mirror, old clock, blue bowl, flute, umbrella, spyglass, teapot, drum,
glass ball, wooden horse, painted cup, violin, red bucket, snow globe, basket, silver key, golden ring, magic stone, crystal, compass, telescope,
hammer, paintbrush, guitar, trumpet, accordion, little bell, straw hat, green scarf, red ball, paper boat, toy train, doll, puzzle, chessboard,
picture book, notebook, diary, photograph, camera, radio, computer, calculator, bicycle, wheelbarrow, fishing rod, blanket, patchwork quilt, pillow,
wool cap, silver spoon, copper kettle, frying pan, birdcage, flower pot, hourglass, pocket watch, magnifying glass, feather, marble, walking stick,
wooden spoon, sword, shield, crown, necklace, sled, skateboard, robot, kaleidoscope, candlestick, jar of honey, chocolate cake, broom, magic wand,
piggy bank, harmonica, balloon, lamp, vase, hat, book, globe, rocking chair, apple pie""")

# kind, noun, where, what one notices there; kinds: l land, w at the water, i inside, s far from everything
PLACES = [(line[0], *line[2:].split("/")) for line in """w lighthouse/at the lighthouse/the waves [sang|whispered] against the rocks, and the great lamp turned all night
l forest/in the forest/the [old trees|tall pines] stood close together, and the moss was soft [as a pillow|under every foot]
l village/in the village/the houses leaned against each other, and smoke rose from every chimney
l mill/at the mill/the [wheel|big wheel] turned slowly, and everything smelled of flour
w river/by the river/the water [sparkled|murmured] over round stones, and willows hung over the bank
l mountain/on the mountain/the air was thin and clear, and one could see [seven valleys|to the end of the world]
w sea/by the sea/the gulls cried, and the wind tasted of salt
w ocean/by the ocean/the waves were as high as houses, and the wind tasted of salt
w island/on the island/there were [three palm trees|two hills] and [a white beach|many shells], and water on every side
l castle/in the castle/the walls were thick, and [flags|red flags] waved on the towers
l garden/in the garden/roses climbed over the wall, and bees hummed all day
s desert/in the desert/the sand [glowed|shone] like gold, and at night the stars were very near
w lake/by the lake/the water was as smooth as glass, and reeds stood along the shore
w pond/by the pond/water lilies swam on the water, and dragonflies hung in the air
l farm/on the farm/there was a red barn, and the hens scratched in the yard
l city/in the city/the streets were loud and bright, and nobody seemed to sleep
l town/in the town/the lanes were narrow, and there was a fountain in the middle of the square
w harbour/in the harbour/the boats rocked, and ropes creaked in the wind
i library/in the library/the shelves reached up to the ceiling, and the dust danced in the light
i school/at the school/a bell rang every morning, and the windows were full of paper stars
i cave/in the cave/water dripped from the ceiling, and every word came back as an echo
l valley/in the valley/the fog lay on the meadows in the morning, and brooks ran down from every side
l meadow/on the meadow/the grass was high and full of flowers, and crickets sang
l market/at the market/there were [apples and cheese|baskets and bells], and everyone talked at once
i bakery/in the bakery/it was warm, and it smelled of fresh bread
l train station/at the train station/the big clock ticked, and the rails hummed before a train came
i tower/in the tower/there were [ninety-nine steps|a hundred steps], and the wind sang in the windows
s moon/on the moon/everything was silver and still, and one could jump as high as a house
s =Mars/on Mars/the ground was red, and two small moons crossed the sky
s =Venus/on Venus/the clouds were yellow, and it was as hot as in an oven
s =Jupiter/near Jupiter/the storms drew stripes around the great planet, and many moons went by
s space station/on the space station/everything floated, and the earth shone blue below the windows
s spaceship/on the spaceship/the stars went by without a sound, and small lamps blinked in the dark
s planet/on the far planet/the grass was blue, and three suns stood in the sky
s cloud/on the cloud/everything was white and soft, and the world below looked like a toy
w old bridge/at the old bridge/the stones were green with moss, and trout stood in the shade
l orchard/in the orchard/the apples were red, and the grass was full of them
s snow/in the snow/everything was white and quiet, and every step creaked
l jungle/in the jungle/the leaves were as large as umbrellas, and parrots called from above
l rainforest/in the rainforest/it rained every afternoon, and frogs sang in the trees
i workshop/in the workshop/tools hung in rows on the wall, and shavings lay on the floor
w beach/on the beach/the sand was warm, and shells lay about like lost buttons
l hill/on the hill/a single oak stood there, and the wind never quite stopped
l windmill/at the windmill/the sails turned day and night, and the boards creaked
w swamp/in the swamp/the ground was soft, and small lights danced there at night
i theatre/in the theatre/the curtain was red, and the chairs waited in the dark
i museum/in the museum/old things slept behind glass, and every step echoed
w ship/on the ship/the sails were white, and the planks smelled of tar
s submarine/in the submarine/the engines hummed, and fish looked in through the round windows
l zoo/in the zoo/there was always somebody singing or roaring
i kitchen/in the kitchen/copper pots hung on the wall, and something was always boiling
l well/at the well/the bucket hung on a long rope, and the water was cold and clear
l park/in the park/there were green benches under the trees, and children flew kites
l playground/on the playground/there were swings and a slide, and the sand was full of footprints
i hospital/in the hospital/the floors were shiny, and somebody always spoke softly
i office/in the office/the telephones rang, and the plants needed water
i supermarket/in the supermarket/the shelves were full, and the tills beeped from morning till night
i restaurant/in the restaurant/the plates clattered, and it smelled of soup
i hotel/in the hotel/there were a hundred doors, and a golden bell stood on the desk
i attic/in the attic/old boxes stood in rows, and the light came through a single window
i cellar/in the cellar/it was cool and dark, and jars of jam stood on the shelf
i house/in the house at the end of the road/the stairs creaked, and a cat slept on the window sill
i laboratory/in the laboratory/glasses bubbled, and coloured lamps blinked
i factory/in the factory/the machines stamped and hummed, and steam came out of the pipes
i data center/in the data center/the fans hummed day and night, and a thousand green lamps blinked
i computer/inside a computer/everything was quick and bright, and numbers ran along silver roads
i toy shop/in the toy shop/dolls and trains sat on the shelves, and a bell rang at the door
i bookshop/in the bookshop/books stood in piles up to the ceiling, and it smelled of paper
i church/in the church/the windows were blue and red, and every sound rose up to the roof
l circus/at the circus/the tent was striped, and the band played every evening
l fair/at the fair/the wheel turned high above the roofs, and it smelled of sugar
i palace/in the palace/there were mirrors on every wall, and the floor shone like ice
l kingdom/in the small kingdom/there were seven castles, and the roads were lined with trees
l vineyard/in the vineyard/the grapes hung in long rows, and the earth was warm
l field/in the field/the corn was yellow, and larks sang high above it
l bus stop/at the bus stop/there was a bench and a lamp, and the bus was always late
i train/on the train/the wheels sang on the rails, and the fields flew past the windows
i airport/at the airport/the planes came and went, and suitcases rolled over the floor
w waterfall/at the waterfall/the water thundered down, and rainbows stood in the spray
s coral reef/at the coral reef/the fish shone in every colour, and the light danced on the sand
s =the South Pole/at the South Pole/the ice was blue, and the night lasted for half a year
s =the North Pole/at the North Pole/the ice creaked, and green lights moved across the sky
s volcano/near the volcano/the earth was warm, and a thin smoke rose from the top
w canal/by the canal/boats went by slowly, and ducks slept on the bank
i lift/in the lift/buttons shone in two rows, and a bell rang at every floor
i prison/in the old prison/the walls were thick, and only a small piece of sky could be seen
i stable/in the stable/it was warm, and it smelled of hay
i greenhouse/in the greenhouse/the air was warm and damp, and tomatoes grew up to the roof
l graveyard/in the old graveyard/ivy grew over the stones, and an owl called at night
l labyrinth/in the labyrinth/every hedge looked like the next one, and nobody knew the way out
l =the ruins/in the ruins/the stones were overgrown, and lizards slept in the sun
l treehouse/in the treehouse/the leaves rustled on every side, and a rope ladder led down to the grass
l camp/in the camp/tents stood around a fire, and somebody always sang
l stadium/in the stadium/the grass was short and green, and the seats reached up to the sky
i gym/in the gym/ropes hung from the ceiling, and the floor smelled of rubber""".splitlines()]
CITIES = _list("""Paris, London, Berlin, Rome, Madrid, Vienna, Prague, Venice, Hamburg, Munich, New York, Tokyo, Lisbon, Dublin, Oslo, Amsterdam, Athens,
Cairo, Istanbul, Chicago, Zurich, Africa, India, China, Japan, Norway, Iceland, Scotland, Brazil, Alaska, Siberia, Italy, Greece""")
OF_CITIES = ["the roofs shone in the evening sun, and somebody was always playing a fiddle", "there were many roads, and each of them led to somewhere else",
             "the mornings were quiet, and the evenings were full of lights", "the people were busy, and the bells rang at noon"]
