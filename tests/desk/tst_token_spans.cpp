// Which bytes of an answer are which token.
#include "desk/token_spans.h"

#include <QTest>

using namespace vitrine;

using Texts = std::vector<std::string>;
using Spans = std::vector<TokenSpan>;

class TestTokenSpans : public QObject {
  Q_OBJECT

 private slots:
  void eachTokenHasItsBytes() {
    QCOMPARE(tokenSpans({"A", " cache", " keeps", ""}, "A cache keeps"),
             (Spans{{0, 1}, {1, 7}, {7, 13}, {13, 13}}));
  }

  // A chat shows no spaces at the beginning.
  void leadingSpacesAreLeftOut() {
    QCOMPARE(tokenSpans({" ", " A", "\n"}, "A\n"), (Spans{{0, 0}, {0, 1}, {1, 2}}));
  }

  void whatWasThoughtHasNoBytes() {
    QCOMPARE(tokenSpans({"<think>", "Hm", "</think>", "\n\n", "Yes", "."}, "Yes."),
             (Spans{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 3}, {3, 4}}));
  }

  // A stop string is not part of the text, and may begin inside a token.
  void aStopStringIsCutOff() {
    // The prompt has opened the thought.
    QCOMPARE(tokenSpans({"Hm", "</think>", "\n\n", "Yes", "."}, "Yes.", "<|im_start|>assistant\n<think>\n"),
             (Spans{{0, 0}, {0, 0}, {0, 0}, {0, 3}, {3, 4}}));
    QCOMPARE(tokenSpans({"Yes", ".\n<", "|user|>"}, "Yes.\n"), (Spans{{0, 3}, {3, 5}, {5, 5}}));
  }

  // What stands between two messages is the break between them.
  void aMessageBehindAnotherOne() {
    QCOMPARE(
        tokenSpans({"<|channel|>", "commentary", "<|message|>", "I look", ".", "<|end|>",
                    "<|start|>assistant<|channel|>final", "<|message|>", "Yes", "", ""},
                   "I look.\n\nYes"),
        (Spans{{0, 0}, {0, 0}, {0, 0}, {0, 6}, {6, 7}, {7, 9}, {9, 9}, {9, 9}, {9, 12}, {12, 12}, {12, 12}}));
    QCOMPARE(tokenSpans({"<|channel|>analysis<|message|>", "Hm", "<|end|>",
                         "<|start|>assistant<|channel|>final<|message|>", "Yes", "<|end|>"},
                        "Yes"),
             (Spans{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 3}, {3, 3}}));
  }

  // A character of several tokens belongs to the last of them.
  void bytesAndNotLetters() {
    const Spans spans = tokenSpans({"ü", "", "", "🦊", "!"}, "ü🦊!");
    QCOMPARE(spans, (Spans{{0, 2}, {2, 2}, {2, 2}, {2, 6}, {6, 7}}));
    QCOMPARE(tokenAt(spans, 0), std::optional(0));
    QCOMPARE(tokenAt(spans, 1), std::optional(0));
    QCOMPARE(tokenAt(spans, 4), std::optional(3));
    QCOMPARE(tokenAt(spans, 6), std::optional(4));
    QCOMPARE(tokenAt(spans, 99), std::optional(4));
  }

  // The tokens of another model say something else.
  void anotherTextHasNoSpans() {
    QVERIFY(tokenSpans({"A", " cache"}, "A catch").empty());
    QVERIFY(tokenSpans({"A"}, "A cache").empty());
    QVERIFY(!tokenAt({}, 0));
    QVERIFY(!tokenAt(tokenSpans({"", ""}, ""), 0));
  }
};

QTEST_APPLESS_MAIN(TestTokenSpans)
#include "tst_token_spans.moc"
