// What fills the context: parts, their tokens and blocks, their words and their colours.
#include <QTest>

#include "support/palettes.h"
#include "support/word_machine.h"
#include "widgets/chat/context_meter.h"

using namespace vitrine;
using test::WordMachine;
using vitrine::test::paletteOf;

namespace {

using Parts = std::vector<ContextMeter::Part>;

// A sequence of 20 prompt tokens in blocks of 8, and as many of an answer as steps were run.
struct Meter {
  WordMachine machine;
  Session session;
  ContextMeter meter{&session};

  explicit Meter(int steps, int blocks = 64) : machine(blocks, 8) {
    machine.submit("R1", 20, 30);
    for (int i = 0; i < steps; ++i) machine.step();
    session.append(machine.take());
    meter.setSequence(1);
    meter.resize(700, meter.sizeHint().height());
    meter.show();
  }
};

}  // namespace

class TestContextMeter : public QObject {
  Q_OBJECT

 private slots:
  void whatTheHostDoesNotNameIsTheConversation() {
    Meter m(5);
    QCOMPARE(m.meter.tokens(), 25);
    const Parts expected = {{ContextPart::kHistory, 20, 3}, {ContextPart::kAnswer, 5, 1}};
    QVERIFY(m.meter.parts() == expected);
  }

  // A block belongs to the part that begins it, so the blocks add up.
  void partsAddUp() {
    Meter m(5);
    m.meter.setShares({6, 4, 9});
    const Parts expected = {{ContextPart::kSystem, 6, 1},
                            {ContextPart::kHistory, 10, 1},
                            {ContextPart::kFiles, 4, 1},
                            {ContextPart::kAnswer, 5, 1},
                            {ContextPart::kDraft, 9, 1}};
    QVERIFY(m.meter.parts() == expected);
    QCOMPARE(m.meter.tokens(), 25);  // what is typed is not in the context
    m.meter.setShares({100, 100, 0});
    const Parts capped = {{ContextPart::kSystem, 20, 3}, {ContextPart::kAnswer, 5, 1}};
    QVERIFY(m.meter.parts() == capped);
  }

  // A chat that was opened, and not yet gone on with.
  void whatNoSequenceHasIsCounted() {
    Meter m(5);
    m.meter.setShares({.system = 6, .files = 4, .conversation = 30});
    QCOMPARE(m.meter.tokens(), 25);
    m.meter.setSequence(0);
    const Parts expected = {
        {ContextPart::kSystem, 6, 1}, {ContextPart::kHistory, 20, 3}, {ContextPart::kFiles, 4, 0}};
    QVERIFY(m.meter.parts() == expected);
    QCOMPARE(m.meter.text(), QStringLiteral("about 30 of 512 tokens"));
    QVERIFY2(!m.meter.legend().contains(QStringLiteral("block")), qPrintable(m.meter.legend()));
    m.meter.setShares({});
    QCOMPARE(m.meter.text(), QStringLiteral("0 of 512 tokens"));
    QVERIFY(m.meter.parts().empty());
  }

  // The smaller of context and pool is the limit, and it is said which.
  void aPoolThatIsSmallerIsTheLimit() {
    Meter whole(5);
    QVERIFY(!whole.meter.isPoolSmaller());
    QVERIFY2(whole.meter.legend().contains(QStringLiteral("The limit is the model's context.")),
             qPrintable(whole.meter.legend()));
    Meter m(5, 16);
    QCOMPARE(m.meter.limit(), 128);
    QVERIFY(m.meter.isPoolSmaller());
    QVERIFY2(m.meter.text().startsWith(QStringLiteral("25 of 128 tokens of KV memory")),
             qPrintable(m.meter.text()));
    QVERIFY2(m.meter.legend().contains(QStringLiteral("Free: 103 ")), qPrintable(m.meter.legend()));
    QVERIFY2(m.meter.legend().contains(
                 QStringLiteral("The KV memory holds 128 tokens; the model's context has 512.")),
             qPrintable(m.meter.legend()));
  }

  void whatWasLeftOutIsSaid() {
    Meter m(5);
    m.meter.setShares({6, 4, 9});
    QVERIFY(!m.meter.text().contains(QStringLiteral("left out")));
    m.meter.setShares({6, 4, 9, 1234});
    QVERIFY2(m.meter.text().endsWith(QStringLiteral(" · 1,234 left out")), qPrintable(m.meter.text()));
    QVERIFY(m.meter.legend().contains(QStringLiteral("Left out of the conversation: 1,234 ")) ||
            m.meter.legend().contains(QStringLiteral("Left out of the conversation: 1234 ")));
    QCOMPARE(m.meter.tokens(), 25);
  }

  // 50 tokens, of which the last was not computed: six full blocks stay in the prefix index, and no sequence
  // holds them.
  void aSequenceThatHasEndedIsCached() {
    Meter m(40);
    PrefixChains chains;
    for (const Event& event : m.machine.all()) chains.note(event);
    m.meter.setChains(&chains);
    QCOMPARE(m.meter.tokens(), 50);
    QVERIFY2(m.meter.text().startsWith(QStringLiteral("50 of 512 tokens · 6 block")),
             qPrintable(m.meter.text()));
    QVERIFY2(m.meter.text().endsWith(QStringLiteral(" cached")), qPrintable(m.meter.text()));
    QVERIFY2(m.meter.legend().contains(QStringLiteral("of it are still cached")),
             qPrintable(m.meter.legend()));
    QVERIFY2(!m.meter.legend().contains(QStringLiteral(", 3 block")),
             qPrintable(m.meter.legend()));  // none is held
    m.meter.setChains(nullptr);
    QCOMPARE(m.meter.text(), QStringLiteral("50 of 512 tokens"));
  }

  // Counting reads all blocks of the machine: neither a letter that is typed nor a move back and forth in the
  // same state asks for it, a block that enters the prefix index or leaves it does.
  void cachedBlocksAreCountedWhenTheyChange() {
    Meter m(40, 16);
    PrefixChains chains;
    std::size_t noted = 0;
    const auto append = [&] {
      for (; noted < m.machine.all().size(); ++noted) chains.note(m.machine.all()[noted]);
      m.session.append(m.machine.take());
    };
    append();
    m.meter.setChains(&chains);
    const auto says = [&](const char* blocks) { return m.meter.text().contains(QLatin1String(blocks)); };
    QVERIFY2(says("6 block"), qPrintable(m.meter.text()));
    QCOMPARE(m.meter.countings(), 1);
    for (int typed = 1; typed < 20; ++typed) m.meter.setShares({6, 4, typed});
    QCOMPARE(m.meter.countings(), 1);
    // Another conversation: its first tokens fill no block, then its blocks take the place of all others.
    m.machine.submit("R2", 4, 110, 1);
    m.machine.step();
    append();
    QCOMPARE(m.meter.countings(), 1);
    m.machine.run();
    append();
    QCOMPARE(m.meter.countings(), 2);
    QVERIFY2(!says("6 block"), qPrintable(m.meter.text()));
    // Each state of the past has its own.
    m.session.goToStep(m.session.lastStep() - 110);
    QVERIFY2(says("6 block"), qPrintable(m.meter.text()));
    QCOMPARE(m.meter.countings(), 3);
    m.session.goLive();
    QVERIFY2(!says("6 block"), qPrintable(m.meter.text()));
  }

  void allNumbersAreSaid() {
    Meter m(5);
    m.meter.setShares({6, 4, 9});
    for (const QString& words : {m.meter.toolTip(), m.meter.accessibleDescription()}) {
      QVERIFY2(words.contains(QStringLiteral("25 of 512 tokens")), qPrintable(words));
      QVERIFY2(words.contains(QStringLiteral("System message: 6 ")), qPrintable(words));
      QVERIFY2(words.contains(QStringLiteral("Conversation: 10 ")), qPrintable(words));
      QVERIFY2(words.contains(QStringLiteral("Files: 4 ")), qPrintable(words));
      QVERIFY2(words.contains(QStringLiteral("Answer: 5 ")), qPrintable(words));
      QVERIFY2(words.contains(QStringLiteral("Being typed (not yet sent): 9 ")), qPrintable(words));
      QVERIFY2(words.contains(QStringLiteral("Free: 478 ")), qPrintable(words));
    }
  }

  void aHiddenMeterRests() {
    Meter m(1);
    m.meter.hide();
    m.machine.step();
    m.session.append(m.machine.take());
    QCOMPARE(m.meter.tokens(), 21);
    m.meter.show();
    QCOMPARE(m.meter.tokens(), 22);
  }

  void partsStandOut_data() {
    QTest::addColumn<QPalette>("palette");
    QTest::newRow("light") << paletteOf(Qt::white, Qt::black);
    QTest::newRow("grey") << paletteOf(QColor(0xef, 0xef, 0xef), Qt::black);
    QTest::newRow("dark") << paletteOf(QColor(0x1b, 0x1d, 0x21), QColor(0xf0, 0xf0, 0xf0));
    QTest::newRow("contrast") << paletteOf(Qt::black, Qt::white);
  }

  void partsStandOut() {
    QFETCH(QPalette, palette);
    const Theme theme(palette);
    const QColor track = mix(theme.base(), theme.text(), 0.16);
    for (int i = 0; i < kContextParts; ++i) {
      const QColor colour = contextColour(static_cast<ContextPart>(i), theme);
      QVERIFY2(contrastRatio(colour, theme.base()) >= 3, QByteArray::number(i));
      QVERIFY2(contrastRatio(colour, track) >= 3, QByteArray::number(i));
      for (int j = 0; j < i; ++j) QVERIFY(contextColour(static_cast<ContextPart>(j), theme) != colour);
    }
    Meter m(5);
    m.meter.setPalette(palette);
    m.meter.setShares({60, 0, 400});  // more than the sequence has: 20 of the system message
    const QImage picture = m.meter.grab().toImage().convertToFormat(QImage::Format_RGB32);
    const int y = picture.height() / 2;
    const auto seen = [&](const QColor& colour) {
      for (int x = 0; x < picture.width(); ++x)
        if (picture.pixelColor(x, y) == colour) return true;
      return false;
    };
    QVERIFY(seen(contextColour(ContextPart::kSystem, theme)));
    QVERIFY(seen(contextColour(ContextPart::kAnswer, theme)));
    QVERIFY(!seen(contextColour(ContextPart::kFiles, theme)));
  }
};

QTEST_MAIN(TestContextMeter)
#include "tst_context_meter.moc"
