// How a chat is told to the model's template, in the words that are kept.
#include <QTest>

#include "desk/asking.h"

using namespace vitrine;

class TestAsking : public QObject {
  Q_OBJECT

 private slots:
  void whatIsKeptIsWhatWasChosen() {
    for (const std::optional<bool> thinking :
         {std::optional<bool>(), std::optional(false), std::optional(true)})
      for (const std::string effort : {"", "minimal", "low", "medium", "high"})
        for (const bool typedMarks : {false, true})
          for (const auto& mends : {std::vector<ChatMend>(), std::vector{ChatMend::kJoinedTurns},
                                    std::vector{ChatMend::kSystemInQuestion, ChatMend::kJoinedTurns}}) {
            const Asking asking{mends, typedMarks, thinking, effort};
            QCOMPARE(askingOf(toWords(asking)), asking);
          }
    QVERIFY(toWords({}).isEmpty());  // a chat without choices keeps nothing
  }

  void wordsOfALaterVersionAreLeftOut() {
    QCOMPARE(askingOf({"effort_boundless", "sung", "typed_marks"}), (Asking{.typedMarks = true}));
  }

  void itIsTold() {
    Dialogue dialogue;
    dialogue.thinking = true;
    Asking().tell(dialogue);
    QVERIFY(dialogue.thinking && dialogue.reasoningEffort.empty() && !dialogue.typedMarks);
    Asking{{ChatMend::kJoinedTurns}, true, false, "low"}.tell(dialogue);
    QVERIFY(!dialogue.thinking && dialogue.typedMarks && dialogue.reasoningEffort == "low");
    QVERIFY(dialogue.mends == std::vector{ChatMend::kJoinedTurns});
  }
};

QTEST_GUILESS_MAIN(TestAsking)
#include "tst_asking.moc"
