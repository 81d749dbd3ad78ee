// Import of other programs' chats, export and our own import back; files that are made to do harm.
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "history/chat_export.h"
#include "history/chat_import.h"
#include "history/chat_json.h"
#include "history/history_files.h"
#include "vitrine/error.h"

using namespace vitrine;

namespace {

// An answer's text with nothing done to it but what the page needs.
const AnswerHtml kAsText = {".answer { }", [](const QString& text, const QString& anchors) {
                              return "<p id=\"" + anchors + "\">" + text.toHtmlEscaped() + "</p>";
                            }};

// As ChatGPT writes it: a root without a message, a hidden system message, a question that was edited, two
// answers, one of them with thoughts and code.
constexpr const char* kChatGpt =
    R"([{"title": "Trees", "create_time": 1700000000.5, "update_time": 1700000100,
 "current_node": "a2", "is_archived": false, "mapping": {
 "root": {"id": "root", "message": null, "parent": null, "children": ["sys"]},
 "sys": {"id": "sys", "parent": "root", "children": ["q1", "q2"], "message": {"author": {"role": "system"},
   "content": {"content_type": "text", "parts": ["You are ChatGPT."]}, "metadata": {"is_visually_hidden_from_conversation": true}}},
 "q2": {"id": "q2", "parent": "sys", "children": [], "message": {"author": {"role": "user"}, "create_time": 1700000050,
   "content": {"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"}, "What is it?"]}}},
 "a1": {"id": "a1", "parent": "q1", "children": [], "message": {"author": {"role": "assistant"},
   "create_time": 1700000020, "status": "finished_partial_completion", "metadata": {"model_slug": "gpt-4o"},
   "content": {"content_type": "text", "parts": ["A graph", "without a circle"]}}},
 "t": {"id": "t", "parent": "q1", "children": ["r"], "message": {"author": {"role": "assistant"},
   "content": {"content_type": "thoughts", "thoughts": [{"summary": "Graphs", "content": "Let me see."}]}}},
 "r": {"id": "r", "parent": "t", "children": ["a2"], "message": {"author": {"role": "assistant"},
   "content": {"content_type": "reasoning_recap", "content": "Thought for 3 s"}}},
 "a2": {"id": "a2", "parent": "r", "children": [], "message": {"author": {"role": "assistant"},
   "create_time": 1700000030, "status": "finished_successfully", "metadata": {"model_slug": "o3"},
   "content": {"content_type": "code", "language": "python", "text": "tree = {}"}}},
 "q1": {"id": "q1", "parent": "sys", "children": ["a1", "t"], "message": {"author": {"role": "user"},
   "create_time": 1700000010, "content": {"content_type": "text", "parts": ["What is a tree?"]}}}}}])";

constexpr const char* kLmStudio = R"({"name": "Ships", "pinned": true, "createdAt": 1700000000000,
 "assistantLastMessagedAt": 1700000009000, "systemPrompt": "You are a sailor.", "clientInput": "And then",
 "messages": [
  {"currentlySelected": 0, "versions": [{"type": "singleStep", "role": "user",
    "content": [{"type": "file", "fileIdentifier": "x.png"}, {"type": "text", "text": "What is a brig?"}]}]},
  {"currentlySelected": 1, "versions": [
    {"type": "multiStep", "role": "assistant", "senderInfo": {"senderName": "qwen"}, "steps": [
      {"type": "contentBlock", "content": [{"type": "text", "text": "A prison."}]}]},
    {"type": "multiStep", "role": "assistant", "steps": [
      {"type": "contentBlock", "style": {"type": "thinking", "ended": true},
       "content": [{"type": "text", "text": "Two masts."}]},
      {"type": "contentBlock", "content": [{"type": "text", "text": "A ship with "}, {"type": "text", "text": "two masts."}],
       "genInfo": {"indexedModelIdentifier": "qwen/qwen3-4b", "stats": {"stopReason": "userStopped",
         "timeToFirstTokenSec": 0.5, "totalTimeSec": 2.5, "promptTokensCount": 20, "predictedTokensCount": 7}}},
      {"type": "debugInfoBlock", "debugInfo": "x"}]}]},
  {"currentlySelected": 0, "versions": [{"type": "singleStep", "role": "user",
    "content": [{"type": "text", "text": "Thanks."}]}]}]})";

std::string refusalOf(std::string_view json) {
  try {
    readChats(json, "file.json");
  } catch (const EngineError& error) {
    return std::string(errorCodeName(error.code())) + ": " + error.what();
  }
  return "";
}

// Whatever was read can be kept, and has the shape that chat_record.h promises.
void wellFormed(const std::vector<ChatRecord>& chats) {
  for (const ChatRecord& chat : chats) {
    for (const MessageRecord& message : chat.messages)
      QVERIFY(message.parent < message.id && message.createdMs > 0);
    QVERIFY(chat.messages.empty() || chat.find(chat.shownLeaf) != nullptr);
  }
  ChatHistory history;
  const std::vector<ChatId> ids = history.insert(chats);
  QCOMPARE(ids.size(), chats.size());
  for (std::size_t i = 0; i < ids.size(); ++i)
    QCOMPARE(history.chat(ids[i])->messages.size(), chats[i].messages.size());
}

// A chat with everything that a chat can have.
ChatId fullChat(ChatHistory& history) {
  const ChatId chat = history.createChat({"Be brief.",
                                          {"END", "\n\n"},
                                          "precise",
                                          {"typed_marks"},
                                          "[ {\"type\": \"function\"} ]",
                                          {"choice", "yes\nno"}});
  const MessageId question =
      history.addMessage(chat, 0, MessageRole::kUser, "What is <b>bold</b> & \"quoted\"?");
  const MessageId answer = history.beginAnswer(chat, question, someProvenance());
  history.append(
      answer,
      {.text = "# A heading\n\u202e bidi \x01", .thinking = "Think\ntwice", .tokens = {{7, -0.1F}, {8}}});
  history.finish(answer, {.state = MessageState::kFailed,
                          .failure = "why",
                          .timings = {1, 2, 3, 4, 5, 6, 7, 8, 9},
                          .limit = AnswerLimit::kContext});
  history.edit(question, "Otherwise?");
  history.show(answer);
  history.setDraft(chat, "A draft");
  history.setWaiting(chat, {"First \"this\"", "then\nthat"});
  history.setPinned(chat, true);
  history.setLeftOut(chat, {question, answer}, true);
  return chat;
}

// Ids as places in the list: what is left must be equal.
ChatRecord withoutIds(ChatRecord chat) {
  std::map<MessageId, MessageId> places{{0, 0}};
  for (MessageRecord& message : chat.messages) {
    const auto place = static_cast<MessageId>(places.size());
    places[message.id] = place;
    message.id = place;
    message.parent = places.at(message.parent);
  }
  chat.shownLeaf = places.at(chat.shownLeaf);
  chat.summary.id = 0;
  return chat;
}

// A chat with the tool f, one question and this answer.
std::pair<ChatId, MessageId> chatWithTool(ChatHistory& history, const QString& answer) {
  const ChatId chat =
      history.createChat({{}, {}, {}, {}, R"([{"type": "function", "function": {"name": "f"}}])"});
  const MessageId question = history.addMessage(chat, 0, MessageRole::kUser, "Look.");
  const MessageId id = history.beginAnswer(chat, question, {});
  history.append(id, {.text = answer, .thinking = {}, .tokens = {}});
  history.finish(id, {.state = MessageState::kComplete});
  return {chat, id};
}

}  // namespace

class TestChatExchange : public QObject {
  Q_OBJECT

 private slots:
  void chatGptsTreeIsKept() {
    const std::vector<ChatRecord> chats = readChats(kChatGpt, "conversations.json");
    QCOMPARE(chats.size(), 1U);
    const ChatRecord& chat = chats[0];
    QCOMPARE(chat.summary.title, "Trees");
    QCOMPARE(chat.summary.createdMs, 1700000000500);
    QCOMPARE(chat.summary.changedMs, 1700000100000);
    QCOMPARE(chat.messages.size(), 4U);
    const std::vector<MessageId> roots = chat.children(0);
    QCOMPARE(roots.size(), 2U);
    QCOMPARE(chat.find(roots[0])->text, "What is a tree?");
    QCOMPARE(chat.find(roots[1])->text, "[picture]\n\nWhat is it?");
    const std::vector<MessageId> answers = chat.children(roots[0]);
    QCOMPARE(answers.size(), 2U);
    const MessageRecord &first = *chat.find(answers[0]), &second = *chat.find(answers[1]);
    QCOMPARE(first.text, "A graph\n\nwithout a circle");
    QCOMPARE(first.state, MessageState::kStopped);
    QCOMPARE(first.provenance.model, "gpt-4o");
    QVERIFY(first.thinking.isEmpty());
    QCOMPARE(second.text, "```python\ntree = {}\n```");
    QCOMPARE(second.thinking, "Graphs\n\nLet me see.");
    QCOMPARE(second.role, MessageRole::kAssistant);
    QCOMPARE(second.createdMs, 1700000030000);
    QCOMPARE(chat.shownPath(), (std::vector<MessageId>{roots[0], second.id}));
    wellFormed(chats);
  }

  void lmStudiosVersionsAreBranches() {
    const std::vector<ChatRecord> chats = readChats(kLmStudio, "1.conversation.json");
    QCOMPARE(chats.size(), 1U);
    const ChatRecord& chat = chats[0];
    QVERIFY(chat.summary.title == "Ships" && chat.summary.pinned && chat.draft == "And then");
    QCOMPARE(chat.summary.changedMs, 1700000009000);
    QCOMPARE(chat.settings.instructions, "You are a sailor.");
    QCOMPARE(chat.messages.size(), 4U);
    QCOMPARE(chat.messages[0].text, "[file: x.png]\n\nWhat is a brig?");
    QVERIFY(chat.messages[1].text == "A prison." && chat.messages[1].provenance.model == "qwen");
    const MessageRecord& shown = chat.messages[2];
    QCOMPARE(shown.text, "A ship with two masts.");
    QCOMPARE(shown.thinking, "Two masts.");
    QCOMPARE(shown.state, MessageState::kStopped);
    QCOMPARE(shown.provenance.model, "qwen/qwen3-4b");
    QVERIFY(shown.timings == (AnswerTimings{0, 0, 500'000'000, 2'000'000'000, 20, 0, 7}));
    QCOMPARE(chat.shownPath(), (std::vector<MessageId>{1, 3, 4}));
    wellFormed(chats);
    // Its older form, as OpenAI's API has it.
    const auto older = readChats(R"({"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant",
      "content": "Hello"}]})",
                                 "old");
    QVERIFY(older[0].summary.title == "Hi" && older[0].messages[1].text == "Hello");
    QCOMPARE(older[0].shownPath().size(), 2U);
  }

  void ourOwnComesBackAsItWas() {
    QTemporaryDir folder;
    ChatHistory history;
    const ChatRecord one = *history.chat(fullChat(history), ChatHistory::Tokens::kRead);
    const ChatRecord two = *history.chat(smallChat(history, "日本", "語"), ChatHistory::Tokens::kRead);
    const QByteArray json = chatsToJson({one, two});
    QFile file(folder.filePath("chats.json"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(json) == json.size());
    file.close();
    const std::vector<ChatRecord> read = readChatFile(folder.filePath("chats.json").toStdString());
    QCOMPARE(read.size(), 2U);
    QVERIFY(withoutIds(read[0]) == withoutIds(one));
    QVERIFY(withoutIds(read[1]) == withoutIds(two));
    QVERIFY(chatsToJson(read) == json);
    const std::vector<ChatId> ids = history.insert(read);
    QVERIFY(withoutIds(*history.chat(ids[0], ChatHistory::Tokens::kRead)) == withoutIds(one));
    wellFormed(read);
  }

  void markdownIsTheBranchThatIsShown() {
    ChatHistory history;
    const ChatId chat = fullChat(history);
    history.rename(chat, "Stars * and <tags>\n# no heading");
    const QString text = chatToMarkdown(*history.chat(chat));
    QVERIFY2(text.startsWith("# Stars \\* and \\<tags\\> \\# no heading\n\n"), qPrintable(text));
    QVERIFY(text.contains("2 of 3 messages") && text.contains("## Instructions\n\nBe brief.\n"));
    QVERIFY(text.contains("## You\n\nWhat is <b>bold</b> & \"quoted\"?\n"));
    QVERIFY(text.contains("> Think\n> twice\n\n# A heading\n"));
    QVERIFY(text.contains("*qwen3-0.6b, seed 18364758544493064720, exact, avx2, failed: why*"));
    QVERIFY(!text.contains("Otherwise?"));
  }

  void htmlShowsTextAndRunsNothing() {
    ChatHistory history;
    const ChatId chat = fullChat(history);
    history.rename(chat, "</title><script>alert(1)</script> %1 %2");
    const MessageId hostile = history.addMessage(
        chat, 0, MessageRole::kUser, "<img src=x onerror=alert(1)> javascript:x ' \" & %1 </div></body>");
    history.show(hostile);
    const QString html = chatToHtml(*history.chat(chat), kAsText);
    QVERIFY(html.contains("&lt;img src=x onerror=alert(1)&gt; javascript:x ' &quot; &amp; %1 &lt;/div&gt;"));
    QVERIFY(html.contains("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; %1 %2</title>"));
    QVERIFY(html.contains("default-src 'none'"));
    static const QRegularExpression tags(QStringLiteral("<[a-z!/][^>]*>"));
    static const QRegularExpression allowed(QStringLiteral(
        "^<(!DOCTYPE|/?(html|head|meta|title|style|body|h1|h2|p|article|div|details|summary))[ >]"));
    int seen = 0;
    for (auto tag = tags.globalMatch(html); tag.hasNext(); ++seen) {
      const QString found = tag.next().captured();
      QVERIFY2(allowed.match(found).hasMatch() && !found.contains("src=") && !found.contains("href="),
               qPrintable(found));
    }
    QVERIFY(seen > 20);
    history.show(history.chat(chat)->messages.front().id);
    // An answer is shown by what the window hands over, which leaves no control characters.
    const AnswerHtml marked = {{}, [](const QString& text, const QString&) {
                                 return QString(text).remove(QChar(1)).toHtmlEscaped();
                               }};
    QVERIFY(!chatToHtml(*history.chat(chat), marked).contains(QChar(1)));
    QCOMPARE(exportName(*history.chat(chat)), "title_script_alert_1_script_ _1 _2");
  }

  void whatHasNoChatsIsRefused() {
    QCOMPARE(refusalOf(""),
             "file_corrupt: file.json: this is not JSON: line 1, column 1: syntax error while parsing "
             "value - unexpected end of input; expected '[', '{', or a literal");
    for (const char* json : {"{}", "[]", "null", "3", "\"chats\"", "[[]]", "[3, null]", "{\"mapping\": 3}",
                             "{\"messages\": {}}", "{\"format\": \"vitrine-chats\", \"chats\": 3}"})
      QVERIFY2(
          QByteArray::fromStdString(refusalOf(json)).startsWith("unsupported: file.json: there are no chats"),
          json);
    QVERIFY(
        refusalOf(std::string(200, '[')).starts_with("file_corrupt: file.json: JSON nested deeper than 100"));
    QVERIFY(
        refusalOf(R"({"format": "vitrine-chats", "version": 2, "chats": []})").starts_with("unsupported"));
    QVERIFY(refusalOf(R"({"format": "vitrine-chats", "chats": [{"messages": [{"parent": 0}]}]})")
                .starts_with("file_corrupt: file.json: message 0 of a chat stands before its parent"));
    QVERIFY_EXCEPTION_THROWN(readChatFile("/nowhere/chats.json"), EngineError);
  }

  void aDamagedTreeIsStillATree() {
    // A circle, a parent that is missing, a node that is its own parent, and one that is no object.
    const auto chats = readChats(R"([{"current_node": "nowhere", "mapping": {
      "a": {"parent": "b", "children": ["b"], "message": {"author": {"role": "user"}, "content": {"parts": ["A"]}}},
      "b": {"parent": "a", "children": ["a"], "message": {"author": {"role": "alien"}, "content": {"parts": ["B", 3, null]}}},
      "c": {"parent": "gone", "children": "x", "message": {"content": {"parts": ["C"]}, "create_time": 1e300}},
      "d": {"parent": "d", "children": [null, 7, "d"], "message": {"content": {"parts": ["D"]}, "create_time": -5}},
      "e": 5}}])",
                                 "f");
    QStringList texts;
    for (const MessageRecord& message : chats.at(0).messages) texts += message.text;
    texts.sort();
    QCOMPARE(texts, (QStringList{"A", "B", "C", "D"}));
    wellFormed(chats);
  }

  void aDeepTreeIsRead() {
    std::string json = R"([{"mapping": {"0": {"parent": null, "message": null})";
    for (int i = 1; i <= 20000; ++i)
      json += ",\"" + std::to_string(i) + "\": {\"parent\": \"" + std::to_string(i - 1) +
              "\", \"message\": {\"content\": {\"parts\": [\"x\"]}}}";
    const auto chats = readChats(json + "}}]", "deep");
    QCOMPARE(chats.at(0).messages.size(), 20000U);
    QCOMPARE(chats.at(0).shownPath().size(), 20000U);
  }

  // Cut anywhere, and with bytes and words exchanged: refused with an EngineError, or chats that are whole.
  void damagedFilesAreRefusedOrRead() {
    ChatHistory history;
    const QByteArray own = chatsToJson({*history.chat(fullChat(history), ChatHistory::Tokens::kRead)});
    const std::vector<QByteArray> seeds = {kChatGpt, kLmStudio, own};
    const std::vector<QByteArray> words = {
        "null",       "{}",   "[]",   "-1",      "1e999",   "18446744073709551615", "\"\"", "\"q1\"",
        "\"parent\"", "true", "[[[[", "\\u0000", "\\ud800", "99999999999999999999"};
    std::mt19937 random(5);
    int refused = 0, read = 0;
    for (int i = 0; i < 3000; ++i) {
      QByteArray json = seeds[random() % seeds.size()];
      if (i % 10 == 0) json.truncate(random() % json.size());
      for (auto changes = 1 + random() % 4; changes > 0 && !json.isEmpty(); --changes) {
        const auto at = static_cast<qsizetype>(random() % json.size());
        if (random() % 2 == 0) {
          json[at] = static_cast<char>(random());
        } else {  // the value behind a colon
          const qsizetype colon = json.indexOf(": ", at);
          const qsizetype end = colon < 0 ? -1 : std::max(json.indexOf(',', colon), colon + 2);
          if (colon >= 0) json.replace(colon + 2, end - colon - 2, words[random() % words.size()]);
        }
      }
      try {
        const auto chats = readChats({json.constData(), std::size_t(json.size())}, "f");
        ++read;
        if (read % 20 == 0) wellFormed(chats);
        if (QTest::currentTestFailed()) return;
      } catch (const EngineError&) {
        ++refused;
      }
    }
    QVERIFY2(refused > 100 && read > 100, qPrintable(QString("%1 %2").arg(refused).arg(read)));
  }

  // Calls of tools are code, as the model wrote them, and their results have the tool's name.
  void callsOfToolsAreExported() {
    ChatHistory history;
    const QString call = "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>";
    const auto [chat, answer] = chatWithTool(history, "So.\n" + call);
    const MessageId result = history.addMessage(chat, answer, MessageRole::kTool, "found <it>");
    history.addMessage(chat, result, MessageRole::kTool, "more");
    const QString markdown = chatToMarkdown(*history.chat(chat));
    QVERIFY2(markdown.contains("## Answer\n\nSo.\n\n```\n" + call + "\n```\n\n"), qPrintable(markdown));
    QVERIFY2(markdown.contains("## Result of f\n\nfound <it>\n\n## Tool\n\nmore"), qPrintable(markdown));
    const QString html = chatToHtml(*history.chat(chat), kAsText);
    QVERIFY2(html.contains("<pre class=\"call\">" + call.toHtmlEscaped() + "</pre>"), qPrintable(html));
    QVERIFY2(html.contains("<h2>Result of f</h2>") && html.contains("found &lt;it&gt;"), qPrintable(html));
  }

  // A broken one is code, too, and a remark says what is wrong with it.
  void aBrokenCallIsExported() {
    ChatHistory history;
    const QString wrong = "<tool_call>\n{\"name\": f}\n</tool_call>",
                  cut = "<tool_call>\n{\"name\": \"f\", \"a";
    const ChatId chat = chatWithTool(history, "So.\n" + wrong + "\n" + cut).first;
    const QString markdown = chatToMarkdown(*history.chat(chat));
    QVERIFY2(markdown.contains("So.\n\n```\n" + wrong +
                               "\n```\n\n*This call has a mistake, so it has no result.*\n\n```\n" + cut +
                               "\n```\n\n*The answer ended within this call.*\n"),
             qPrintable(markdown));
    const QString html = chatToHtml(*history.chat(chat), kAsText);
    QVERIFY2(html.contains("<pre class=\"call\">" + cut.toHtmlEscaped() +
                           "</pre>\n<p class=\"note\">The answer ended within this call.</p>"),
             qPrintable(html));
  }
};

QTEST_GUILESS_MAIN(TestChatExchange)
#include "tst_chat_exchange.moc"
