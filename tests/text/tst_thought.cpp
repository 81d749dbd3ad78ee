// What a model thinks before its answer: its marks in a text that is whole, and in one that grows.
#include "vitrine/thought.h"

#include "text_support.h"
#include "vitrine/text_stream.h"

#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

namespace {

QString inWords(const AnswerParts& parts) {
  return QStringLiteral("%1|%2|%3")
      .arg(QString::fromUtf8(parts.thinking.data(), static_cast<int>(parts.thinking.size())),
           QString::fromUtf8(parts.answer.data(), static_cast<int>(parts.answer.size())),
           parts.thinks ? QStringLiteral("thinks") : QString());
}

}  // namespace

class TestThought : public QObject {
  Q_OBJECT

 private slots:
  void theTwoPartsOfAnAnswer_data() {
    QTest::addColumn<QString>("prompt");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("parts");
    const QString opens = "<|im_start|>assistant\n<think>\n", plain = "<|im_start|>assistant\n";
    QTest::newRow("none") << plain << "Hi!"
                          << "|Hi!|";
    QTest::newRow("its own") << plain << "\n<think>\nSo.\n</think>\n\nHi!"
                             << "So.|\n\nHi!|";
    QTest::newRow("of the prompt") << opens << "So,pleh.</think>\n\nHi!"
                                   << "So,pleh.|\n\nHi!|";
    QTest::newRow("of both") << opens << "<think>So.</think>Hi!"
                             << "So.|Hi!|";
    QTest::newRow("it does not end") << opens << "So, what </thi"
                                     << "So, what </thi||thinks";
    QTest::newRow("closed by the prompt") << opens + "\n</think>\n\n"
                                          << "Hi!"
                                          << "|Hi!|";
    QTest::newRow("a mark later on") << plain << "Write <think>."
                                     << "|Write <think>.|";
    QTest::newRow("Mistral") << "[THINK]"
                             << "So.[/THINK]Hi!"
                             << "So.|Hi!|";
    QTest::newRow("Cohere") << plain << "<|START_THINKING|>So.<|END_THINKING|>Hi!"
                            << "So.|Hi!|";
    QTest::newRow("other marks do not close it") << opens << "So.[/THINK]"
                                                 << "So.[/THINK]||thinks";
    QTest::newRow("nothing") << opens << ""
                             << "||thinks";
  }
  void theTwoPartsOfAnAnswer() {
    QFETCH(QString, prompt);
    QFETCH(QString, text);
    QFETCH(QString, parts);
    const std::string whole = text.toStdString();
    const ThoughtMarks* const opened = openedThought(prompt.toStdString());
    QCOMPARE(inWords(answerParts(whole, opened, true)), parts);
    // While it is written nothing that was in a part leaves it.
    std::string thinking, answer;
    for (std::size_t length = 0; length <= whole.size(); ++length) {
      const AnswerParts now = answerParts(std::string_view(whole).substr(0, length), opened, false);
      QVERIFY2(now.thinking.starts_with(thinking) && now.answer.starts_with(answer),
               qPrintable(text.left(static_cast<int>(length))));
      thinking = now.thinking;
      answer = now.answer;
    }
  }

  void aPromptThatEndsInTheMarkOpensAThought() {
    QVERIFY(openedThought("<|im_start|>assistant\n<think>\n") && openedThought("<think>"));
    QVERIFY(!openedThought("<think>\n\n</think>\n\n") && !openedThought("<think> so") && !openedThought(""));
  }

  // They are special tokens in some vocabularies, and special tokens have no text else.
  void aMarkThatIsASpecialTokenIsText() {
    QTemporaryDir folder;
    auto json = nlohmann::json::parse(readFile(kGolden / "tokenizers/qwen2/tokenizer.json"));
    int id = 0;
    for (const auto& token : json["added_tokens"]) id = std::max(id, token["id"].get<int>());
    for (const char* mark : {"[THINK]", "[/THINK]"}) {
      auto token = json["added_tokens"].back();
      token["content"] = mark;
      token["id"] = ++id;
      token["special"] = true;
      json["added_tokens"].push_back(token);
    }
    const std::filesystem::path path = folder.path().toStdString();
    std::ofstream(path / "tokenizer.json") << json.dump();
    const auto tokenizer = loadTokenizer(path);
    const auto ids = tokenizer->encode("[THINK]So, so[/THINK]Hi<|im_end|> you", false);
    QVERIFY(tokenizer->isSpecial(ids.front()));
    TextStream stream(tokenizer.get(), {});
    std::string text;
    for (const TokenId token : ids) text += stream.push(token);
    text += stream.finish();
    QCOMPARE(text, std::string("[THINK]So, so[/THINK]Hi you"));
  }
};

QTEST_APPLESS_MAIN(TestThought)
#include "tst_thought.moc"
