// What of a prompt was computed again, and why: the counts, the reason in words, and the line that opens it.
#include <QLabel>
#include <QTest>
#include <QToolButton>

#include "support/palettes.h"
#include "support/word_machine.h"
#include "widgets/chat/transcript_view.h"
#include "widgets/message/message_widget.h"
#include "widgets/message/prompt_reuse_view.h"
#include "widgets/support/theme.h"

using namespace vitrine;
using test::WordMachine;
using vitrine::test::paletteOf;

namespace {

// The reuse of each request, in the order in which they finished.
struct Reuses {
  Session session;
  std::vector<PromptReuse> all;

  Reuses() {
    QObject::connect(&session, &Session::requestFinished, [this](const RequestFinished& finished) {
      all.push_back(promptReuseOf(session, finished));
    });
  }
  const PromptReuse& run(WordMachine& machine) {
    machine.run();
    session.append(machine.take());
    return all.back();
  }
};

PromptReuse differing() {
  PromptReuse reuse;
  reuse.promptTokens = 64;
  reuse.cachedTokens = reuse.matchedTokens = 32;
  reuse.prefillNs = 64'000'000;
  reuse.blockSize = 16;
  reuse.cause = MissCause::kDiffers;
  reuse.owner = QStringLiteral("A");
  reuse.sharedTokens = 40;
  reuse.why = QStringLiteral("After 40 equal tokens B has token 1 where A has token 2.");
  reuse.before = QStringLiteral("the quiet ");
  reuse.ours = QStringLiteral("garden");
  reuse.theirs = QStringLiteral("hill");
  return reuse;
}

PromptReuse evicted() {
  PromptReuse reuse = differing();
  reuse.cause = MissCause::kEvicted;
  reuse.before = reuse.ours = reuse.theirs = QString();
  reuse.sharedTokens = 64;
  reuse.lostBlocks = 1;
  return reuse;
}

}  // namespace

class TestPromptReuse : public QObject {
  Q_OBJECT

 private slots:
  void aFirstPromptHasNoReason() {
    WordMachine machine(32, 8);
    Reuses reuses;
    machine.submit("first", 20, 10);
    const PromptReuse& reuse = reuses.run(machine);
    QCOMPARE(reuse.promptTokens, 20);
    QCOMPARE(reuse.cachedTokens, 0);
    QCOMPARE(reuse.computedTokens(), 20);
    QCOMPARE(reuse.blockSize, 8);
    QVERIFY(!reuse.cause);
    QVERIFY(reuse.prefillRate() > 0);
    QCOMPARE(promptReuseTitle(reuse), QStringLiteral("Prompt: 20 tokens, 0 from the cache, 20 computed"));
    QCOMPARE(promptReuseSentences(reuse).first(),
             QStringLiteral("No block in the cache goes on like this prompt."));
  }

  // The same prompt again: of 20 tokens two blocks of 8 are found, and four tokens are computed.
  void anEqualPromptIsFoundInWholeBlocks() {
    WordMachine machine(32, 8);
    Reuses reuses;
    machine.submit("first", 20, 2);
    reuses.run(machine);
    machine.submit("again", 20, 2);
    const PromptReuse& reuse = reuses.run(machine);
    QCOMPARE(reuse.cachedTokens, 16);
    QCOMPARE(reuse.computedTokens(), 4);
    QVERIFY(!reuse.cause);
    QVERIFY(promptReuseSentences(reuse).first().startsWith(QLatin1String("All that can be found was found")));
  }

  // The first request's answer stands where the second one's prompt goes on.
  void theFirstDifferentTokenIsNamed() {
    WordMachine machine(32, 8);
    Reuses reuses;
    machine.submit("first", 20, 10);
    reuses.run(machine);
    machine.submit("second", 40, 2);
    const PromptReuse& reuse = reuses.run(machine);
    QVERIFY(reuse.cause == MissCause::kDiffers);
    QCOMPARE(reuse.matchedTokens, 16);
    const std::vector<TokenId>& first = reuses.session.state().sequences.at(1).tokens;
    const std::vector<TokenId>& second = reuses.session.state().sequences.at(2).tokens;
    const auto differs = std::ranges::mismatch(first, second).in1 - first.begin();
    QCOMPARE(reuse.sharedTokens, static_cast<int>(differs));
    QCOMPARE(reuse.lostBlocks, 0);
    QVERIFY2(reuse.why.contains(QStringLiteral("After %1 equal tokens").arg(differs)), qPrintable(reuse.why));
    QCOMPARE(promptReuseSentences(reuse).first(), reuse.why);
  }

  // Other prompts took the blocks; the first prompt comes again.
  void lostBlocksAreCounted() {
    WordMachine machine(8, 4);
    Reuses reuses;
    machine.submit("first", 17, 2, 0);
    reuses.run(machine);
    machine.submit("other", 24, 4, 7);
    reuses.run(machine);
    machine.submit("again", 17, 2, 0);
    const PromptReuse& reuse = reuses.run(machine);
    QVERIFY(reuse.cause == MissCause::kEvicted);
    QCOMPARE(reuse.sharedTokens, 17);
    QCOMPARE(reuse.lostBlocks, 4 - reuse.matchedTokens / 4);
    QVERIFY(reuse.lostBlocks > 0);
    QVERIFY2(reuse.why.contains(QLatin1String("was evicted in step")), qPrintable(reuse.why));
    QVERIFY2(promptReuseSentences(reuse).last().startsWith(QLatin1String("Of that, the lost blocks")),
             qPrintable(promptReuseSentences(reuse).last()));
  }

  // 32 tokens in 64 ms are 500 a second, so a lost block of 16 costs 32 ms.
  void whatWasLostIsPaidAtTheRateOfTheRequest() {
    const PromptReuse reuse = evicted();
    QCOMPARE(reuse.prefillRate(), 500.0);
    QCOMPARE(reuse.lostNs(), 32'000'000);
    const QStringList words = promptReuseSentences(reuse);
    QCOMPARE(words.size(), 3);
    QVERIFY2(words.last().contains(QLatin1String("32")), qPrintable(words.last()));
    QVERIFY(promptReuseSentences(differing()).at(1).contains(QStringLiteral("“garden”")));
    QVERIFY(promptReuseSentences(differing()).at(1).contains(QStringLiteral("“hill”")));
  }

  void aLineUnderTheAnswerOpens() {
    ChatEntry entry;
    entry.role = ChatRole::kAssistant;
    entry.text = QStringLiteral("An answer.");
    entry.status = AnswerStatus::kWriting;
    entry.reuse = std::make_shared<PromptReuse>(differing());
    MessageWidget message(entry);
    message.resize(700, 300);
    message.show();
    auto* const line = message.findChild<PromptReuseLine*>();
    QVERIFY(line != nullptr && !line->isVisible());  // it is written still
    entry.status = AnswerStatus::kDone;
    message.display(entry);
    QVERIFY(line->isVisible());
    QToolButton* const button = line->button();
    QCOMPARE(button->text(), promptReuseTitle(*entry.reuse));
    QCOMPARE(button->accessibleName(), button->text());
    QVERIFY(button->focusPolicy() & Qt::TabFocus);
    QVERIFY(line->findChild<PromptReuseView*>() == nullptr);  // costs nothing until it is asked for
    QTest::keyClick(button, Qt::Key_Space);
    auto* const view = line->findChild<PromptReuseView*>();
    QVERIFY(view != nullptr && view->isVisible());
    QVERIFY(view->findChild<QLabel*>()->text().contains(entry.reuse->why));
    QVERIFY(!view->findChild<PromptBlocks*>()->accessibleDescription().isEmpty());
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(!view->isVisible());
    entry.reuse = nullptr;
    message.display(entry);
    QVERIFY(!line->isVisible());
  }

  // In the conversation, which gives a message the height that its texts want.
  void whatIsOpenedIsWhole() {
    Session session;
    ChatModel model(&session);
    ChatEntry entry;
    entry.role = ChatRole::kAssistant;
    entry.text = QStringLiteral("An answer.");
    entry.status = AnswerStatus::kDone;
    entry.reuse = std::make_shared<PromptReuse>(differing());
    model.show({entry, entry});
    TranscriptView transcript(&model);
    transcript.resize(360, 400);
    transcript.show();
    auto* const line = transcript.findChild<PromptReuseLine*>();
    QTest::mouseClick(line->button(), Qt::LeftButton);
    const auto* const words = line->findChild<PromptReuseView*>()->findChild<QLabel*>();
    QTRY_VERIFY_WITH_TIMEOUT(words->width() < 340 &&
                                 words->height() >= words->heightForWidth(words->width()) &&
                                 words->height() > 3 * words->fontMetrics().lineSpacing(),
                             30000);
    QVERIFY(line->width() <= transcript.viewport()->width());
  }

  void partsDiffer_data() {
    QTest::addColumn<QPalette>("palette");
    QTest::newRow("light") << paletteOf(Qt::white, Qt::black, QColor(0x30, 0x8c, 0xc6));
    QTest::newRow("dark") << paletteOf(QColor(0x1b, 0x1d, 0x21), Qt::white, QColor(0x30, 0x8c, 0xc6));
    QTest::newRow("contrast") << paletteOf(Qt::black, Qt::white, Qt::white);
  }

  // Found, lost and computed blocks, in the row of the cached prompt and in the prompt's own.
  void partsDiffer() {
    QFETCH(QPalette, palette);
    PromptBlocks blocks;
    blocks.setPalette(palette);
    blocks.setAutoFillBackground(true);
    blocks.setBackgroundRole(QPalette::Base);
    blocks.display(evicted());
    blocks.resize(900, blocks.sizeHint().height());
    const QImage picture = blocks.grab().toImage().convertToFormat(QImage::Format_RGB32);
    const double scale = picture.devicePixelRatio();
    // What stands out from the ground in the middle of a block: `share` of the prompt, row 0 or 1.
    const auto ink = [&](double share, int row) {
      int count = 0;
      for (int x = 0; x < 12; ++x)
        for (int y = 0; y < 8; ++y) {
          const QColor colour =
              picture.pixelColor(static_cast<int>((880 - 700 * (1 - share) + x - 6) * scale),
                                 static_cast<int>((5 + 22 * row + y) * scale));
          count += contrastRatio(colour, palette.color(QPalette::Base)) >= 3 ? 1 : 0;
        }
      return count;
    };
    QCOMPARE(ink(0.375, 0), 96);  // found: all of it
    QCOMPARE(ink(0.375, 1), 96);
    QVERIFY2(ink(0.64, 0) > 5 && ink(0.64, 0) < 90, QByteArray::number(ink(0.64, 0)));  // lost: hatched
    QCOMPARE(ink(0.64, 1), 0);                                                          // computed: empty
    QCOMPARE(ink(0.89, 1), 0);
  }
};

QTEST_MAIN(TestPromptReuse)
#include "tst_prompt_reuse.moc"
