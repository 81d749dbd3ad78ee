<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>EventText</name>
    <message numerus="yes">
        <source>%1, %n step(s) old</source>
        <translation>
            <numerusform>%1, %n step old</numerusform>
            <numerusform>%1, %n steps old</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 (%2), prompt of %n token(s)</source>
        <translation>
            <numerusform>%1 (%2), prompt of %n token</numerusform>
            <numerusform>%1 (%2), prompt of %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n reference(s)</source>
        <translation>
            <numerusform>%n reference</numerusform>
            <numerusform>%n references</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 at %2, %n stage(s)</source>
        <translation>
            <numerusform>%1 at %2, %n stage</numerusform>
            <numerusform>%1 at %2, %n stages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 at length %2: %3 of %4 continuations go on, %n hypothesis(es)</source>
        <translation>
            <numerusform>%1 at length %2: %3 of %4 continuations go on, %n hypothesis</numerusform>
            <numerusform>%1 at length %2: %3 of %4 continuations go on, %n hypotheses</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n token(s) from %2</source>
        <translation>
            <numerusform>%1, %n token from %2</numerusform>
            <numerusform>%1, %n tokens from %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WhySentences</name>
    <message numerus="yes">
        <source>%1 is %n step(s) old and not done: from now on it counts as due.</source>
        <translation>
            <numerusform>%1 is %n step old and not done: from now on it counts as due.</numerusform>
            <numerusform>%1 is %n steps old and not done: from now on it counts as due.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation>
            <numerusform>%n block</numerusform>
            <numerusform>%n blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n are free</source>
        <translation>
            <numerusform>%n is free</numerusform>
            <numerusform>%n are free</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n were free</source>
        <translation>
            <numerusform>%n was free</numerusform>
            <numerusform>%n were free</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 arrives with a prompt of %2 and asks for %n answers.</source>
        <translation>
            <numerusform>%1 arrives with a prompt of %2 and asks for %n answer.</numerusform>
            <numerusform>%1 arrives with a prompt of %2 and asks for %n answers.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sequence(s)</source>
        <translation>
            <numerusform>%n sequence</numerusform>
            <numerusform>%n sequences</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) swapped out longest ago move from memory to the file, to make room.</source>
        <translation>
            <numerusform>%n block swapped out longest ago moves from memory to the file, to make room.</numerusform>
            <numerusform>%n blocks swapped out longest ago move from memory to the file, to make room.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cached block(s) nobody had used for longest are evicted to make room.</source>
        <translation>
            <numerusform>%n cached block, unused for longest, is evicted to make room.</numerusform>
            <numerusform>%n cached blocks, unused for longest, are evicted to make room.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n full block(s) enter the prefix cache, for any later prompt that begins alike.</source>
        <translation>
            <numerusform>%n full block enters the prefix cache, for any later prompt that begins alike.</numerusform>
            <numerusform>%n full blocks enter the prefix cache, for any later prompt that begins alike.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) swapped out longest ago move from memory to the file, to make room.</source>
        <translation>
            <numerusform>%n block swapped out longest ago moves from memory to the file, to make room.</numerusform>
            <numerusform>%n blocks swapped out longest ago move from memory to the file, to make room.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::BlockMapModel</name>
    <message numerus="yes">
        <source>shared, %n references</source>
        <translation>
            <numerusform>shared, %n reference</numerusform>
            <numerusform>shared, %n references</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n in front of it</source>
        <translation>
            <numerusform>%n in front of it</numerusform>
            <numerusform>%n in front of it</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::BlockMapView</name>
    <message numerus="yes">
        <source>%n free but still cached</source>
        <translation>
            <numerusform>%n free but still cached</numerusform>
            <numerusform>%n free but still cached</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ChatModel</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n prompt token(s) from the cache</source>
        <translation>
            <numerusform>%n prompt token from the cache</numerusform>
            <numerusform>%n prompt tokens from the cache</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ContextMeter</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation>
            <numerusform>%n block</numerusform>
            <numerusform>%n blocks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::LaneModel</name>
    <message numerus="yes">
        <source>prefill, %n token(s)</source>
        <translation>
            <numerusform>prefill, %n token</numerusform>
            <numerusform>prefill, %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>decode, %n token(s)</source>
        <translation>
            <numerusform>decode, %n token</numerusform>
            <numerusform>decode, %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>preempted, %n computed token(s) lost</source>
        <translation>
            <numerusform>preempted, %n computed token lost</numerusform>
            <numerusform>preempted, %n computed tokens lost</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n computed token(s) did not come back</source>
        <translation>
            <numerusform>%n computed token did not come back</numerusform>
            <numerusform>%n computed tokens did not come back</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) came from the prefix cache</source>
        <translation>
            <numerusform>%n token came from the prefix cache</numerusform>
            <numerusform>%n tokens came from the prefix cache</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::MessageBar</name>
    <message numerus="yes">
        <source>The conversation is longer than the model&apos;s context: the %n oldest message(s) were left out.</source>
        <translation>
            <numerusform>The conversation is longer than the model&apos;s context: the oldest message was left out.</numerusform>
            <numerusform>The conversation is longer than the model&apos;s context: the %n oldest messages were left out.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::RequestListModel</name>
    <message numerus="yes">
        <source>needs %n block(s)</source>
        <translation>
            <numerusform>needs %n block</numerusform>
            <numerusform>needs %n blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n free</source>
        <translation>
            <numerusform>%n free</numerusform>
            <numerusform>%n free</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>writes: %n token(s) so far</source>
        <translation>
            <numerusform>writes: %n token so far</numerusform>
            <numerusform>writes: %n tokens so far</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s), %1</source>
        <translation>
            <numerusform>%n token, %1</numerusform>
            <numerusform>%n tokens, %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::RequestsView</name>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation>
            <numerusform>%n block</numerusform>
            <numerusform>%n blocks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::WhyModel</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
</context>
</TS>
