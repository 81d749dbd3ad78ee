// What a model thinks before its answer: its marks in a text that is whole, and in one that grows.
#include "vitrine/thought.h"

#include "support/more_tokens.h"
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
    QTest::newRow("Hunyuan 3") << plain << "<think:opensource>So.</think:opensource>Hi!"
                               << "So.|Hi!|";
    QTest::newRow("Apriel") << plain << "<thinking>So.</thinking>\nHi!"
                            << "So.|\nHi!|";
    QTest::newRow("MiniMax") << plain << "<mm:think>So.</mm:think>Hi!"
                             << "So.|Hi!|";
    QTest::newRow("Apertus") << plain << "<|inner_prefix|>So.<|inner_suffix|>Hi!"
                             << "So.|Hi!|";
    QTest::newRow("Gemma 4") << plain << "<|channel>thought\nSo.\n<channel|>Hi!"
                             << "So.|Hi!|";
    QTest::newRow("Gemma 4, closed by the prompt") << "<|turn>model\n<|channel>thought\n<channel|>"
                                                   << "Hi!"
                                                   << "|Hi!|";
    QTest::newRow("other marks do not close it") << opens << "So.[/THINK]"
                                                 << "So.[/THINK]||thinks";
    const QString channel = "<|start|>assistant", analysis = "<|channel|>analysis<|message|>",
                  final = "<|channel|>final<|message|>";
    QTest::newRow("channels") << channel << analysis + "So.<|end|>" + channel + final + "Hi <b>!"
                              << "So.|Hi <b>!|";
    QTest::newRow("channels, ended by a mark")
        << channel << analysis + "So.<|end|>" + channel + final + "Hi!<|end|><|start|>user<|message|>What?"
        << "So.|Hi!|";
    QTest::newRow("channels, the answer alone") << channel << final + "Hi!<|en"
                                                << "|Hi!<|en|";
    QTest::newRow("channels, the answer's whole message") << analysis + "<|end|>" << channel + final + "Hi!"
                                                          << "|Hi!|";
    QTest::newRow("channels, opened by the prompt")
        << channel + analysis << "So.<|end|>" + channel + final + "Hi!"
        << "So.|Hi!|";
    QTest::newRow("channels, no end") << channel << analysis + "So. <|"
                                      << "So. <|||thinks";
    QTest::newRow("channels, cut in the answer's mark") << channel << analysis + "So.<|end|><|start|>assist"
                                                        << "So.||";
    QTest::newRow("channels, cut in the first mark") << channel << "<|channel|>anal"
                                                     << "||";
    const QString words = "<|channel|>commentary<|message|>I look.<|end|>",
                  call = "<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}";
    QTest::newRow("channels, words before the answer") << channel << words + channel + final + "Hi!"
                                                       << "|I look.\n\nHi!|";
    QTest::newRow("channels, words alone") << channel << "<|channel|>commentary<|message|>Hi!"
                                           << "|Hi!|";
    QTest::newRow("channels, a call stays as it is written")
        << channel << analysis + "So.<|end|>" + channel + call + "<|call|>"
        << "So.|<|start|>assistant" + call + "<|call|>|";
    QTest::newRow("channels, a call alone") << channel << call << "|" + call + "|";
    QTest::newRow("channels, words and a call")
        << channel << analysis + "So.<|end|>" + channel + words + channel + call
        << "So.|I look.\n\n<|start|>assistant" + call + "|";
    QTest::newRow("channels, the recipient first")
        << channel << " to=functions.f<|channel|>commentary json<|message|>{}<|call|>"
        << "|to=functions.f<|channel|>commentary json<|message|>{}<|call|>|";
    QTest::newRow("channels, two thoughts")
        << channel << analysis + "So.\n<|end|>" + channel + words + channel + analysis + " And so"
        << "So.\n\nAnd so|I look.|thinks";
    QTest::newRow("channels, blanks before words and between")
        << channel
        << "<|channel|>commentary<|message|> \n<|end|>" + channel +
               "<|channel|>commentary<|message|>\n I look.<|end|>" + channel + analysis + "So.<|end|>" +
               channel + final + "\nHi!"
        << "So.|I look.\n\n\nHi!|";
    QTest::newRow("channels, a thought and a call, opened by the prompt")
        << channel + analysis << "So.<|end|>" + channel + call << "So.|<|start|>assistant" + call + "|";
    QTest::newRow("channels, no header behind a thought") << channel << analysis + "So.<|end|>to be"
                                                          << "So.|to be|";
    QTest::newRow("channels, a header that a limit cut")
        << channel << words + channel + "<|channel|>commentary to=func"
        << "|I look.|";
    QTest::newRow("words like a recipient") << plain << "to=you"
                                            << "|to=you|";
    QTest::newRow("no channel of this name") << channel << "<|channel|>other<|message|>Hi!"
                                             << "|<|channel|>other<|message|>Hi!|";
    QTest::newRow("no channel") << channel << "<|"
                                << "|<||";
    QTest::newRow("Solar") << "<|begin|>assistant"
                           << "<|think|>So.<|end|><|begin|>assistant<|content|>Hi!<|end|>"
                           << "So.|Hi!|";
    QTest::newRow("Solar, the answer alone") << "<|begin|>assistant"
                                             << "<|content|>Hi!"
                                             << "|Hi!|";
    const QString calls =
        "<|begin|>assistant<|tool_calls|><|tool_call:begin|>a1<|tool_call:name|>f<|tool_call:args|>{}"
        "<|tool_call:end|><|calls|>";
    QTest::newRow("Solar, words and calls")
        << "<|begin|>assistant"
        << "<|content|>I look.<|end|>" + calls << "|I look.\n\n" + calls + "|";
    QTest::newRow("Solar, a thought, words and calls")
        << "<|begin|>assistant"
        << "<|think|>So.<|end|><|begin|>assistant<|content|>I look.<|end|>" + calls
        << "So.|I look.\n\n" + calls + "|";
    QTest::newRow("Solar, a thought that the prompt opened, words and calls")
        << "<|begin|>assistant<|think|>"
        << "So.<|end|><|begin|>assistant<|content|>I look.<|end|>" + calls << "So.|I look.\n\n" + calls + "|";
    QTest::newRow("Solar, a mark of calls that a limit cut") << "<|begin|>assistant"
                                                             << "<|content|>I look.<|end|><|begin|>assist"
                                                             << "|I look.|";
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
  void aMarkThatIsASpecialTokenIsText_data() {
    QTest::addColumn<QStringList>("special");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("said");
    QTest::newRow("a pair") << QStringList{"[THINK]", "[/THINK]"} << "[THINK]So, so[/THINK]Hi<|im_end|> you"
                            << "[THINK]So, so[/THINK]Hi you";
    QTest::newRow("with a word behind it")
        << QStringList{"<|channel>", "<channel|>"} << "<|channel>thought\nSo, so\n<channel|>Hi<|im_end|> you"
        << "<|channel>thought\nSo, so\n<channel|>Hi you";
    const QString channels =
        "<|channel|>analysis<|message|>So, so<|end|><|start|>assistant<|channel|>final"
        "<|message|>Hi";
    QTest::newRow("channels") << QStringList{"<|start|>", "<|end|>", "<|message|>", "<|channel|>"}
                              << channels + "<|im_end|> you" << channels + " you";
    QTest::newRow("the end of another family")
        << QStringList{"<|start|>", "<|end|>", "<|message|>"} << "Hi<|end|> you"
        << "Hi you";
  }
  void aMarkThatIsASpecialTokenIsText() {
    QFETCH(QStringList, special);
    QFETCH(QString, text);
    QFETCH(QString, said);
    TokensToAdd added;
    for (const QString& token : special) added.special.push_back(token.toStdString());
    const QTemporaryDir folder;
    writeTokenizer(kGolden / "tokenizers/qwen2", added, folder.path().toStdString());
    const auto tokenizer = loadTokenizer(folder.path().toStdString());
    QVERIFY(tokenizer->isSpecial(tokenizer->find(added.special.front()).value()));
    TextStream stream(tokenizer.get(), {});
    std::string written;
    for (const TokenId token : tokenizer->encode(text.toStdString(), false)) written += stream.push(token);
    written += stream.finish();
    QCOMPARE(written, said.toStdString());
  }
};

QTEST_APPLESS_MAIN(TestThought)
#include "tst_thought.moc"
