// Each format of chats: what is kept, what is marked, what is left out and counted; and a file that is of no
// format, or has only the keys of one.
#include <QTest>

#include "history/chat_import.h"
#include "history/chat_source.h"
#include "vitrine/error.h"

using namespace vitrine;

namespace {

struct Imported {
  std::vector<ChatRecord> chats;
  ImportReport report;

  const ChatRecord& chat() const { return chats.at(0); }
  const MessageRecord& message(std::size_t place) const { return chats.at(0).messages.at(place); }
  int noted(ImportNote note) const { return report.notes.of(note); }
};

Imported import(std::string_view json) {
  Imported all;
  all.chats = readChats(json, "file.json", &all.report);
  return all;
}

// "user: text", "assistant <thinking>: text", each below its parent.
QStringList outline(const ChatRecord& chat) {
  QStringList lines;
  for (const MessageRecord& message : chat.messages) {
    QString line = QStringLiteral("%1<%2 ").arg(message.id).arg(message.parent) + nameOf(message.role);
    if (!message.thinking.isEmpty()) line += " <" + message.thinking + '>';
    lines += line + ": " + message.text;
  }
  return lines;
}

// Raw strings here have an even number of quotes, none behind a backslash, and no "//": moc takes them for
// plain ones.
std::string filled(const char* text, const std::string& a, const std::string& b = {},
                   const std::string& c = {}, const std::string& d = {}, const std::string& e = {}) {
  const auto wide = [](const std::string& part) { return QString::fromStdString(part); };
  return QString::fromUtf8(text).arg(wide(a), wide(b), wide(c), wide(d), wide(e)).toStdString();
}

std::string chatGpt(const std::string& nodes, const std::string& more = {}) {
  return filled(R"([{"title": "Garden plan", "create_time": 1765000000.1, "mapping": {"r": {"message": null,
    "parent": null, "children": []}%1}%2%3%4%5}])",
                nodes, more);
}

// A node below `parent`, with its message's author, content and whatever stands beside them.
std::string node(const char* id, const char* parent, const char* role, const std::string& content,
                 const std::string& more = {}) {
  return filled(
      R"(, "%1": {"parent": "%2", "children": [], "message": {"author": {"role": "%3"}, "content": %4%5}})",
      id, parent, role, content, more);
}

std::string said(const std::string& text) {
  return filled(R"({"content_type": "text", "parts": ["%1%2%3%4%5"]})", text);
}

}  // namespace

class TestChatFormats : public QObject {
  Q_OBJECT

 private slots:
  void chatGptsModelIsTheConversationsWhereNoMessageNamesOne() {
    const Imported all = import(
        chatGpt(node("a", "r", "user", said("Peas?")) + node("b", "a", "assistant", said("March.")) +
                    node("c", "b", "assistant", said("April."), R"(, "metadata": {"model_slug": "o3"})"),
                R"(, "current_node": "c", "default_model_slug": "gpt-5-thinking")"));
    QCOMPARE(all.report.format, "ChatGPT");
    QCOMPARE(all.chat().summary.title, "Garden plan");
    QCOMPARE(all.message(1).provenance.model, "gpt-5-thinking");
    QCOMPARE(all.message(2).provenance.model, "o3");
    QVERIFY(all.message(0).provenance.model.isEmpty());
  }

  void chatGptsMarksOfReferencesBecomeLinks() {
    const std::string marked =
        R"(Sow in March \ue200cite\ue202turn0search0\ue202turn0search1\ue201. Ask \ue200entity\ue202[\u0022person\u0022,\u0022Mendel\u0022,\u0022monk\u0022]\ue201\ue200navlist\ue202x\ue202turn1\ue201. \ue203Lit\ue204 x)";
    const std::string references = R"(, "metadata": {"content_references": [{"type": "grouped_webpages",
      "matched_text": "\ue200cite\ue202turn0search0\ue202turn0search1\ue201",
      "items": [{"title": "Peas", "url": "https:\/\/peas.example"}]}]})";
    const Imported all = import(chatGpt(node("a", "r", "user", said("Peas?")) +
                                        node("b", "a", "assistant", said(marked), references)));
    QCOMPARE(all.message(1).text, "Sow in March ([Peas](https://peas.example)). Ask Mendel. Lit x");
    QCOMPARE(all.noted(ImportNote::kReference), 1);
    // The older ones, whose places are code points: a letter outside the BMP is one.
    const Imported old = import(chatGpt(node(
        "b", "r", "assistant", said("𝛑 March【3†source】 or April【4†x】."),
        R"(, "metadata": {"citations": [{"start_ix": 7, "end_ix": 17, "metadata": {"title": "Peas", "url": "https:\/\/p.example"}}]})")));
    QCOMPARE(old.message(0).text, "𝛑 March([Peas](https://p.example)) or April.");
  }

  void chatGptsToolsFilesAndHiddenMessagesAreMarkedAndCounted() {
    const Imported all = import(chatGpt(
        node(
            "i", "r", "user",
            R"({"content_type": "user_editable_context", "user_profile": "I garden.", "user_instructions": "Be brief."})",
            R"(, "metadata": {"is_visually_hidden_from_conversation": true})") +
        node("h", "i", "system", said("Secret."),
             R"(, "metadata": {"is_visually_hidden_from_conversation": true})") +
        node(
            "q", "h", "user",
            R"({"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"},
               {"content_type": "audio_transcription", "text": "Said aloud"}, {"content_type": "audio_asset_pointer"}, "Written"]})",
            R"(, "metadata": {"attachments": [{"name": "leaf.png", "mime_type": "image/png"}, {"name": "plan.pdf", "mime_type": "application/pdf"}]})") +
        node("c", "q", "assistant",
             R"x({"content_type": "code", "language": "python", "text": "print('```')"})x",
             R"(, "recipient": "python")") +
        node("o", "c", "tool", R"({"content_type": "execution_output", "text": "42"})") +
        node("e", "o", "assistant", said("")) +
        node(
            "w", "e", "tool",
            R"({"content_type": "tether_quote", "url": "https:\/\/p.example", "title": "Peas", "text": "Sow early."})") +
        node("x", "w", "assistant", said("Cut"),
             R"(, "metadata": {"finish_details": {"type": "max_tokens"}})")));
    QCOMPARE(all.chat().settings.instructions, "I garden.\n\nBe brief.");
    QCOMPARE(outline(all.chat()),
             (QStringList{"1<0 user: [file: plan.pdf]\n\n[picture]\n\nSaid aloud\n\n[sound]\n\nWritten",
                          "2<1 assistant: [tool: python]\n\n````python\nprint('```')\n````",
                          "3<2 tool: ```\n42\n```", "4<3 tool: Peas\n\nhttps://p.example\n\nSow early.",
                          "5<4 assistant: Cut"}));
    QCOMPARE(all.message(4).limit, AnswerLimit::kTokens);
    QCOMPARE(all.noted(ImportNote::kHidden), 1);
    QCOMPARE(all.noted(ImportNote::kTool), 1);
    QCOMPARE(all.noted(ImportNote::kPicture), 1);
    QCOMPARE(all.noted(ImportNote::kSound), 1);
    QCOMPARE(all.noted(ImportNote::kFile), 1);
    QCOMPARE(all.noted(ImportNote::kEmpty), 1);
  }

  void thinkingWithoutAnAnswerIsKept() {
    const std::string thoughts =
        R"({"content_type": "thoughts", "thoughts": [{"summary": "Peas", "content": "Hm."}]})";
    const Imported all =
        import(chatGpt(node("q", "r", "user", said("Peas?")) + node("t", "q", "assistant", thoughts) +
                           node("n", "t", "user", said("Go on")) + node("u", "n", "assistant", thoughts),
                       R"(, "current_node": "u")"));
    QCOMPARE(outline(all.chat()), (QStringList{"1<0 user: Peas?", "2<1 assistant <Peas\n\nHm.>: ",
                                               "3<2 user: Go on", "4<3 assistant <Peas\n\nHm.>: "}));
    QCOMPARE(all.chat().shownLeaf, 4);
  }

  void lmStudiosToolsAndPicturesAreMarked() {
    const Imported all =
        import(R"({"name": "Peas", "createdAt": 1765000000000, "systemPrompt": "", "messages": [
      {"versions": [{"type": "singleStep", "role": "user", "content": [{"type": "file", "fileIdentifier": "1.png", "fileType": "image"},
        {"type": "text", "text": "What is it?"}]}], "currentlySelected": 0},
      {"versions": [{"type": "multiStep", "role": "assistant", "senderInfo": {"senderName": "qwen3-4b"}, "steps": [
        {"type": "contentBlock", "content": [{"type": "text", "text": "A leaf?"}], "style": {"type": "thinking"}},
        {"type": "contentBlock", "content": [{"type": "toolCallRequest", "name": "search", "parameters": {"q": "leaf"}}]},
        {"type": "toolStatus", "callId": 1},
        {"type": "contentBlock", "content": [{"type": "toolCallResult", "content": "[\u0022oak\u0022]"}]},
        {"type": "contentBlock", "content": [{"type": "text", "text": "An "}, {"type": "text", "text": "oak."}]}]}], "currentlySelected": 0}],
      "perChatPredictionConfig": {"fields": [{"key": "llm.prediction.systemPrompt", "value": "Be brief."}]}})");
    QCOMPARE(all.report.format, "LM Studio");
    QCOMPARE(all.chat().settings.instructions, "Be brief.");
    QCOMPARE(outline(all.chat()),
             (QStringList{"1<0 user: [picture: 1.png]\n\nWhat is it?",
                          "2<1 assistant <A leaf?>: [tool: search]\n\nAn oak.",
                          "3<2 tool: [tool request: search]\n\n```json\n{\n  \"q\": \"leaf\"\n}\n```\n\n"
                          "[tool result]\n\n```\n[\"oak\"]\n```"}));
    QCOMPARE(all.chat().shownLeaf, 3);
    QCOMPARE(all.noted(ImportNote::kTool), 1);
  }

  void lmStudiosJunkMakesNoMessage() {
    const Imported all = import(R"({"name": "Peas", "messages": ["junk",
      {"versions": [{"role": "user", "content": [{"type": "text", "text": "Peas?"}]}], "currentlySelected": 9},
      {"versions": [], "currentlySelected": 0}, {"versions": [{"role": "assistant", "steps": []}], "currentlySelected": 0},
      {"versions": [{"role": "user", "content": [{"type": "text", "text": "x"}]}], "currentlySelected": -3}]})");
    QCOMPARE(outline(all.chat()), (QStringList{"1<0 user: Peas?", "2<1 user: x"}));
    QCOMPARE(all.chat().shownLeaf, 2);
    QCOMPARE(all.noted(ImportNote::kStranger), 2);
    QCOMPARE(all.noted(ImportNote::kEmpty), 1);
  }

  void jansThreadIsRead() {
    const Imported all =
        import(R"({"title": "<b>Peas</b>", "exported_at": "2026-11-25T11:00:00.000Z", "messages": [
      {"id": "1", "role": "user", "created_at": 1765000000000, "content": [{"type": "text", "text": {"value":
        "When peas?\n\n[ATTACHED_FILES]\n- file_id: f1, name: plan.pdf, type: pdf\n[/ATTACHED_FILES]", "annotations": []}}]},
      {"id": "2", "role": "assistant", "metadata": {"modelId": "qwen3"}, "content": [
        {"type": "reasoning", "text": {"value": "Hm."}},
        {"type": "tool_call", "tool_name": "search", "input": {"q": 1}, "output": "oak"},
        {"type": "text", "text": {"value": "<think>More.</think>March."}}]},
      {"id": "3", "role": "user", "content": []}]})");
    QCOMPARE(all.report.format, "Jan");
    QCOMPARE(all.chat().summary.title, "Peas");
    QCOMPARE(all.message(0).createdMs, 1765000000000);
    QCOMPARE(outline(all.chat()), (QStringList{"1<0 user: [file: plan.pdf]\n\nWhen peas?",
                                               "2<1 assistant <Hm.\n\nMore.>: [tool: search]\n\nMarch.",
                                               "3<2 tool: [tool request: search]\n\n```json\n{\n  \"q\": "
                                               "1\n}\n```\n\n[tool result: search]\n\n```\noak\n```"}));
    QCOMPARE(all.message(1).provenance.model, "qwen3");
    QCOMPARE(all.noted(ImportNote::kEmpty), 1);
  }

  void jansBranchesAreKept() {
    const auto message = [](const char* id, const char* role, const char* more) {
      return filled(
          R"({"id": "%1", "role": "%2", "content": [{"type": "text", "text": {"value": "%1"}}], "metadata": {%3%4%5}})",
          id, role, more);
    };
    const std::string all = "{\"messages\": [" +
                            message("q", "user", R"("parentId": null, "activeChildId": "a")") + "," +
                            message("a", "assistant", R"("parentId": "q")") + "," +
                            message("b", "assistant", R"("parentId": "q")") + "]}";
    const Imported read = import(all);
    QCOMPARE(outline(read.chat()), (QStringList{"1<0 user: q", "2<1 assistant: a", "3<1 assistant: b"}));
    QCOMPARE(read.chat().shownLeaf, 2);
    // Its own folder has a thread's messages as lines.
    const Imported lines = import(message("q", "user", "") + "\n" + message("a", "assistant", "") + "\n");
    QCOMPARE(lines.report.format, "Jan");
    QCOMPARE(outline(lines.chat()), (QStringList{"1<0 user: q", "2<1 assistant: a"}));
  }

  void llamaCppsBranchesAndThinkingAreKept() {
    const Imported all = import(
        R"({"conv": {"id": "c", "name": "Peas", "lastModified": 1765000000000, "currNode": "m2"}, "messages": [
      {"id": "m0", "convId": "c", "type": "root", "role": "system", "content": "", "parent": "-1", "children": ["s"]},
      {"id": "s", "convId": "c", "type": "text", "role": "system", "content": "Be brief.", "parent": "m0", "children": ["m1"]},
      {"id": "m1", "convId": "c", "type": "text", "role": "user", "content": "When peas?", "parent": "s", "children": ["m2", "m3"],
       "timestamp": 1765000000001, "extra": [{"type": "TEXT", "name": "plan.txt", "content": "Rows"}, {"type": "IMAGE", "name": "leaf.png", "base64Url": "data:"}]},
      {"id": "m2", "convId": "c", "type": "text", "role": "assistant", "content": "March.", "thinking": "hm", "parent": "m1", "children": [],
       "model": "qwen3", "timings": {"prompt_n": 3, "cache_n": 4, "prompt_ms": 2.5, "predicted_n": 6, "predicted_ms": 1}},
      {"id": "m3", "convId": "c", "type": "text", "role": "assistant", "content": "<<<reasoning_content_start>>>why<<<reasoning_content_end>>>April.",
       "parent": "m1", "children": []}]})");
    QCOMPARE(all.report.format, "llama.cpp's page");
    QCOMPARE(all.chat().summary.title, "Peas");
    QCOMPARE(all.chat().settings.instructions, "Be brief.");
    QCOMPARE(outline(all.chat()),
             (QStringList{"1<0 user: [file: plan.txt]\n\n```\nRows\n```\n\n[picture: leaf.png]\n\nWhen peas?",
                          "2<1 assistant <hm>: March.", "3<1 assistant <why>: April."}));
    QCOMPARE(all.chat().shownLeaf, 2);
    QCOMPARE(all.message(1).provenance.model, "qwen3");
    QVERIFY(all.message(1).timings == (AnswerTimings{0, 2'500'000, 0, 1'000'000, 7, 4, 6}));
  }

  void llamaCppsLinesAreSessionsWithTools() {
    const Imported all = import(
        R"({"harness": "llama.cpp", "type": "session", "id": "c", "name": "Peas", "currNode": "d", "pinned": true})"
        "\n"
        R"({"type": "message", "message": {"id": "a", "type": "text", "role": "user", "content": "Peas?", "parent": "r"}})"
        "\n"
        R"({"type": "message", "message": {"id": "b", "type": "text", "role": "assistant", "content": "", "reasoningContent": "hm", "parent": "a", "toolCalls": [{"function": {"name": "search", "arguments": "{\u0022q\u0022: 1}"}}]}})"
        "\n"
        R"({"type": "message", "message": {"id": "t", "type": "text", "role": "tool", "content": "oak", "toolCallId": "1", "parent": "b"}})"
        "\n"
        R"({"type": "message", "message": {"id": "d", "type": "text", "role": "assistant", "content": "March.", "parent": "t"}})"
        "\n\n"
        R"({"type": "session", "id": "e", "name": "Beans", "currNode": null})"
        "\n"
        R"({"type": "message", "message": {"id": "a", "type": "text", "role": "user", "content": "Beans?", "parent": null}})"
        "\n"
        R"({"type": "later", "of": "a newer version"})");
    QCOMPARE(all.chats.size(), 2U);
    QVERIFY(all.chat().summary.pinned);
    QCOMPARE(outline(all.chat()), (QStringList{"1<0 user: Peas?", "2<1 assistant <hm>: [tool: search]",
                                               "3<2 tool: [tool request: search]\n\n```json\n{\"q\": 1}\n```",
                                               "4<3 tool: oak", "5<4 assistant: March."}));
    QCOMPARE(all.chats[1].summary.title, "Beans");
    QCOMPARE(all.noted(ImportNote::kStranger), 1);
    try {
      import("{\"type\": \"session\", \"id\": \"c\"}\n{\"type\": \n");
      QFAIL("read");
    } catch (const EngineError& error) {
      QVERIFY2(QByteArray(error.what()).startsWith("file.json: line 2 of the file: this is not JSON"),
               error.what());
    }
  }

  void openWebUisBlocksAreThinkingAndTools() {
    const Imported all = import(
        R"([{"id": "c", "title": "Peas", "archived": true, "pinned": true, "created_at": 1765000000, "updated_at": 1765000100,
      "chat": {"title": "Peas", "models": ["qwen3"], "params": {"system": "Be brief."}, "messages": [], "history": {"currentId": "b", "messages": {
       "q": {"id": "q", "parentId": null, "childrenIds": ["b", "a"], "role": "user", "content": "Peas?", "timestamp": 1765000001,
             "files": [{"type": "image", "url": "data:"}, {"type": "file", "name": "plan.md", "file": {"data": {"content": "Rows"}}}]},
       "a": {"id": "a", "parentId": "q", "childrenIds": [], "role": "assistant", "content": "", "model": "m", "error": {"content": "No memory"}},
       "b": {"id": "b", "parentId": "q", "childrenIds": [], "role": "assistant", "model": "qwen3", "done": true, "usage": {"prompt_tokens": 5, "completion_tokens": 7},
             "sources": [{"source": {"name": "Peas", "url": "https:\/\/p.example"}}],
             "content": "<details type=\u0022reasoning\u0022 done=\u0022true\u0022 duration=\u00222\u0022>\n<summary>Thought for 2 seconds</summary>\n&gt; a &lt; b\n&gt; so\n</details>\n<details type=\u0022tool_calls\u0022 done=\u0022true\u0022 id=\u00221\u0022 name=\u0022search\u0022 arguments=\u0022&quot;{\\&quot;q\\&quot;: 1}&quot;\u0022 result=\u0022&quot;oak&quot;\u0022>\n<summary>Tool Executed</summary>\n</details>\nMarch [1]."}}}}}])");
    QCOMPARE(all.report.format, "Open WebUI");
    QVERIFY(all.chat().summary.archived && all.chat().summary.pinned);
    QCOMPARE(all.chat().summary.createdMs, 1765000000000);
    QCOMPARE(all.chat().settings.instructions, "Be brief.");
    QCOMPARE(outline(all.chat()),
             (QStringList{
                 "1<0 user: [picture]\n\n[file: plan.md]\n\n```\nRows\n```\n\nPeas?",
                 "2<1 assistant <a < b\nso>: [tool: search]\n\nMarch [1].\n\n[1] [Peas](https://p.example)",
                 "3<2 tool: [tool request: search]\n\n```json\n{\"q\": 1}\n```\n\n[tool result: "
                 "search]\n\n```\noak\n```"}));
    QCOMPARE(all.chat().shownLeaf, 3);
    QCOMPARE(all.message(1).timings.thinkingNs, 2'000'000'000);
    QCOMPARE(all.message(1).timings.outputTokens, 7);
    QCOMPARE(all.noted(ImportNote::kEmpty), 1);
  }

  void claudesBlocksAreRead() {
    const Imported all = import(
        R"([{"uuid": "c", "name": "Peas", "created_at": "2026-09-20T10:00:00.123456Z", "updated_at": "2026-09-21T10:00:00Z",
      "chat_messages": [
       {"uuid": "q", "sender": "human", "created_at": "2026-09-20T10:00:01.000000Z", "text": "Peas?", "content": [{"type": "text", "text": "Peas?"}],
        "attachments": [{"file_name": "plan.txt", "extracted_content": "Rows"}], "files": [{"file_name": "leaf.PNG"}]},
       {"uuid": "a", "sender": "assistant", "text": "```\nThis block is not supported\n```", "content": [
         {"type": "thinking", "thinking": "Hm."}, {"type": "tool_use", "name": "web_search", "input": {"q": 1}},
         {"type": "tool_result", "name": "web_search", "content": [{"type": "text", "text": "oak"}]}, {"type": "token_budget"},
         {"type": "text", "text": "March.", "citations": [{"details": {"url": "https:\/\/p.example", "title": "Peas"}}]}]},
       {"uuid": "x", "sender": "human", "text": "", "content": []}]},
      {"uuid": "d", "name": "Empty", "chat_messages": []}])");
    QCOMPARE(all.report.format, "Claude");
    QCOMPARE(all.chats.size(), 1U);
    QCOMPARE(all.chat().summary.createdMs, 1789898400123);
    QCOMPARE(
        outline(all.chat()),
        (QStringList{"1<0 user: [file: plan.txt]\n\n```\nRows\n```\n\n[picture: leaf.PNG]\n\nPeas?",
                     "2<1 assistant <Hm.>: [tool: web_search]\n\nMarch.\n\n[1] [Peas](https://p.example)",
                     "3<2 tool: [tool request: web_search]\n\n```json\n{\n  \"q\": 1\n}\n```\n\n[tool "
                     "result: web_search]\n\n```\noak\n```"}));
    QCOMPARE(all.noted(ImportNote::kStranger), 1);
    QCOMPARE(all.noted(ImportNote::kEmpty), 1);
    // Newer ones name parents: an answer that was asked for again is a branch.
    const Imported tree =
        import(R"({"uuid": "c", "name": "", "current_leaf_message_uuid": "a", "chat_messages": [
      {"uuid": "q", "sender": "human", "text": "Peas?", "parent_message_uuid": "00000000-0000-4000-8000-000000000000"},
      {"uuid": "a", "sender": "assistant", "text": "March.", "parent_message_uuid": "q"},
      {"uuid": "b", "sender": "assistant", "text": "April.", "parent_message_uuid": "q"}]})");
    QCOMPARE(outline(tree.chat()),
             (QStringList{"1<0 user: Peas?", "2<1 assistant: March.", "3<1 assistant: April."}));
    QCOMPARE(tree.chat().shownLeaf, 2);
  }

  // A key that a format has, in another shape, is not the format.
  void oneKeyIsNoFormat() {
    for (const char* json :
         {R"({"messages": [{"id": 1}]})", R"({"messages": [{"role": "user", "content": {"parts": ["x"]}}]})",
          R"({"messages": [{"role": "user", "content": "x", "parent": "y"}]})", R"({"messages": ["x"]})",
          R"({"mapping": {"a": {"text": "x"}}})", R"({"mapping": {}})",
          R"({"chat_messages": [{"text": "x"}]})", R"({"conv": {}, "messages": [{"text": "x"}]})",
          R"({"history": {"messages": [1]}})", R"({"type": "session", "id": "c"})",
          R"({"messages": [{"versions": [{"role": "user"}]}]})",
          R"({"name": "a scenario", "requests": [{"messages": [{"role": "user", "content": "x"}]}]})"}) {
      try {
        readChats(json, "file.json");
        QFAIL(json);
      } catch (const EngineError& error) {
        QCOMPARE(error.what(), std::string("file.json: there are no chats in it"));
        for (const ChatSource* source : chatSources())
          QVERIFY2(error.hint().find(source->format().program) != std::string::npos,
                   source->format().program);
      }
    }
    QCOMPARE(chatFilePatterns(), "*.json *.jsonl *.zip");
  }

  // The first instructions of all branches are the chat's; others stay where they are.
  void severalSystemMessagesStay() {
    const Imported all = import(
        R"({"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Peas?"},
      {"role": "system", "content": "Be long."}, {"role": "assistant", "content": [{"type": "text", "text": "March."}, {"type": "image_url"}]}]})");
    QCOMPARE(all.chat().settings.instructions, "Be brief.");
    QCOMPARE(outline(all.chat()),
             (QStringList{"1<0 user: Peas?", "2<1 system: Be long.", "3<2 assistant: March.\n\n[picture]"}));
    QCOMPARE(all.chat().shownLeaf, 3);
  }
};

QTEST_GUILESS_MAIN(TestChatFormats)
#include "tst_chat_formats.moc"
