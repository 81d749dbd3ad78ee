// What is lit, marked or asked in a conversation can be read, in any palette.
#include "widgets/message/conversation_colours.h"

#include <QPalette>
#include <QTest>
#include <random>

#include "support/palettes.h"
#include "widgets/support/theme.h"

using namespace vitrine;
using vitrine::test::paletteOf;

class TestConversationColours : public QObject {
  Q_OBJECT

 private slots:
  void everyInkReads_data() {
    QTest::addColumn<QPalette>("palette");
    QTest::newRow("light") << paletteOf(Qt::white, QColor(0x1d, 0x23, 0x2b), QColor(0x00, 0x5a, 0x9e));
    QTest::newRow("dark") << paletteOf(QColor(0x1b, 0x1d, 0x21), QColor(0xe6, 0xe9, 0xed),
                                       QColor(0x56, 0xb4, 0xe9));
    QTest::newRow("high contrast") << paletteOf(Qt::black, Qt::white, Qt::yellow);
    std::mt19937 random(7);
    const auto any = [&random] { return QColor::fromRgb(static_cast<QRgb>(random())); };
    for (int i = 0; i < 40; ++i) QTest::addRow("random %d", i) << paletteOf(any(), any(), any());
  }
  void everyInkReads() {
    QFETCH(QPalette, palette);
    for (const auto& [ink, ground] : ConversationColours::of(Theme(palette)).pairs())
      QVERIFY2(contrastRatio(ink, ground) >= 4.5, qPrintable(ink.name() + " on " + ground.name()));
  }
};

QTEST_MAIN(TestConversationColours)
#include "tst_conversation_colours.moc"
