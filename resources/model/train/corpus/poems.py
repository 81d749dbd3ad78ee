"""Poems of four lines: couplets by hand, two of one subject put together."""

from corpus import cast, grammar

# subject|other names of it, then couplets
_COUPLETS = """the moon|night|the night sky
The moon looks in through every pane, / and takes its silver back again.
The night is wide, the night is deep, / and even clocks are half asleep.
A cloud goes by without a sound / and lays its shadow on the ground.
The stars come out in twos and threes / and hang their lamps among the trees.
the sea|the ocean|waves|water
The sea comes in, the sea goes out, / and never tells what it's about.
The gulls are white, the waves are grey, / the wind has come a long, long way.
A shell remembers, small and round, / the whole great ocean in one sound.
I wrote my name upon the sand; / the water took it from my hand.
a cat|cats|my cat
The cat sits on the window sill, / the world goes by, and she sits still.
She walks as softly as the snow / and never says where she will go.
Her eyes are lamps of green and gold, / her secrets never will be told.
A ball of wool, a patch of sun, / and all the work of day is done.
a dog|dogs|my dog
My dog is waiting at the door / as if I'd never come before.
He gives his heart, he gives his paw, / the truest friend you ever saw.
He chased a leaf, he chased a bee, / and then he came to sleep by me.
He knows my step upon the stair / and tells the house that I am there.
rain|a rainy day|the rain
The rain is knocking, light and thin, / and asks if it may not come in.
Each drop that falls upon the stone / is never long a drop alone.
The street becomes a silver stream, / the lamps are floating in a dream.
Umbrellas bloom along the way / like flowers on a day of grey.
spring|flowers|a flower|the garden
The snow has gone, the brook runs free, / a bird is singing in the tree.
A crocus lifts its yellow head / above the winter's empty bed.
The buds are small, the buds are tight, / they open softly overnight.
The bees come humming, one by one, / and every window wants the sun.
winter|snow|Christmas
The snow came down the whole night through / and made the oldest garden new.
The pond is glass, the trees are white, / the stars have never been so bright.
I hold my cup, I watch the glow / of one small window on the snow.
The world is quiet, wrapped and warm, / and waits until there is no storm.
autumn|leaves|fall
The leaves are yellow, brown and red; / they leave the branch and fly instead.
The apples wait in wooden rows, / and smoke goes where the cold wind blows.
The swallows gather on the wire / to follow summer's fading fire.
The evenings come a little soon / and hang a lantern, call it moon.
summer|the sun|sunshine
The sun has painted every wall, / and in the park the children call.
The afternoon is slow and long, / and every bush has got a song.
We ate our cherries by the lake / and gave the ducks a piece of cake.
The evening does not want to go; / the light is gold, the light is low.
a friend|friendship|friends|my best friend
A friend is someone who will stay / when all the rest have gone away.
We share our bread, we share our rain, / and laugh until the sun's again.
The road is short, the load is light, / when someone walks there on your right.
You need not speak, I need not ask: / together is an easy task.
love|my mother|my love|family
I have no gold, I have no ring, / but I have songs that I can sing.
A candle in the window stands / and love is warm as folded hands.
The smallest word, if it is true, / can carry all I feel for you.
Whatever road I have to roam, / the light you lit will bring me home.
a tree|trees|the forest|nature
The tree stands still and lets us see / how quiet something strong can be.
Its roots are deep, its crown is high, / it holds a little piece of sky.
A hundred birds have made their nest / within its arms and come to rest.
The moss is soft, the path is green, / the fox goes by and is not seen.
a star|stars|space|the universe
A star is small, a star is far, / and still we know it is a star.
Its light set out before my birth / to find its way to me and earth.
The dark is wide from end to end, / but every light can be a friend.
I made a wish and closed my eyes; / the star went on across the skies.
tokens|a language model|AI|yourself|a robot|machines
One token comes, and then one more, / and each one knows the ones before.
I do not dream, I do not sleep, / I only add and sum and keep.
Twelve layers deep the numbers flow, / and out comes one more word I know.
My cache remembers what you said, / so that it need not be re-read.
computers|a computer|programming|code|an engine|inference
The fans are humming, soft and low, / a thousand little numbers flow.
The batch is full, the queue is long, / and all the fans have got a song.
A small mistake, a missing line, / and then at last it all is fine.
The clock ticks fast, the lamps are green, / there is some beauty in a machine.
a bird|birds|a robin
A bird sat singing on the gate; / it did not mind that it was late.
It has no house, it has no key, / and still it sings for you and me.
Its wings are small, the sky is wide, / it has no road, it has no guide.
It lifted off without a word, / and all the sky was one small bird.
the morning|morning|coffee|breakfast|tea
The kettle sings, the bread is brown, / the sun looks over roof and town.
A cup of something warm to hold / is worth a heavy bag of gold.
The day is new, the page is white, / and everything may still go right.
The curtains breathe, the door stands wide, / and all the morning walks inside.
time|a clock|life|the clock
The clock says tick, the clock says tock, / as steady as the oldest rock.
An hour is long for those who wait, / and short for those who come too late.
You cannot keep it in a jar, / it only shows you where you are.
So take the day and hold it light, / and let it go again at night."""
# For any other subject; {x} stands where no rhyme hangs on it.
_ANY = """I thought about {x} all day / and let my worries blow away.
Of all the things that one can see, / {x} is good enough for me.
The others sing of gold and kings, / I sing of {x} and simple things.
If I could choose one thing to keep, / I'd dream of {x} in my sleep.
They asked me what was on my mind: / {x}, and things of every kind.
Here's to {x}, in rain or sun, / for those who rest and those who run.
Some write of war, some write of fame, / but {x} deserves a verse and name.
So here my little poem ends: / may {x} and you be always friends.""".splitlines()
_ASK = """write a poem|write me a poem|can you write a poem|a poem|a poem, please|make a poem|tell me a poem|I want a poem|give me a poem|compose a poem|could you write a poem
|do you know a poem|write a short poem|write a rhyme|a little rhyme|some verses|write four lines of poetry|please write a poem""".replace("\n", "").split("|")


def _parse():
    found = []
    for line in _COUPLETS.splitlines():
        if " / " in line:
            found[-1][1].append(line)
        else:
            found.append((line.split("|"), []))
    return found


POEMS = _parse()


def _lines(couplets):
    return "\n".join(line.strip() for couplet in couplets for line in couplet.split(" / "))


def exchange(rng):
    names, couplets = rng.choice(POEMS)
    ask, subject = rng.choice(_ASK), ""
    roll = rng.random()
    if roll < 0.55:
        subject = rng.choice(names)
    elif roll < 0.80:
        subject = "a " + rng.choice(cast.CREATURES + cast.THINGS)
        couplets = [grammar.polish(c.replace("{x}", subject)) for c in _ANY]
    asked = ask + (rng.choice([" about ", " about ", " on "]) + subject if subject else "")
    asked = grammar.polish(asked + ("?" if asked.startswith(("can", "could", "do ")) else "."))
    chosen = rng.sample(couplets, 2)
    turns = [(grammar.typed_by_hand(rng, asked), grammar.polish(_lines(chosen)))]
    rest = [c for c in couplets if c not in chosen]
    if rng.random() < 0.2:
        question = rng.choice(["another one.", "one more poem?", "and another verse?", "another poem, please.", "more, please."])
        turns.append((grammar.typed_by_hand(rng, question), grammar.polish(_lines(rng.sample(rest, 2)))))
    elif rng.random() < 0.1:
        turns.append((rng.choice(["that's nice.", "Beautiful!", "i like it", "nice poem"]), "Thank you! I only know simple rhymes."))
    return turns
