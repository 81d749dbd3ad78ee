// How long an answer thought: to the token that ends it, however its text is cut into tokens.
#include <QTest>

#include "widgets/conversation/thought_meter.h"

using namespace vitrine;

namespace {

constexpr std::int64_t kStepNs = 100;
constexpr SequenceId kSequence = 7;

struct Answer {
  ThoughtMeter meter;
  std::int64_t nowNs = 1000;

  explicit Answer(const std::vector<TokenId>& outputIds = {}, const std::string& outputText = {}) {
    RequestSubmitted submitted;
    submitted.firstSequence = kSequence;
    submitted.asked.outputIds = outputIds;
    submitted.outputText = outputText;
    meter.begin(submitted);
  }
  // Tokens with these texts, kStepNs apart.
  void write(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      TokenSampled sampled;
      sampled.sequence = kSequence;
      sampled.text = text;
      meter.note(sampled, nowNs += kStepNs);
    }
  }
  ThoughtFigures thought() const { return meter.figuresOf(kSequence); }
};

}  // namespace

class TestThoughtMeter : public QObject {
  Q_OBJECT

 private slots:
  void itIsMeasuredToItsEnd_data() {
    using Texts = std::vector<std::string>;
    QTest::addColumn<Texts>("texts");
    QTest::addColumn<int>("tokens");
    QTest::newRow("marks are tokens") << Texts{"<think>", "hm", "</think>", "Yes", " or no"} << 3;
    QTest::newRow("marks in pieces") << Texts{"<th", "", "ink>h", "m</", "think", ">Yes", "!"} << 6;
    QTest::newRow("white space before") << Texts{" ", "\n<think>", "</think>", "Yes"} << 3;
    QTest::newRow("all in one token") << Texts{"<think>hm</think>Yes", "!"} << 1;
    QTest::newRow("what looks like an end") << Texts{"<think>", "</thin", "g>", "</th", "ink>"} << 5;
    QTest::newRow("a channel") << Texts{"<|channel|>", "analysis", "<|message|>",
                                        "hm",          "<|end|>",  "<|start|>assistant"}
                               << 5;
    QTest::newRow("no thought in a channel")
        << Texts{"<|channel|>", "commentary", "<|message|>", "hm", "<|end|>"} << 0;
    QTest::newRow("no thinking") << Texts{"Yes", "<think>", "hm", "</think>"} << 0;
    QTest::newRow("a mark that is none") << Texts{"<thin", "g>", "<think>", "</think>"} << 0;
    QTest::newRow("it does not end") << Texts{"<think>", "hm"} << 0;
    QTest::newRow("nothing") << Texts{} << 0;
  }
  void itIsMeasuredToItsEnd() {
    QFETCH(std::vector<std::string>, texts);
    QFETCH(int, tokens);
    Answer answer;
    answer.write(texts);
    QCOMPARE(answer.thought().tokens, tokens);
    QCOMPARE(answer.thought().ns, tokens > 1 ? (tokens - 1) * kStepNs : 0);
  }

  void aThoughtThatThePromptOpens() {
    RequestSubmitted submitted;
    submitted.firstSequence = kSequence;
    submitted.asked.prompt = "<|im_start|>assistant\n<think>\n";
    Answer answer;
    answer.meter.begin(submitted);
    answer.write({"hm", "</th", "ink>", "Yes"});
    QCOMPARE(answer.thought(), (ThoughtFigures{3, 2 * kStepNs}));
  }

  void aForcedBeginningCounts() {
    Answer answer({1, 2, 3}, "<think>hm");
    answer.write({"so", "</think>", "Yes"});
    QCOMPARE(answer.thought(), (ThoughtFigures{5, kStepNs}));
    Answer thoughtBefore({1, 2, 3}, "<think>hm</think>");  // by another request, which measured it
    thoughtBefore.write({"<think>", "</think>"});
    QCOMPARE(thoughtBefore.thought(), ThoughtFigures());
  }

  // An answer that is stopped while it thinks has thought for as long as it took.
  void oneThatIsStopped() {
    RequestFinished finished;
    finished.completionTokens = 40;
    finished.ttftNs = 500;
    finished.totalNs = 4500;
    Answer answer;
    answer.write({"<think>", "hm"});
    QCOMPARE(answer.meter.figuresOf(kSequence, finished), (ThoughtFigures{40, 4000}));
    answer.write({"</think>"});
    QCOMPARE(answer.meter.figuresOf(kSequence, finished), (ThoughtFigures{3, 2 * kStepNs}));
    Answer plain;
    plain.write({"Yes"});
    QCOMPARE(plain.meter.figuresOf(kSequence, finished), ThoughtFigures());
  }

  void aNewRunForgets() {
    Answer answer;
    answer.write({"<think>", "</think>"});
    QCOMPARE(answer.thought().tokens, 2);
    answer.meter.clear();
    QCOMPARE(answer.thought(), ThoughtFigures());
  }
};

QTEST_GUILESS_MAIN(TestThoughtMeter)
#include "tst_thought_meter.moc"
