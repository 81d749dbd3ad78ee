// An answer with calls of tools, as the command line shows it while it is written.
#include "call_lines.h"

#include "vitrine/thought.h"

#include <QTest>
#include <random>

using namespace vitrine;
using vitrine::cli::CallLines;

namespace {

const ToolSet& tools() {
  static const ToolSet tools(R"([{"type":"function","function":{"name":"f"}}])");
  return tools;
}

// The answer in these pieces, read as the program reads it.
std::string shownIn(const std::string& answer, const std::vector<std::size_t>& ends, const ToolSet& offered) {
  CallLines lines(offered);
  std::string shown;
  for (const std::size_t end : ends)
    shown += lines.next(answerParts(std::string_view(answer).substr(0, end), nullptr, false).answer, false);
  shown += lines.next(answerParts(answer, nullptr, true).answer, true);
  if (lines.endsLine() != shown.ends_with('\n')) return "it does not know where it ended";
  return shown;
}

}  // namespace

class TestCallLines : public QObject {
  Q_OBJECT

 private slots:
  void aCallIsALine_data() {
    QTest::addColumn<QString>("answer");
    QTest::addColumn<QString>("shown");
    const QString call = "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": [1, 2]}}\n</tool_call>",
                  line = "→ f {\"a\":[1,2]}\n";
    QTest::newRow("alone") << call << line;
    QTest::newRow("behind a text") << "Let me look. \n" + call << "Let me look. \n" + line;
    QTest::newRow("within a line") << "So: " + call + " \n and then"
                                   << "So: \n" + line + "and then";
    QTest::newRow("in a row") << call + "\n \n" + call + "\n" << line + line;
    QTest::newRow("with text between") << call + " And\n" + call + "end\n" << line + "And\n" + line + "end\n";
    QTest::newRow("without a mark") << "{\"name\":\"f\"} ; {\"name\":\"f\"}\n so"
                                    << "→ f {}\n→ f {}\nso";
    QTest::newRow("a list") << "[TOOL_CALLS][{\"name\":\"f\"}, {\"name\":\"f\"}] so"
                            << "→ f {}\n→ f {}\nso";
    QTest::newRow("what is none") << "a <tool_call> b <tool b <function="
                                  << "a <tool_call> b <tool b <function=";
    const QString next = "<|start|>assistant<|channel|>", words = "commentary<|message|>I look.<|end|>",
                  inChannel = "commentary to=functions.f <|constrain|>json<|message|>{\"a\": 1}<|call|>",
                  thought = "analysis<|message|>So.<|end|>", final = "final<|message|>Hi!<|return|>";
    QTest::newRow("in a channel") << "<|channel|>" + inChannel << "→ f {\"a\":1}\n";
    QTest::newRow("the recipient first") << " to=functions.f<|channel|>commentary json<|message|>{}<|call|>"
                                         << "→ f {}\n";
    QTest::newRow("words and calls in channels")
        << "<|channel|>" + thought + next + words + next + inChannel + next + inChannel + next + final
        << "I look.\n\n→ f {\"a\":1}\n→ f {\"a\":1}\nHi!";
    QTest::newRow("a thought behind words")
        << "<|channel|>commentary<|message|> \n I look.<|end|>" + next + thought + next + final
        << "I look.\n\nHi!";
    QTest::newRow("cut in a channel")
        << "<|channel|>" + words + next + "commentary to=functions.f json<|message|>{\"a\" <|c"
        << "I look.\n\n→ (a call, unreadable) " + next +
               "commentary to=functions.f json<|message|>{\"a\" <|c\n";
    QTest::newRow("cut") << "So:\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a"
                         << "So:\n→ (a call, cut off) <tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\n";
    QTest::newRow("a mistake") << "<tool_call>{\"name\": f}</tool_call>\n" + call + " so"
                               << "→ (a call, unreadable) <tool_call>{\"name\": f}</tool_call>\n" + line +
                                      "so";
    QTest::newRow("cut in a header") << "<|channel|>" + words + next + "commentary to=func"
                                     << "I look.";
  }
  void aCallIsALine() {
    QFETCH(QString, answer);
    QFETCH(QString, shown);
    const std::string text = answer.toStdString();
    QCOMPARE(QString::fromStdString(shownIn(text, {}, tools())), shown);
    std::vector<std::size_t> all;
    for (std::size_t end = 1; end <= text.size(); ++end) all.push_back(end);
    QCOMPARE(QString::fromStdString(shownIn(text, all, tools())), shown);
    std::mt19937 random(7);
    for (int trial = 0; trial < 100; ++trial) {
      std::vector<std::size_t> ends;
      for (const std::size_t end : all)
        if (random() % 4 == 0) ends.push_back(end);
      QCOMPARE(QString::fromStdString(shownIn(text, ends, tools())), shown);
    }
    // A chat without tools.
    QCOMPARE(shownIn(text, all, {}), answerParts(text, nullptr, true).answer);
  }

  void whatIsSaidBesideThem() {
    CallLines lines(tools());
    const std::string answer = "Look:\n<function=f></function>\nDone";
    lines.next(answer, true);
    QCOMPARE(lines.calls(), (std::vector<ToolCall>{{"f", "{}"}}));
    QCOMPARE(lines.textBeside(answer), std::string("Look:\n\nDone"));
    const ToolSet offersNothing;
    CallLines none(offersNothing);
    none.next(answer, true);
    QVERIFY(none.calls().empty());
    QCOMPARE(none.textBeside(answer), answer);
  }
};

QTEST_APPLESS_MAIN(TestCallLines)
#include "tst_call_lines.moc"
