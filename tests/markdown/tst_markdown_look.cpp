// The colours of a message read at 4.5 : 1 in every theme.
#include <QTest>
#include <random>

#include "widgets/markdown/markdown_look.h"

#include "support/palettes.h"

using namespace vitrine;
using vitrine::test::paletteOf;

class TestMarkdownLook : public QObject {
  Q_OBJECT

 private slots:
  void everyTextReads_data() {
    QTest::addColumn<QPalette>("palette");
    QTest::newRow("light") << paletteOf(Qt::white, QColor(30, 30, 30), QColor(48, 140, 198));
    QTest::newRow("grey") << paletteOf(QColor(239, 240, 241), QColor(35, 38, 41), QColor(61, 174, 233));
    QTest::newRow("dark") << paletteOf(QColor(27, 30, 32), QColor(252, 252, 252), QColor(61, 174, 233));
    QTest::newRow("high contrast") << paletteOf(Qt::black, Qt::white, Qt::yellow);
    QTest::newRow("high contrast, light") << paletteOf(Qt::white, Qt::black, Qt::blue);
    QTest::newRow("a poor palette") << paletteOf(QColor(120, 120, 120), QColor(140, 140, 140),
                                                 QColor(130, 130, 130));
    std::mt19937 random(31);
    const auto any = [&random] { return QColor::fromRgb(static_cast<QRgb>(random())); };
    for (int i = 0; i < 40; ++i) QTest::addRow("random %d", i) << paletteOf(any(), any(), any());
  }
  void everyTextReads() {
    QFETCH(QPalette, palette);
    const MarkdownLook look = MarkdownLook::of(Theme(palette));
    QVERIFY(look.pairs().size() > 30);
    for (const auto& [ink, ground] : look.pairs())
      QVERIFY2(contrastRatio(ink, ground) >= 4.5,
               qPrintable(ink.name() + " on " + ground.name() + ", text " + look.text.name()));
  }

  void aStrongerTintIsStronger() {
    const MarkdownLook look = MarkdownLook::of(Theme(paletteOf(Qt::white, Qt::black, Qt::blue)));
    QCOMPARE(look.tint(0), look.base);
    QVERIFY(contrastRatio(look.tint(0.2), look.base) < contrastRatio(look.tint(0.6), look.base));
    QVERIFY(contrastRatio(look.tint(0.6), look.base) < contrastRatio(look.tint(1), look.base));
    QCOMPARE(look.tint(7), look.tint(1));
  }
};

QTEST_MAIN(TestMarkdownLook)
#include "tst_markdown_look.moc"
