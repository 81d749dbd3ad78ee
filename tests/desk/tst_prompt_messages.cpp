// Which messages of a chat the model reads.
#include "desk/prompt_messages.h"

#include <QTest>

using namespace vitrine;

namespace {

MessageRecord message(MessageId id, MessageRole role, const QString& text) {
  MessageRecord made;
  made.id = id;
  made.role = role;
  made.text = text;
  return made;
}

QString words(const PromptMessages& prompt) {
  QStringList parts;
  for (std::size_t i = 0; i < prompt.messages.size(); ++i)
    parts << QString("%1:%2").arg(prompt.ids[i]).arg(QString::fromStdString(prompt.messages[i].text));
  return parts.join(u' ');
}

}  // namespace

class TestPromptMessages : public QObject {
  Q_OBJECT

  std::vector<MessageRecord> path() const {
    std::vector<MessageRecord> made = {
        message(1, MessageRole::kUser, "a"),      message(2, MessageRole::kAssistant, "b"),
        message(3, MessageRole::kUser, "c"),      message(4, MessageRole::kAssistant, ""),
        message(5, MessageRole::kAssistant, "d"), message(6, MessageRole::kSystem, "e"),
        message(7, MessageRole::kTool, "f"),      message(8, MessageRole::kAssistant, "g")};
    made[4].state = MessageState::kFailed;
    made[7].state = MessageState::kStopped;
    return made;
  }

 private slots:
  void emptyAndFailedAnswersAreNotRead() {
    QCOMPARE(words(promptMessages({}, path(), {})), QString("1:a 2:b 3:c 8:g"));
    const PromptMessages prompt = promptMessages({"Be brief.", {}, {}}, path(), {});
    QCOMPARE(words(prompt), QString("0:Be brief. 1:a 2:b 3:c 8:g"));
    QVERIFY(prompt.messages.front().role == ChatRole::kSystem);
    QVERIFY(prompt.messages.back().role == ChatRole::kAssistant);
    QCOMPARE(words(promptMessages({" \n", {}, {}}, path(), {})), QString("1:a 2:b 3:c 8:g"));
  }

  // Whether the model reads it is its template's to say. An answer that a limit cut in its thought stands
  // between two questions all the same.
  void whatWasThoughtGoesWithItsAnswer() {
    std::vector<MessageRecord> path = {message(1, MessageRole::kUser, "a"),
                                       message(2, MessageRole::kAssistant, "b"),
                                       message(3, MessageRole::kAssistant, "")};
    path[1].thinking = "hm";
    path[2].thinking = "so";
    const PromptMessages prompt = promptMessages({}, path, {});
    QCOMPARE(words(prompt), QString("1:a 2:b 3:"));
    QCOMPARE(prompt.messages[1].thinking, std::string("hm"));
    QCOMPARE(prompt.messages[2].thinking, std::string("so"));
  }

  void whatIsLeftOutIsNotRead() {
    std::vector<MessageRecord> marked = path();
    marked[0].leftOut = marked[1].leftOut = true;
    const Places places = placesLeftOut(marked);
    QVERIFY(places == (Places{0, 1}));
    QCOMPARE(words(promptMessages({"s", {}, {}}, marked, places)), QString("0:s 3:c 8:g"));
    // What an answer was made from does not change with the marks.
    QCOMPARE(words(promptMessages({}, marked, {})), QString("1:a 2:b 3:c 8:g"));
  }

  void placesAreKeptAsText() {
    QCOMPARE(toText({}), QString());
    QVERIFY(placesFrom(toText({2, 3, 11})) == (Places{2, 3, 11}));
    for (const char* other : {"", "{", "{\"a\":1}", "[\"x\"]", "null", "[1.5]"})
      QVERIFY2(placesFrom(other).empty(), other);
  }
};

QTEST_GUILESS_MAIN(TestPromptMessages)
#include "tst_prompt_messages.moc"
