// Letters, colours, formats and exports.
#include <sys/resource.h>

#include <QAbstractTableModel>
#include <QDir>
#include <QPainter>
#include <QPicture>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTest>
#include <QTextLayout>
#include <QTranslator>
#include <csignal>
#include <random>
#include <set>

#include "vitrine/prose/language.h"
#include "widgets/support/animation_clock.h"
#include "widgets/support/box_stamps.h"
#include "widgets/support/formats.h"
#include "widgets/support/picture_export.h"
#include "widgets/support/request_style.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/table_export.h"
#include "widgets/support/theme.h"
#include "widgets/support/token_ink.h"
#include "widgets/support/wrapped_lines.h"

using namespace vitrine;

namespace {

QPalette paletteOf(const QColor& base, const QColor& text) {
  QPalette palette(text, base, base.lighter(), base.darker(), base, text, base);
  palette.setColor(QPalette::Base, base);
  palette.setColor(QPalette::Text, text);
  palette.setColor(QPalette::Highlight, QColor(0x30, 0x8c, 0xc6));
  return palette;
}

}  // namespace

class TestSupport : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { QLocale::setDefault(QLocale::c()); }
  void lettersNeverRepeat();
  void fortyStylesInARowDiffer();
  void textIsReadableOnEveryGround_data();
  void textIsReadableOnEveryGround();
  void inkIsReadableOnEveryRequestColour();
  void tokensAreVisible();
  void tokensInALineHaveInk();
  void tipsAreNotMarkup();
  void durationsAndShares();
  void sentencesAreInTheWindowsLanguage();
  void csvIsQuotedAndSafe();
  void picturesAreWritten();
  void picturesFailWithNames();
  void picturesAreWholeOrNotThere();
  void clockStopsWhenNothingMoves();
  void reducedMotionNeverRuns();
  void smallFontsGrow();
  void partsOfATextStayWhole();
  void keptTextsLookAsQtPaintsThem_data();
  void keptTextsLookAsQtPaintsThem();
  void aHaloPartsATextFromItsGround();
  void stampedBoxesLookAsQtPaintsThem();
  void largeTurnedAndWrittenBoxesAreNotStamped();
  void linesAreCountedFromWords();
};

void TestSupport::lettersNeverRepeat() {
  QCOMPARE(requestLetter(1), QStringLiteral("A"));
  QCOMPARE(requestLetter(26), QStringLiteral("Z"));
  QCOMPARE(requestLetter(27), QStringLiteral("AA"));
  QCOMPARE(requestLetter(703), QStringLiteral("AAA"));
  QCOMPARE(requestLetter(0), QStringLiteral("?"));
  std::set<QString> seen;
  for (int i = 1; i <= 2000; ++i) QVERIFY(seen.insert(requestLetter(i)).second);
  QCOMPARE(sequenceLetter(2, 0, 1), QStringLiteral("B"));
  QCOMPARE(sequenceLetter(2, 1, 3), QStringLiteral("B2"));
}

void TestSupport::fortyStylesInARowDiffer() {
  std::set<std::pair<int, int>> seen;
  for (int i = 1; i <= 40; ++i) {
    const RequestStyle style = requestStyle(i);
    QVERIFY(seen.insert({style.colourIndex, static_cast<int>(style.hatch)}).second);
  }
}

void TestSupport::textIsReadableOnEveryGround_data() {
  QTest::addColumn<QPalette>("palette");
  QTest::newRow("light") << paletteOf(Qt::white, QColor(0x20, 0x20, 0x20));
  QTest::newRow("dark") << paletteOf(QColor(0x23, 0x26, 0x29), QColor(0xef, 0xf0, 0xf1));
  QTest::newRow("high contrast") << paletteOf(Qt::black, Qt::white);
}

void TestSupport::textIsReadableOnEveryGround() {
  QFETCH(QPalette, palette);
  const Theme theme(palette);
  QVERIFY(contrastRatio(theme.text(), theme.base()) > 7);
  QVERIFY(contrastRatio(theme.dimText(), theme.base()) >= 4.5);
  QVERIFY(contrastRatio(theme.warning(), theme.base()) >= 4.5);
  QVERIFY(contrastRatio(theme.good(), theme.base()) >= 4.5);
  QVERIFY(contrastRatio(theme.accentText(), theme.base()) >= 4.5);
  QVERIFY(contrastRatio(theme.text(), mix(theme.base(), theme.surprise(), 0.5)) >= 4.5);
  for (int i = 1; i <= 7; ++i) {
    QVERIFY(contrastRatio(theme.change(static_cast<BlockChange>(i)), theme.base()) >= 3);
  }
}

void TestSupport::inkIsReadableOnEveryRequestColour() {
  for (const bool dark : {false, true}) {
    const Theme theme(dark ? paletteOf(Qt::black, Qt::white) : paletteOf(Qt::white, Qt::black));
    for (int i = 0; i < kRequestColours; ++i) {
      const QColor colour = theme.request(i);
      QVERIFY(contrastRatio(colour, Theme::inkOn(colour)) >= 4.5);
    }
    QVERIFY(contrastRatio(theme.request(7), theme.base()) > 4.5);  // black is not lost on black
  }
}

void TestSupport::tokensAreVisible() {
  QCOMPARE(visibleToken(QStringLiteral(" the\n")), QStringLiteral("␣the↵"));
  QCOMPARE(visibleToken(std::string("\t\x01")), QStringLiteral("⇥␁"));
  QCOMPARE(visibleToken(QString(QChar(0x202e))), QStringLiteral("‹202e›"));
  QCOMPARE(visibleToken(QStringLiteral("日本")), QStringLiteral("日本"));
}

// In a line of tokens the blanks beside ink stay blanks.
void TestSupport::tokensInALineHaveInk() {
  QCOMPARE(flowingToken(QStringLiteral(" the\n")), QStringLiteral(" the↵"));
  QCOMPARE(flowingToken(QStringLiteral("\t")), QStringLiteral("⇥"));
  QCOMPARE(flowingToken(QStringLiteral(" ")), QStringLiteral("␣"));
  QCOMPARE(flowingToken(QStringLiteral("   ")), QStringLiteral("␣␣␣"));
  QCOMPARE(flowingToken(QString()), QString());
  TokenSampled sampled;
  sampled.piece = "</s>";
  QVERIFY(hasName(sampled));
  QCOMPARE(inkOf(sampled), std::string("</s>"));
  sampled.text = " the";
  QVERIFY(!hasName(sampled) && !hasName(TokenSampled()));
  QCOMPARE(inkOf(sampled), std::string(" the"));
}

// A name that looks like markup stands in a tip as it is, and the tip's lines stay apart.
void TestSupport::tipsAreNotMarkup() {
  const QString plain = QStringLiteral("A (one)\npositions 48 to 63");
  QCOMPARE(plainTip(plain), plain);
  const QString tip = plainTip(QStringLiteral("A (<b>)\npositions 48 to 63"));
  QVERIFY2(tip.contains(QLatin1String("&lt;b&gt;)<br>positions")), qPrintable(tip));
}

void TestSupport::durationsAndShares() {
  QCOMPARE(formatBytes(512), QStringLiteral("512 bytes"));
  QCOMPARE(formatBytes(std::int64_t{24} << 20), QStringLiteral("24.0 MiB"));
  QCOMPARE(formatDuration(850), QStringLiteral("1 µs"));
  QCOMPARE(formatDuration(12'300'000), QStringLiteral("12.3 ms"));
  QCOMPARE(formatDuration(4'200'000'000), QStringLiteral("4.20 s"));
  QCOMPARE(formatPercent(0.283), QStringLiteral("28.3 %"));
  QCOMPARE(formatPercent(0.00001), QStringLiteral("< 0.1 %"));
  QCOMPARE(formatPercent(0), QStringLiteral("0.0 %"));
  QCOMPARE(formatHash(0x0123456789abcdefu), QStringLiteral("01234567"));
}

// The prose room's texts pass through Qt's translators, and numbers through the locale.
void TestSupport::sentencesAreInTheWindowsLanguage() {
  class German : public QTranslator {
   public:
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* text, const char*, int n) const override {
      if (qstrcmp(context, prose::kContext) != 0) return {};
      if (qstrcmp(text, "needs %n block(s), free %1 at %2") == 0)
        return n == 1 ? QStringLiteral("%1 frei, %n Block nötig")
                      : QStringLiteral("%1 frei, %n Blöcke nötig");
      return {};
    }
  };
  const SequenceWaiting one{1, WaitReason::kBlocks, 1, 0}, many{1, WaitReason::kBlocks, 1000, 2};
  const SequenceWaiting tokens{1, WaitReason::kTokenBudget, 1, 0};
  QCOMPARE(waitReasonText(many), QStringLiteral("needs 1000 blocks, free 2 at Admit"));
  German german;
  QVERIFY(QCoreApplication::installTranslator(&german));
  QCOMPARE(waitReasonText(one), QStringLiteral("0 frei, 1 Block nötig"));
  QCOMPARE(waitReasonText(many), QStringLiteral("2 frei, 1000 Blöcke nötig"));
  QCOMPARE(waitReasonText(tokens), QStringLiteral("needs 1 token, 0 left in this step's budget"));
  QCoreApplication::removeTranslator(&german);
  QLocale::setDefault(QLocale(QLocale::German));
  QCOMPARE(formatDuration(12'300'000), QStringLiteral("12,3 ms"));
  QCOMPARE(waitReasonText(many), QStringLiteral("needs 1000 blocks, free 2 at Admit"));  // no groups: "1.000"
  QLocale::setDefault(QLocale::c());
}

void TestSupport::csvIsQuotedAndSafe() {
  QCOMPARE(csvField(QStringLiteral("plain")), QStringLiteral("plain"));
  QCOMPARE(csvField(QStringLiteral("a,b")), QStringLiteral("\"a,b\""));
  QCOMPARE(csvField(QStringLiteral("say \"x\"")), QStringLiteral("\"say \"\"x\"\"\""));
  QCOMPARE(csvField(QStringLiteral("=1+1")), QStringLiteral("'=1+1"));
  QCOMPARE(csvField(QStringLiteral("-3.5")), QStringLiteral("-3.5"));
  QStandardItemModel model(1, 2);
  model.setHorizontalHeaderLabels({QStringLiteral("one"), QStringLiteral("two")});
  model.setItem(0, 0, new QStandardItem(QStringLiteral("x\ny")));
  model.setItem(0, 1, new QStandardItem(QStringLiteral("@z")));
  QCOMPARE(toCsv(model), QStringLiteral("one,two\r\n\"x\ny\",'@z\r\n"));
  QVERIFY(!hasRowNames(model));
  model.setVerticalHeaderLabels({QStringLiteral("A, Ada")});
  QCOMPARE(toCsv(model), QStringLiteral(",one,two\r\n\"A, Ada\",\"x\ny\",'@z\r\n"));
  QCOMPARE(csvLine(model, 0), QStringLiteral("\"A, Ada\",\"x\ny\",'@z\r\n"));
}

void TestSupport::picturesAreWritten() {
  QTemporaryDir dir;
  const Picture picture{QStringLiteral("A square"), {40, 30}, Qt::white, [](QPainter& painter) {
                          painter.fillRect(10, 10, 10, 10, Qt::red);
                        }};
  const QImage image = toImage(picture, 2);
  QCOMPARE(image.size(), QSize(80, 60));
  QCOMPARE(image.pixelColor(30, 30), QColor(Qt::red));
  QCOMPARE(image.pixelColor(2, 2), QColor(Qt::white));
  const QByteArray svg = toSvg(picture);
  QVERIFY(svg.contains("<svg") && svg.contains("A square") && svg.contains("#ff0000"));
  savePicture(picture, dir.filePath(QStringLiteral("a.svg")));
  savePicture(picture, dir.filePath(QStringLiteral("a.png")));
  QCOMPARE(QImage(dir.filePath(QStringLiteral("a.png"))).size(), QSize(80, 60));
  QFile file(dir.filePath(QStringLiteral("a.svg")));
  QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll().contains("</svg>"));
  // An absurdly tall picture is scaled down rather than refused or allocated.
  const QImage tall = toImage({{}, {10, 2'000'000}, Qt::white, [](QPainter&) {}}, 2);
  QVERIFY(!tall.isNull() && tall.height() <= 16384);
}

void TestSupport::picturesFailWithNames() {
  const Picture picture{{}, {4, 4}, Qt::white, [](QPainter&) {}};
  QVERIFY_EXCEPTION_THROWN(savePicture(picture, QStringLiteral("picture.gif")), EngineError);
  try {
    savePicture(picture, QStringLiteral("/no/such/folder/a.png"));
    QFAIL("wrote into a folder that does not exist");
  } catch (const EngineError& error) {
    QCOMPARE(error.code(), ErrorCode::kIo);
    QVERIFY(QString::fromUtf8(error.what()).contains(QLatin1String("/no/such/folder/a.png")));
    QVERIFY(!error.hint().empty());
  }
}

// What was there stays, and nothing half written lies beside it.
void TestSupport::picturesAreWholeOrNotThere() {
  QTemporaryDir dir;
  QImage noise(200, 200, QImage::Format_RGB32);
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 200; ++x)
      noise.setPixel(x, y, static_cast<QRgb>((x * 7919 + y * 104729) * 2654435761u));
  const Picture picture{
      {}, {200, 200}, Qt::white, [&](QPainter& painter) { painter.drawImage(0, 0, noise); }};
  std::signal(SIGXFSZ, SIG_IGN);
  for (const char* name : {"a.svg", "a.png"}) {
    const QString path = dir.filePath(QString::fromLatin1(name));
    QFile before(path);
    QVERIFY(before.open(QIODevice::WriteOnly) && before.write("before") == 6);
    before.close();
    rlimit limit{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlimit small{2000, limit.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
    std::string said;
    try {
      savePicture(picture, path);
    } catch (const EngineError& error) {
      said = error.what();
    }
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    QVERIFY2(said.find(name) != std::string::npos, said.c_str());
    QVERIFY(before.open(QIODevice::ReadOnly));
    QCOMPARE(before.readAll(), QByteArray("before"));
  }
  QCOMPARE(QDir(dir.path()).entryList(QDir::Files | QDir::Hidden).size(), 2);
}

void TestSupport::clockStopsWhenNothingMoves() {
  AnimationClock::setReducedMotion(false);
  AnimationClock clock;
  QSignalSpy ticks(&clock, &AnimationClock::tick);
  QVERIFY(!clock.isRunning());
  clock.run(120);
  QVERIFY(clock.isRunning());
  QTRY_VERIFY_WITH_TIMEOUT(!clock.isRunning(), 2000);
  QVERIFY(ticks.size() >= 2);
  const auto count = ticks.size();
  QTest::qWait(120);
  QCOMPARE(ticks.size(), count);
}

void TestSupport::reducedMotionNeverRuns() {
  AnimationClock::setReducedMotion(true);
  AnimationClock clock;
  QSignalSpy ticks(&clock, &AnimationClock::tick);
  clock.run(1000);
  QVERIFY(!clock.isRunning());
  QCOMPARE(ticks.size(), 1);
  AnimationClock::setReducedMotion(false);
}

void TestSupport::smallFontsGrow() {
  QFont font;
  font.setPointSizeF(8);
  QCOMPARE(readable(font).pointSizeF(), kSmallestTextPt);
  font.setPointSizeF(20);
  QCOMPARE(readable(font).pointSizeF(), 20.0);
}

void TestSupport::partsOfATextStayWhole() {
  const QFont font;
  const QString one = "8 of 10 blocks in use", two = one + " · 2 free, still cached",
                all = two + " · 16 tokens each";
  const auto shown = [&](const QString& room) { return wholeParts(font, all, textWidth(font, room)); };
  QCOMPARE(shown(all), all);
  QCOMPARE(shown(all.chopped(1)), two);
  QCOMPARE(shown(two), two);
  QCOMPARE(shown(two.chopped(1)), one);
  QCOMPARE(shown(one.chopped(1)), QString());
  QCOMPARE(wholeParts(font, {}, 0), QString());
}

void TestSupport::keptTextsLookAsQtPaintsThem_data() {
  QTest::addColumn<bool>("struck");
  QTest::newRow("plain") << false;
  QTest::newRow("struck") << true;
}

void TestSupport::keptTextsLookAsQtPaintsThem() {
  QFETCH(bool, struck);
  QFont font;
  font.setStrikeOut(struck);
  const QRect area(0, 0, 200, 40);
  const auto painted = [&](const std::function<void(QPainter&)>& paint) {
    QImage image(area.size(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setFont(font);
    paint(painter);
    return image;
  };
  constexpr int kFlags = Qt::AlignLeft | Qt::AlignVCenter;
  const QImage ours = painted([&](QPainter& painter) { paintText(painter, area, kFlags, "removed"); });
  const QImage qts = painted([&](QPainter& painter) { painter.drawText(area, kFlags, "removed"); });
  int ink = 0, other = 0;
  for (int y = 0; y < area.height(); ++y)
    for (int x = 0; x < area.width(); ++x) {
      ink += qGray(qts.pixel(x, y)) < 128;
      other += std::abs(qGray(qts.pixel(x, y)) - qGray(ours.pixel(x, y))) > 64;
    }
  // The line may lie half a pixel higher or lower.
  QVERIFY2(ink > 50 && other <= (struck ? 2 * textWidth(font, "removed") : 0),
           qPrintable(QString("%1 of %2 pixels differ").arg(other).arg(ink)));
}

// In pixels as in outlines, which an SVG has.
void TestSupport::aHaloPartsATextFromItsGround() {
  for (const bool outlines : {false, true}) {
    QImage image(60, 40, QImage::Format_RGB32);
    image.fill(Qt::blue);
    QPainter painter(&image);
    QFont font = boldened(painter.font());
    font.setUnderline(outlines);  // Qt's own way
    painter.setFont(font);
    paintHaloedText(painter, {15, 28}, "II", Qt::black, Qt::white);
    const auto is = [&](int x, int y, const QColor& colour) { return image.pixelColor(x, y) == colour; };
    const int y = 28 - QFontMetrics(font).capHeight() / 2;
    int letters = 0, bare = 0;
    for (int x = 1; x < image.width(); ++x) {
      letters += is(x, y, Qt::black) && !is(x - 1, y, Qt::black);
      bare +=
          (is(x, y, Qt::black) && is(x - 1, y, Qt::blue)) || (is(x, y, Qt::blue) && is(x - 1, y, Qt::black));
    }
    QVERIFY2(letters == 2 && bare == 0, qPrintable(QString("%1 letters, %2 edges").arg(letters).arg(bare)));
    QVERIFY(is(0, y, Qt::blue) && is(59, y, Qt::blue));
  }
}

// Boxes of random sizes, places, colours, and lines, each twice: the first one makes the stamp.
void TestSupport::stampedBoxesLookAsQtPaintsThem() {
  std::mt19937 random(7);
  const auto upTo = [&random](int most) { return std::uniform_int_distribution(0, most)(random); };
  constexpr Qt::PenStyle kStyles[] = {Qt::NoPen, Qt::SolidLine, Qt::DashLine};
  for (int round = 0; round < 300; ++round) {
    const int ratio = 1 + upTo(1);
    const QRectF area(6 + upTo(40) / 4.0, 6 + upTo(40) / 4.0, 1 + upTo(160) / 4.0, 1 + upTo(160) / 4.0);
    const QColor ink(upTo(255), upTo(255), upTo(255), 40 + upTo(215));
    const QColor fill(upTo(255), upTo(255), upTo(255), 40 + upTo(215));
    const QPen edge(ink, 1 + upTo(12) / 4.0, kStyles[upTo(2)]);
    const QBrush ground = upTo(1) == 0 ? QBrush(Qt::NoBrush) : QBrush(fill);
    const double radius = upTo(12) / 2.0;
    const QPoint shift(upTo(3), upTo(3));
    const auto paper = [ratio] {
      QImage image(70 * ratio, 70 * ratio, QImage::Format_RGB32);
      image.setDevicePixelRatio(ratio);
      image.fill(Qt::white);
      return image;
    };
    QImage painted = paper(), stamped = paper(), again = paper();
    const auto on = [&](QImage& image, auto draw) {
      QPainter painter(&image);
      painter.setRenderHint(QPainter::Antialiasing);
      painter.translate(shift);
      draw(painter);
    };
    on(painted, [&](QPainter& painter) {
      painter.setPen(edge);
      painter.setBrush(ground);
      painter.drawRoundedRect(area, radius, radius);
    });
    for (QImage* image : {&stamped, &again})
      on(*image, [&](QPainter& painter) { QVERIFY(stampBox(painter, area, radius, edge, ground)); });
    QCOMPARE(again, stamped);
    int worst = 0;
    for (int y = 0; y < painted.height(); ++y)
      for (int x = 0; x < painted.width(); ++x) {
        const QRgb a = painted.pixel(x, y), b = stamped.pixel(x, y);
        worst = std::max({worst, std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)),
                          std::abs(qBlue(a) - qBlue(b))});
      }
    const int rounding =
        edge.style() == Qt::DashLine ? 24 : 6;  // a dash ends a rounding error earlier or later
    QVERIFY2(worst <= rounding, qPrintable(QStringLiteral("round %1: off by %2").arg(round).arg(worst)));
  }
}

void TestSupport::largeTurnedAndWrittenBoxesAreNotStamped() {
  QImage image(400, 400, QImage::Format_RGB32);
  QPainter painter(&image);
  const QRectF small(10, 10, 30, 20);
  QVERIFY(!stampBox(painter, small, 3, QPen(Qt::black), Qt::NoBrush));  // not smooth
  painter.setRenderHint(QPainter::Antialiasing);
  QVERIFY(stampBox(painter, small, 3, QPen(Qt::black), Qt::NoBrush));
  QVERIFY(!stampBox(painter, QRectF(10, 10, 300, 20), 3, QPen(Qt::black), Qt::NoBrush));
  QVERIFY(!stampBox(painter, QRectF(), 3, QPen(Qt::black), Qt::NoBrush));
  QVERIFY(!stampBox(painter, small, 3, QPen(Qt::black), QLinearGradient(0, 0, 9, 9)));
  painter.setOpacity(0.5);
  QVERIFY(!stampBox(painter, small, 3, QPen(Qt::black), Qt::NoBrush));
  painter.setOpacity(1);
  painter.rotate(10);
  QVERIFY(!stampBox(painter, small, 3, QPen(Qt::black), Qt::NoBrush));
  painter.end();
  QPicture written;  // as a vector picture is
  QPainter writer(&written);
  writer.setRenderHint(QPainter::Antialiasing);
  QVERIFY(!stampBox(writer, small, 3, QPen(Qt::black), Qt::NoBrush));
}

// Where a count is given it is the layout's, and it is given for most texts that are like those of the
// window.
void TestSupport::linesAreCountedFromWords() {
  const QStringList plain{"The",    "prompt", "of", "R12",    "needs", "4",          "blocks,", "3",
                          "are",    "free:",  "it", "waits.", "1,024", "tokens",     "(16",     "a",
                          "block)", "2.8",    "ms", "W",      "AVAV.", "recomputed", "12%"};
  const QStringList odd{
      "first-come", "host/disk", "“fox”",
      "→",          "×3",        "a  b",
      "0.3–0.5",    "key=value", "日本語",
      "!",          "-",         "unbreakably_long_word_that_no_narrow_panel_has_any_room_for_at_all"};
  std::mt19937 random(11);
  const auto upTo = [&random](qsizetype most) {
    return std::uniform_int_distribution<qsizetype>(0, most)(random);
  };
  int counted = 0, usual = 0;
  for (int round = 0; round < 2000; ++round) {
    QFont font = QGuiApplication::font();
    font.setPointSizeF(9 + static_cast<double>(upTo(8)) / 2);
    font.setBold(upTo(3) == 0);
    const bool hasOdd = upTo(1) == 0;
    QStringList words;
    for (qsizetype left = 1 + upTo(24); left > 0; --left)
      words << (hasOdd && upTo(5) == 0 ? odd[upTo(odd.size() - 1)] : plain[upTo(plain.size() - 1)]);
    const QString text = words.join(u' ');
    const double width = 60 + static_cast<double>(upTo(500));
    QTextLayout layout(text, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WordWrap);
    layout.setTextOption(option);
    layout.beginLayout();
    int lines = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine(), ++lines)
      line.setLineWidth(width);
    layout.endLayout();
    const std::optional<int> told = wrappedLines(font, text, width);
    if (told) QVERIFY2(*told == lines, qPrintable(QStringLiteral("%1 in %2").arg(text).arg(width)));
    usual += hasOdd ? 0 : 1;
    counted += !hasOdd && told ? 1 : 0;
  }
  QVERIFY2(counted > usual * 3 / 4, qPrintable(QStringLiteral("%1 of %2").arg(counted).arg(usual)));
}

QTEST_MAIN(TestSupport)
#include "tst_support.moc"
