// Copies of messages: Markdown as it was written, and plain text without its markup.
#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QTest>

#include "widgets/conversation/chat_copy.h"
#include "widgets/session/session.h"

using namespace vitrine;

namespace {

ChatEntry entry(ChatRole role, const QString& text, AnswerStatus status = AnswerStatus::kNone) {
  ChatEntry one;
  one.role = role;
  one.text = text;
  one.status = status;
  return one;
}

}  // namespace

class TestChatCopy : public QObject {
  Q_OBJECT

 private slots:
  void plainTextHasNoMarkup_data() {
    QTest::addColumn<QString>("markdown");
    QTest::addColumn<QString>("plain");
    QTest::newRow("emphasis") << "A **bold** and `coded` *word*."
                              << "A bold and coded word.";
    QTest::newRow("paragraphs") << "# One\n\nTwo\n\nThree"
                                << "One\n\nTwo\n\nThree";
    QTest::newRow("a link is its words") << "[words](https://example.org)"
                                         << "words";
    QTest::newRow("code keeps its stars") << "```\na *b* c\n  d\n```"
                                          << "a *b* c\n  d";
    QTest::newRow("HTML is text") << "<b>bold</b>"
                                  << "<b>bold</b>";
    QTest::newRow("nothing") << ""
                             << "";
  }
  void plainTextHasNoMarkup() {
    QFETCH(QString, markdown);
    QFETCH(QString, plain);
    QCOMPARE(plainTextOf(markdown).trimmed(), plain);
  }

  void cellsAreApart() {
    const QString plain = plainTextOf("| a | b |\n|---|---|\n| c | d |");
    QVERIFY2(plain.contains("a\tb") && plain.contains("c\td") && !plain.contains('|'), qPrintable(plain));
  }

  // More than is rendered in one frame is all there.
  void aLongAnswerIsWhole() {
    QString markdown;
    for (int i = 0; i < 5000; ++i) markdown += QStringLiteral("**number %1**\n\n").arg(i);
    const QString plain = plainTextOf(markdown);
    QVERIFY(plain.trimmed().endsWith("number 4998\n\nnumber 4999"));
    QVERIFY(!plain.contains('*'));
  }

  void aConversation() {
    Session session;
    ChatModel model(&session);
    QCOMPARE(conversationText(model, CopyForm::kMarkdown), QString());
    ChatEntry answer = entry(ChatRole::kAssistant, "A **bold** word", AnswerStatus::kDone);
    answer.thinking = "hidden";
    model.show({entry(ChatRole::kUser, "*Why* so?"), answer, entry(ChatRole::kUser, "And?"),
                entry(ChatRole::kAssistant, {}, AnswerStatus::kFailed)});
    QCOMPARE(conversationText(model, CopyForm::kMarkdown),
             QString("## You\n\n*Why* so?\n\n## Model\n\nA **bold** word\n\n## You\n\nAnd?\n"));
    // A question was never Markdown: its stars are the person's own.
    QCOMPARE(conversationText(model, CopyForm::kPlainText),
             QString("You: *Why* so?\n\nModel: A bold word\n\nYou: And?\n"));
  }

  void resultsOfToolsAreCopied() {
    Session session;
    ChatModel model(&session);
    ChatEntry result = entry(ChatRole::kTool, "*sun*");
    result.tool = "get_weather";
    model.show({entry(ChatRole::kAssistant, "So.", AnswerStatus::kDone), result,
                entry(ChatRole::kTool, "[tool: **a**]")});
    QCOMPARE(conversationText(model, CopyForm::kMarkdown),
             QString("## Model\n\nSo.\n\n## Result of get_weather\n\n*sun*\n\n## Tools\n\n[tool: **a**]\n"));
    QCOMPARE(conversationText(model, CopyForm::kPlainText),
             QString("Model: So.\n\nResult of get_weather: *sun*\n\nTools: [tool: a]\n"));
  }

  // As the model wrote them: what looks like a tag of HTML would not be seen.
  void callsAreCode() {
    Session session;
    ChatModel model(&session);
    const QString call = "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>";
    ChatEntry answer = entry(ChatRole::kAssistant, "So.\n" + call + "\nAnd `", AnswerStatus::kDone);
    answer.tools = std::make_shared<const ToolSet>();
    model.show({answer});
    QCOMPARE(conversationText(model, CopyForm::kMarkdown),
             "## Model\n\nSo.\n\n```\n" + call + "\n```\n\nAnd `\n");
  }

  void theClipboardSaysWhatItHolds() {
    const QClipboard* const clipboard = QGuiApplication::clipboard();
    copyAnswer("**a**", CopyForm::kMarkdown);
    QCOMPARE(clipboard->text(), QString("**a**"));
    QCOMPARE(clipboard->mimeData()->data("text/markdown"), QByteArray("**a**"));
    copyAnswer("**a**", CopyForm::kPlainText);
    QCOMPARE(clipboard->text(), QString("a"));
    QVERIFY(!clipboard->mimeData()->hasFormat("text/markdown"));
  }
};

QTEST_MAIN(TestChatCopy)
#include "tst_chat_copy.moc"
