<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>FileText</name>
    <message numerus="yes">
        <source>The text of a PDF of %Ln page(s)</source>
        <translation>
            <numerusform>The text of a PDF of %Ln page</numerusform>
            <numerusform>The text of a PDF of %Ln pages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::BatchModel</name>
    <message numerus="yes">
        <source>%n row(s) · %1 · %2</source>
        <translation>
            <numerusform>%n row · %1 · %2</numerusform>
            <numerusform>%n rows · %1 · %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Before, the first layers of the model drafted in %n small batch(es), one token of each draft at a time; this forward goes on from their hidden states.</source>
        <translation>
            <numerusform>Before, the first layers of the model drafted in %n small batch, one token of each draft at a time; this forward goes on from their hidden states.</numerusform>
            <numerusform>Before, the first layers of the model drafted in %n small batches, one token of each draft at a time; this forward goes on from their hidden states.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>sees %n token(s), itself included</source>
        <translation>
            <numerusform>sees %n token, itself included</numerusform>
            <numerusform>sees %n tokens, itself included</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A GPU knows steps of some sizes only. This batch of %1 runs in the graph of %2: the GPU computes %n row(s) of padding in vain.</source>
        <translation>
            <numerusform>A GPU knows steps of some sizes only. This batch of %1 runs in the graph of %2: the GPU computes %n row of padding in vain.</numerusform>
            <numerusform>A GPU knows steps of some sizes only. This batch of %1 runs in the graph of %2: the GPU computes %n rows of padding in vain.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>behind it: %n row(s) of padding</source>
        <translation>
            <numerusform>behind it: %n row of padding</numerusform>
            <numerusform>behind it: %n rows of padding</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::BatchView</name>
    <message numerus="yes">
        <source>… %n more row(s) of %1, to position %2</source>
        <translation>
            <numerusform>… %n more row of %1, to position %2</numerusform>
            <numerusform>… %n more rows of %1, to position %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more row(s) of %1, folded; Enter shows them</source>
        <translation>
            <numerusform>%n more row of %1, folded; Enter shows them</numerusform>
            <numerusform>%n more rows of %1, folded; Enter shows them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) of padding</source>
        <translation>
            <numerusform>%n row of padding</numerusform>
            <numerusform>%n rows of padding</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::BeamTreeModel</name>
    <message numerus="yes">
        <source>worse: complete with score %1, the worst of the %n hypothesis(es) has %2</source>
        <translation>
            <numerusform>worse: complete with score %1, the only hypothesis has %2</numerusform>
            <numerusform>worse: complete with score %1, the worst of the %n hypotheses has %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>too low: complete, but at place %1, and only the first %n continuation(s) count</source>
        <translation>
            <numerusform>too low: complete, but at place %1, and only the first continuation counts</numerusform>
            <numerusform>too low: complete, but at place %1, and only the first %n continuations count</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n continuation(s), %1 kept</source>
        <translation>
            <numerusform>%n continuation, %1 kept</numerusform>
            <numerusform>%n continuations, %1 kept</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worse continuation(s) not shown</source>
        <translation>
            <numerusform>%n worse continuation not shown</numerusform>
            <numerusform>%n worse continuations not shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hypothesis(es) so far</source>
        <translation>
            <numerusform>%n hypothesis so far</numerusform>
            <numerusform>%n hypotheses so far</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::BenchResultsWindow</name>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n thread</numerusform>
            <numerusform>%n threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) stand side by side here at most.</source>
        <translation>
            <numerusform>%n file stands here at most.</numerusform>
            <numerusform>%n files stand side by side here at most.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::BenchTableModel</name>
    <message numerus="yes">
        <source>Measured %n time(s):</source>
        <translation>
            <numerusform>Measured once:</numerusform>
            <numerusform>Measured %n times:</numerusform>
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
        <source>%n block(s) before it in the free queue</source>
        <translation>
            <numerusform>%n block before it in the free queue</numerusform>
            <numerusform>%n blocks before it in the free queue</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::BlockedModel</name>
    <message numerus="yes">
        <source>%1: %n step(s)</source>
        <translation>
            <numerusform>%1: %n step</numerusform>
            <numerusform>%1: %n steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::BlockedView</name>
    <message numerus="yes">
        <source>%n step(s) of waiting</source>
        <translation>
            <numerusform>%n step of waiting</numerusform>
            <numerusform>%n steps of waiting</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::BranchMapModel</name>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Other branches took %1 tokens = %n block(s) from the cache: computed once.</source>
        <translation>
            <numerusform>Other branches took %1 tokens = %n block from the cache: computed once.</numerusform>
            <numerusform>Other branches took %1 tokens = %n blocks from the cache: computed once.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ChatController</name>
    <message numerus="yes">
        <source>Stopped at %n token(s)</source>
        <translation>
            <numerusform>Stopped at %n token</numerusform>
            <numerusform>Stopped at %n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ChatFiles</name>
    <message numerus="yes">
        <source>%1 has %Ln token(s). The context of this model has room for %2, other files of the message included.</source>
        <translation>
            <numerusform>%1 has %Ln token. The context of this model has room for %2, other files of the message included.</numerusform>
            <numerusform>%1 has %Ln tokens. The context of this model has room for %2, other files of the message included.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 has %Ln token(s). The KV memory has room for %2, other files of the message included.</source>
        <translation>
            <numerusform>%1 has %Ln token. The KV memory has room for %2, other files of the message included.</numerusform>
            <numerusform>%1 has %Ln tokens. The KV memory has room for %2, other files of the message included.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ChatImporting</name>
    <message numerus="yes">
        <source>%n picture(s) marked</source>
        <translation>
            <numerusform>%n picture marked</numerusform>
            <numerusform>%n pictures marked</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) marked</source>
        <translation>
            <numerusform>%n file marked</numerusform>
            <numerusform>%n files marked</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sound(s) or video(s) marked</source>
        <translation>
            <numerusform>%n sound or video marked</numerusform>
            <numerusform>%n sounds and videos marked</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) of tools marked</source>
        <translation>
            <numerusform>%n request of a tool marked</numerusform>
            <numerusform>%n requests of tools marked</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n reference(s) written as links</source>
        <translation>
            <numerusform>%n reference written as a link</numerusform>
            <numerusform>%n references written as links</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hidden message(s) left out</source>
        <translation>
            <numerusform>%n hidden message left out</numerusform>
            <numerusform>%n hidden messages left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n empty message(s) or chat(s) left out</source>
        <translation>
            <numerusform>%n empty message or chat left out</numerusform>
            <numerusform>%n empty messages and chats left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entry(s) of another kind left out</source>
        <translation>
            <numerusform>%n entry of another kind left out</numerusform>
            <numerusform>%n entries of another kind left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n chat</numerusform>
            <numerusform>%n chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) were imported.</source>
        <translation>
            <numerusform>%n chat was imported.</numerusform>
            <numerusform>%n chats were imported.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ChatListView</name>
    <message numerus="yes">
        <source>&amp;Export %n chat(s)…</source>
        <translation>
            <numerusform>&amp;Export %n chat…</numerusform>
            <numerusform>&amp;Export %n chats…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ChatMenu</name>
    <message numerus="yes">
        <source>A folder for %n Markdown file(s)</source>
        <translation>
            <numerusform>A folder for %n Markdown file</numerusform>
            <numerusform>A folder for %n Markdown files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) exported to %1</source>
        <translation>
            <numerusform>%n chat exported to %1</numerusform>
            <numerusform>%n chats exported to %1</numerusform>
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
        <source>%n token(s) more, %1 in all</source>
        <translation>
            <numerusform>%n token more, %1 in all</numerusform>
            <numerusform>%n tokens more, %1 in all</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ChatSettingsDialog</name>
    <message numerus="yes">
        <source>%Ln token(s), before each question of this chat.</source>
        <translation>
            <numerusform>%Ln token, before each question of this chat.</numerusform>
            <numerusform>%Ln tokens, before each question of this chat.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tool(s): %1</source>
        <translation>
            <numerusform>%n tool: %1</numerusform>
            <numerusform>%n tools: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ConnectDialog</name>
    <message numerus="yes">
        <source>%1, %n model(s)</source>
        <translation>
            <numerusform>%1, %n model</numerusform>
            <numerusform>%1, %n models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ContextLine</name>
    <message numerus="yes">
        <source>%1 · %n would do now; with more, the next turns find the rest in the cache</source>
        <translation>
            <numerusform>%1 · %n would do now; with more, the next turns find the rest in the cache</numerusform>
            <numerusform>%1 · %n would do now; with more, the next turns find the rest in the cache</numerusform>
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
    <message numerus="yes">
        <source>%n block(s) cached</source>
        <translation>
            <numerusform>%n block cached</numerusform>
            <numerusform>%n blocks cached</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No sequence holds it now. %n block(s) of it are still cached: the next question need not compute them again.</source>
        <translation>
            <numerusform>No sequence holds it now. %n block of it is still cached: the next question need not compute it again.</numerusform>
            <numerusform>No sequence holds it now. %n blocks of it are still cached: the next question need not compute them again.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::DeletedChatsDialog</name>
    <message numerus="yes">
        <source>There is no deleted chat. A chat that you delete can be brought back for %n day(s).</source>
        <translation>
            <numerusform>There is no deleted chat. A chat that you delete can be brought back for one day.</numerusform>
            <numerusform>There is no deleted chat. A chat that you delete can be brought back for %n days.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A deleted chat can be brought back for %n day(s). Then it goes for good.</source>
        <translation>
            <numerusform>A deleted chat can be brought back for one day. Then it goes for good.</numerusform>
            <numerusform>A deleted chat can be brought back for %n days. Then it goes for good.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::DeletedMessagesDialog</name>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>There is no deleted message in this chat. A message that you delete can be brought back for %n day(s).</source>
        <translation>
            <numerusform>There is no deleted message in this chat. A message that you delete can be brought back for %n day.</numerusform>
            <numerusform>There is no deleted message in this chat. A message that you delete can be brought back for %n days.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>What was deleted in this chat can be brought back for %n day(s). Then it goes for good.</source>
        <translation>
            <numerusform>What was deleted in this chat can be brought back for %n day. Then it goes for good.</numerusform>
            <numerusform>What was deleted in this chat can be brought back for %n days. Then it goes for good.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::Desk</name>
    <message numerus="yes">
        <source>&amp;Delete %n chat(s)</source>
        <translation>
            <numerusform>&amp;Delete %n chat</numerusform>
            <numerusform>&amp;Delete %n chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Undo delete: %n message(s)</source>
        <translation>
            <numerusform>Undo delete: %n message</numerusform>
            <numerusform>Undo delete: %n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Undo delete: %n chat(s)</source>
        <translation>
            <numerusform>Undo delete: %n chat</numerusform>
            <numerusform>Undo delete: %n chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Delete this version and what follows: %n message(s)</source>
        <translation>
            <numerusform>&amp;Delete this version and what follows: %n message</numerusform>
            <numerusform>&amp;Delete this version and what follows: %n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Delete from here on: %n message(s)</source>
        <translation>
            <numerusform>&amp;Delete from here on: %n message</numerusform>
            <numerusform>&amp;Delete from here on: %n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Delete this branch: %n message(s)</source>
        <translation>
            <numerusform>&amp;Delete this branch: %n message</numerusform>
            <numerusform>&amp;Delete this branch: %n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Undo bringing back: %n message(s)</source>
        <translation>
            <numerusform>Undo bringing back: %n message</numerusform>
            <numerusform>Undo bringing back: %n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::FigureModel</name>
    <message numerus="yes">
        <source>; from %1 to %2, measured %n time(s)</source>
        <translation>
            <numerusform>; from %1 to %2, measured once</numerusform>
            <numerusform>; from %1 to %2, measured %n times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::FileChips</name>
    <message numerus="yes">
        <source>%1 · %2 · %Ln token(s)</source>
        <translation>
            <numerusform>%1 · %2 · %Ln token</numerusform>
            <numerusform>%1 · %2 · %Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln byte(s)</source>
        <translation>
            <numerusform>%Ln byte</numerusform>
            <numerusform>%Ln bytes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::InsideModel</name>
    <message numerus="yes">
        <source>%1 · %n token(s) of step %2, computed again</source>
        <translation>
            <numerusform>%1 · %n token of step %2, computed again</numerusform>
            <numerusform>%1 · %n tokens of step %2, computed again</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::LaneModel</name>
    <message numerus="yes">
        <source>decode, %1 of %n draft token(s) accepted</source>
        <translation>
            <numerusform>decode, %1 of %n draft token accepted</numerusform>
            <numerusform>decode, %1 of %n draft tokens accepted</numerusform>
        </translation>
    </message>
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
        <source>swapping in failed, %n computed token(s) lost</source>
        <translation>
            <numerusform>swapping in failed, %n computed token lost</numerusform>
            <numerusform>swapping in failed, %n computed tokens lost</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) from the prefix cache</source>
        <translation>
            <numerusform>%n token from the prefix cache</numerusform>
            <numerusform>%n tokens from the prefix cache</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::LaunchesModel</name>
    <message numerus="yes">
        <source>%n launch(es) · %1</source>
        <translation>
            <numerusform>%n launch · %1</numerusform>
            <numerusform>%n launches · %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n layer(s)</source>
        <translation>
            <numerusform>%1 of %n layer</numerusform>
            <numerusform>%1 of %n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Eager: the GPU waits for the next launch during %1 of the magnified time. The host asks for %n kernel(s), one after another.</source>
        <translation>
            <numerusform>Eager: the GPU waits for the next launch during %1 of the magnified time. The host asks for %n kernel.</numerusform>
            <numerusform>Eager: the GPU waits for the next launch during %1 of the magnified time. The host asks for %n kernels, one after another.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Batch %1 in a graph of %2: %n row(s) are padding, hatched in Batch. They read no weights of their own, so they cost little.</source>
        <translation>
            <numerusform>Batch %1 in a graph of %2: %n row is padding, hatched in Batch. It reads no weights of its own, so it costs little.</numerusform>
            <numerusform>Batch %1 in a graph of %2: %n rows are padding, hatched in Batch. They read no weights of their own, so they cost little.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::MainWindow</name>
    <message numerus="yes">
        <source>The conversation is longer than the model&apos;s context: the %n oldest message(s) were left out.</source>
        <translation>
            <numerusform>The conversation is longer than the model&apos;s context: the oldest message was left out.</numerusform>
            <numerusform>The conversation is longer than the model&apos;s context: the %n oldest messages were left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Follows the recording: %n step(s) equal</source>
        <translation>
            <numerusform>Follows the recording: %n step equal</numerusform>
            <numerusform>Follows the recording: %n steps equal</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The recording is at its end: all %n step(s) were equal</source>
        <translation>
            <numerusform>The recording is at its end: the one step was equal</numerusform>
            <numerusform>The recording is at its end: all %n steps were equal</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>serving on %1: %n request(s) wait</source>
        <translation>
            <numerusform>serving on %1: %n request waits</numerusform>
            <numerusform>serving on %1: %n requests wait</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::MessageWidget</name>
    <message numerus="yes">
        <source>Thinking: %n word(s)</source>
        <translation>
            <numerusform>Thinking: %n word</numerusform>
            <numerusform>Thinking: %n words</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Thought: %n word(s)</source>
        <translation>
            <numerusform>Thought: %n word</numerusform>
            <numerusform>Thought: %n words</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ModelChange</name>
    <message numerus="yes">
        <source>%n answer(s) are being written.</source>
        <translation>
            <numerusform>%n answer is being written.</numerusform>
            <numerusform>%n answers are being written.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::OperationsModel</name>
    <message numerus="yes">
        <source>%1: %2, %3 of the forward, %n call(s)</source>
        <translation>
            <numerusform>%1: %2, %3 of the forward, %n call</numerusform>
            <numerusform>%1: %2, %3 of the forward, %n calls</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::PrefixTreeModel</name>
    <message numerus="yes">
        <source>%n cached block(s) · %1 in use</source>
        <translation>
            <numerusform>%n cached block · %1 in use</numerusform>
            <numerusform>%n cached blocks · %1 in use</numerusform>
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
        <source>found %n time(s) in the cache</source>
        <translation>
            <numerusform>found once in the cache</numerusform>
            <numerusform>found %n times in the cache</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::PrefixTreeView</name>
    <message numerus="yes">
        <source>%n hit(s)</source>
        <translation>
            <numerusform>%n hit</numerusform>
            <numerusform>%n hits</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::PromptModel</name>
    <message numerus="yes">
        <source>Line %1 wrote %n token(s).</source>
        <translation>
            <numerusform>Line %1 wrote %n token.</numerusform>
            <numerusform>Line %1 wrote %n tokens.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Line %1 wrote %n token(s), in %2.</source>
        <translation>
            <numerusform>Line %1 wrote %n token, in %2.</numerusform>
            <numerusform>Line %1 wrote %n tokens, in %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The first %n token(s) are those of the last prompt and its answer</source>
        <translation>
            <numerusform>The first token is that of the last prompt and its answer</numerusform>
            <numerusform>The first %n tokens are those of the last prompt and its answer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The first %n token(s) are those of the last prompt</source>
        <translation>
            <numerusform>The first token is that of the last prompt</numerusform>
            <numerusform>The first %n tokens are those of the last prompt</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::PromptPage</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The thoughts of %n answer(s) (%1) are left out: the template drops them.</source>
        <translation>
            <numerusform>The thoughts of %n answer (%1) are left out: the template drops them.</numerusform>
            <numerusform>The thoughts of %n answers (%1) are left out: the template drops them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ordinary token(s)</source>
        <translation>
            <numerusform>%n ordinary token</numerusform>
            <numerusform>%n ordinary tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::PromptView</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them written by the template</source>
        <translation>
            <numerusform>%n of them written by the template</numerusform>
            <numerusform>%n of them written by the template</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) left out</source>
        <translation>
            <numerusform>%n message left out</numerusform>
            <numerusform>%n messages left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::RequestCards</name>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation>
            <numerusform>%n block</numerusform>
            <numerusform>%n blocks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::RequestListModel</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n runs</numerusform>
            <numerusform>%n run</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n wait(s)</source>
        <translation>
            <numerusform>%n waits</numerusform>
            <numerusform>%n wait</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n beam(s): %1</source>
        <translation>
            <numerusform>%n beam: %1</numerusform>
            <numerusform>%n beams: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s): %1</source>
        <translation>
            <numerusform>%n answer: %1</numerusform>
            <numerusform>%n answers: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::RunOpening</name>
    <message numerus="yes">
        <source>%1 has %n event(s) that this program does not know; they are left out.</source>
        <translation>
            <numerusform>%1 has %n event that this program does not know; it is left out.</numerusform>
            <numerusform>%1 has %n events that this program does not know; they are left out.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::SamplerControls</name>
    <message numerus="yes">
        <source>%n answer(s)</source>
        <translation>
            <numerusform>%n answer</numerusform>
            <numerusform>%n answers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n beam(s)</source>
        <translation>
            <numerusform>%n beam</numerusform>
            <numerusform>%n beams</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::ServeDialog</name>
    <message numerus="yes">
        <source>%n connection(s)</source>
        <translation>
            <numerusform>%n connection</numerusform>
            <numerusform>%n connections</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) under way</source>
        <translation>
            <numerusform>%n request under way</numerusform>
            <numerusform>%n requests under way</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::SpeculationModel</name>
    <message numerus="yes">
        <source>own first %n layer(s)</source>
        <translation>
            <numerusform>own first layer</numerusform>
            <numerusform>own first %n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>n-grams of up to %n token(s)</source>
        <translation>
            <numerusform>n-grams of up to %n token</numerusform>
            <numerusform>n-grams of up to %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n draft(s) · mean accepted length %1 · %2 of the judged tokens accepted</source>
        <translation>
            <numerusform>%n draft · mean accepted length %1 · %2 of the judged tokens accepted</numerusform>
            <numerusform>%n drafts · mean accepted length %1 · %2 of the judged tokens accepted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n drafted step(s)</source>
        <translation>
            <numerusform>%n drafted step</numerusform>
            <numerusform>%n drafted steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n plain step(s)</source>
        <translation>
            <numerusform>%n plain step</numerusform>
            <numerusform>%n plain steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>last %n drafted step(s): %1 accepted</source>
        <translation>
            <numerusform>last %n drafted step: %1 accepted</numerusform>
            <numerusform>last %n drafted steps: %1 accepted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Token %1 of a draft: %2 accepted, %3 of %n judged. It is judged when all before it were accepted.</source>
        <translation>
            <numerusform>Token %1 of a draft: %2 accepted, %3 of %n judged. It is judged when all before it were accepted.</numerusform>
            <numerusform>Token %1 of a draft: %2 accepted, %3 of %n judged. It is judged when all before it were accepted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Step %1: %2 of %n draft token(s) accepted</source>
        <translation>
            <numerusform>Step %1: %2 of %n draft token accepted</numerusform>
            <numerusform>Step %1: %2 of %n draft tokens accepted</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::StepComparisonModel</name>
    <message numerus="yes">
        <source>%n difference(s)</source>
        <translation>
            <numerusform>%n difference</numerusform>
            <numerusform>%n differences</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::TableBoxes</name>
    <message numerus="yes">
        <source>Table, %n columns</source>
        <translation>
            <numerusform>Table, %n column</numerusform>
            <numerusform>Table, %n columns</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::TemplateView</name>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n line</numerusform>
            <numerusform>%n lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::TextModel</name>
    <message numerus="yes">
        <source>%1 · %n prompt token(s) · %2 of %3</source>
        <translation>
            <numerusform>%1 · %n prompt token · %2 of %3</numerusform>
            <numerusform>%1 · %n prompt tokens · %2 of %3</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::TextView</name>
    <message numerus="yes">
        <source>Prompt · %n token(s)</source>
        <translation>
            <numerusform>Prompt · %n token</numerusform>
            <numerusform>Prompt · %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Answer · %n token(s)</source>
        <translation>
            <numerusform>Answer · %n token</numerusform>
            <numerusform>Answer · %n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::TypeSharesBar</name>
    <message numerus="yes">
        <source>%1 of the bytes, %2 in %n tensor(s)</source>
        <translation>
            <numerusform>%1 of the bytes, %2 in %n tensor</numerusform>
            <numerusform>%1 of the bytes, %2 in %n tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::TypedTokens</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::WhyModel</name>
    <message numerus="yes">
        <source>Step %1: %n token(s) came</source>
        <translation>
            <numerusform>Step %1: %n token came</numerusform>
            <numerusform>Step %1: %n tokens came</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>vitrine::Wording</name>
    <message numerus="yes">
        <source>%n token(s) in it</source>
        <translation>
            <numerusform>%n token in it</numerusform>
            <numerusform>%n tokens in it</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) out</source>
        <translation>
            <numerusform>%n block out</numerusform>
            <numerusform>%n blocks out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) on to the disk</source>
        <translation>
            <numerusform>%n block on to the disk</numerusform>
            <numerusform>%n blocks on to the disk</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) back in</source>
        <translation>
            <numerusform>%n block back in</numerusform>
            <numerusform>%n blocks back in</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s)</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stop string(s)</source>
        <translation>
            <numerusform>%n stop string</numerusform>
            <numerusform>%n stop strings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>answer(s)</source>
        <translation>
            <numerusform>answer</numerusform>
            <numerusform>answers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>beam(s)</source>
        <translation>
            <numerusform>beam</numerusform>
            <numerusform>beams</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>layer(s)</source>
        <translation>
            <numerusform>layer</numerusform>
            <numerusform>layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>step(s)</source>
        <translation>
            <numerusform>step</numerusform>
            <numerusform>steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>token(s)</source>
        <translation>
            <numerusform>token</numerusform>
            <numerusform>tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>One of %n text(s)</source>
        <translation>
            <numerusform>One of %n text</numerusform>
            <numerusform>One of %n texts</numerusform>
        </translation>
    </message>
</context>
</TS>
