// The sampler's panel: cumulative bars and needle, folded stages, previews, branches, modes, and the strip of
// entropy and surprise; painted, and by real mouse and keys.
#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStyle>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <cmath>

#include "support/word_machine.h"
#include "vitrine/option_schema.h"
#include "widgets/sampler/branch.h"
#include "widgets/sampler/draw_bar_painter.h"
#include "widgets/sampler/draw_line.h"
#include "widgets/sampler/option_slider.h"
#include "widgets/sampler/sampler_controls.h"
#include "widgets/sampler/sampler_panel.h"
#include "widgets/sampler/sampler_view.h"
#include "widgets/sampler/uncertainty_strip.h"
#include "widgets/support/translations.h"

using namespace vitrine;
using test::WordMachine;

namespace {

constexpr std::uint64_t kSeed = 77;

// A sequence whose next token was drawn with the number of its position.
struct Drawn {
  Session session;
  WordMachine machine{32, 8};
  SamplerModel model{&session};
  SamplerView view{&model};
  double number = 0;
  TokenId chosen = 0;

  Drawn() {
    machine.submit("one", 12, 40);
    SamplingOptions sampling;
    sampling.temperature = 1;
    sampling.seed = kSeed;
    machine.say(SamplingChanged{1, sampling}, Phase::kAdmit);
    machine.step();
    number = drawnNumber({0, 0, 13}, kSeed);
    chosen = number < 0.5 ? 3 : number < 0.75 ? 4 : 5;
    machine.say(TokenCandidates{1, 13, chosen, stages(), {" sun", " moon", " star", " sky"}}, Phase::kSample);
    session.append(machine.take());
    view.resize(640, 360);
    view.show();
  }
  // Exact in float, so the needle's place is known.
  static std::vector<SamplingStage> stages() {
    const std::vector<Candidate> all = {{3, 0.5f}, {4, 0.25f}, {5, 0.125f}, {6, 0.125f}};
    const std::vector<Candidate> cut = {{3, 0.5f}, {4, 0.25f}, {5, 0.25f}};
    return {{"logits", 4, all}, {"temperature", 4, all}, {"top_k", 4, all}, {"top_p", 3, cut}};
  }
  void click(const QPoint& content) { QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, content); }
  int rowOf(TokenId token) const {
    for (int row = 0; row < model.rowCount(); ++row)
      if (model.at(row).token == token) return row;
    return -1;
  }
};

}  // namespace

class TestSamplerPanel : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { installTranslations(*QCoreApplication::instance(), QLocale(QLocale::English)); }

  void aBarLiesFromZeroToOne() {
    const TokenText text = [](TokenId token) { return QStringLiteral("t%1").arg(token); };
    const DrawBar bar = drawBar(Drawn::stages(), 4, 0.6, text);
    QCOMPARE(bar.rule, DrawBar::Rule::kNumber);
    QCOMPARE(int(bar.parts.size()), 3);
    QCOMPARE(bar.chosenPart()->begin, 0.5);
    QCOMPARE(bar.chosenPart()->end, 0.75);
    QCOMPARE(bar.partAt(0.5)->token, 4);
    QCOMPARE(bar.partAt(0.9999)->token, 5);
    QVERIFY(bar.partAt(1.5) == nullptr);
    QCOMPARE(bar.sentence(), QStringLiteral("The number 0.600 falls on “t4”, from 0.500 to 0.750."));
    QCOMPARE(drawBar(Drawn::stages(), 3, 0.6, text).rule, DrawBar::Rule::kOther);
    const DrawBar greedy = drawBar(Drawn::stages(), 3, -1, text);
    QVERIFY(greedy.rule == DrawBar::Rule::kGreedy && greedy.sentence().startsWith(QLatin1String("Greedy")));
    // A list that is cut: the token behind it can only have been drawn by a number behind it.
    const std::vector<SamplingStage> cut = {{"logits", 9, {{3, 0.5f}, {4, 0.25f}}}};
    QCOMPARE(drawBar(cut, 8, 0.9, text).rule, DrawBar::Rule::kNumber);
    QVERIFY(drawBar(cut, 8, 0.9, text).sentence().contains(QLatin1String("behind")));
    QCOMPARE(drawBar(cut, 8, 0.6, text).rule, DrawBar::Rule::kOther);
  }

  void theNumberIsThatOfThePosition() {
    Drawn d;
    QCOMPARE(d.model.position(), 13);
    QVERIFY(d.model.drawn() != nullptr && d.model.previewed() == nullptr);
    QCOMPARE(d.model.drawn()->number, d.number);
    QCOMPARE(d.model.drawn()->rule, DrawBar::Rule::kNumber);
    QCOMPARE(d.model.drawn()->chosen, d.chosen);
    QCOMPARE(d.model.at(d.rowOf(3)).text, QStringLiteral("␣sun"));
  }

  void candidatesWithoutInkAreSeen() {
    Drawn d;
    d.machine.say(TokenCandidates{1, 14, 4, Drawn::stages(), {"\n", "</s>", " ", ""}}, Phase::kSample);
    d.session.append(d.machine.take());
    const QStringList expected{"↵", "</s>", "␣", "#6"};
    for (int i = 0; i < 4; ++i) {
      QVERIFY(d.rowOf(3 + i) >= 0);
      QCOMPARE(d.model.index(d.rowOf(3 + i), 0).data().toString(), expected[i]);
    }
    QCOMPARE(d.model.drawn()->chosenText, QString("</s>"));
  }

  void theNeedleStandsAtTheNumber_data() {
    QTest::addColumn<double>("number");
    for (const double number : {0.02, 0.31, 0.74, 0.97})
      QTest::newRow(qPrintable(QString::number(number))) << number;
  }
  void theNeedleStandsAtTheNumber() {
    QFETCH(double, number);
    const TokenText text = [](TokenId token) { return QStringLiteral("t%1").arg(token); };
    const TokenId chosen = number < 0.5 ? 3 : number < 0.75 ? 4 : 5;
    const DrawBar drawn = drawBar(Drawn::stages(), chosen, number, text);
    QCOMPARE(drawn.rule, DrawBar::Rule::kNumber);
    const Theme theme{QPalette()};
    const DrawBarColumns columns{90, 60};
    const QRectF row(0, 0, 460, 40), bar = columns.barIn(row);
    const auto paint = [&](const DrawBar& one, bool preview) {
      QImage image(460, 40, QImage::Format_ARGB32);
      image.fill(theme.base());
      QPainter painter(&image);
      paintDrawBar(painter, row, one, preview, theme, columns);
      return image;
    };
    const QImage image = paint(drawn, false);
    const int x = static_cast<int>(bar.left() + number * bar.width()),
              below = static_cast<int>(bar.bottom()) + 1;
    const auto isInk = [&](const QImage& in, int at) {
      return in.pixelColor(at, below).lightness() < 128;  // of the light palette
    };
    QVERIFY(isInk(image, x) || isInk(image, x - 1));
    QVERIFY(!isInk(image, x - 5) && !isInk(image, x + 5));
    // The chosen part is the strongest, and a preview is hatched.
    const auto inside = [&](const DrawBar::Part& part) {
      const double at = bar.left() + (part.begin + 0.9 * (part.end - part.begin)) * bar.width();
      return image.pixelColor(static_cast<int>(at), static_cast<int>(bar.bottom()) - 3);
    };
    for (const DrawBar::Part& part : drawn.parts)
      if (part.token != chosen)
        QVERIFY(contrastRatio(inside(part), theme.base()) <=
                contrastRatio(inside(*drawn.chosenPart()), theme.base()));
    QVERIFY(paint(drawn, true) != image);
    // Greedy draws no number.
    const QImage greedy = paint(drawBar(Drawn::stages(), 3, -1, text), false);
    for (int at = static_cast<int>(bar.left()); at < static_cast<int>(bar.right()); ++at)
      QVERIFY(!isInk(greedy, at));
  }

  // As low and narrow as the candidates are in a window of 1366×768.
  void aLowPanelShowsSixCandidatesInAllColumns() {
    Drawn d;
    const QFontMetrics metrics(d.view.fontMetrics());
    QFont bold = d.view.font();
    bold.setBold(true);
    const int head = QFontMetrics(bold).horizontalAdvance("Pos. 13") + 30,
              bar = d.view.style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    d.view.resize(head + 4 * (metrics.horizontalAdvance("100.0 %") + 9) + bar, metrics.height() * 8);
    QCOMPARE(d.model.rowCount(), 4);
    QVERIFY(d.view.placed().rowArea(5).bottom() < d.view.viewport()->height());
    QCOMPARE(d.view.horizontalScrollBar()->maximum(), 0);
  }

  // The model's own column, the temperature's, and that of top-k and top-p, whatever they do; others while
  // they change something.
  void columnsStay() {
    Drawn d;
    const auto titles = [&](bool every) {
      QStringList list;
      for (const StageColumn& column : d.model.stageColumns(every)) list << column.title;
      return list;
    };
    QCOMPARE(titles(false), (QStringList{"Model", "T", "k, p"}));
    QCOMPARE(titles(true), (QStringList{"Model", "Temperature", "Top-k", "Top-p"}));
    QCOMPARE(d.model.stageColumns(false).back().last, 3);
    const auto show = [&](std::vector<SamplingStage> stages, int position) {
      d.machine.say(TokenCandidates{1, position, 3, std::move(stages), {}}, Phase::kSample);
      d.session.append(d.machine.take());
    };
    const std::vector<Candidate> all = {{3, 0.5f}, {4, 0.5f}}, one = {{3, 1.0f}};
    show({{"logits", 2, all}, {"penalties", 2, all}, {"temperature", 1, one}}, 14);  // greedy
    QCOMPARE(titles(false), (QStringList{"Model", "T", "k, p"}));
    const StageColumn last = d.model.stageColumns(false).back();
    QVERIFY(last.last == 2 && !last.removes(d.model.at(d.rowOf(4)).removedAt));  // it was out before
    QVERIFY(d.model.stageColumns(false)[1].removes(d.model.at(d.rowOf(4)).removedAt));
    show({{"logits", 2, all},
          {"penalties", 2, {{4, 0.9f}, {3, 0.1f}}},
          {"temperature", 2, {{4, 0.9f}, {3, 0.1f}}},
          {"top_k", 2, {{4, 0.9f}, {3, 0.1f}}},
          {"min_p", 1, {{4, 1.0f}}}},
         15);
    QCOMPARE(titles(false), (QStringList{"Model", "Penalties", "T", "k, p", "Min-p"}));
  }

  // The grammar's column is one more than a panel of 1366×768 has room for.
  void aNarrowPanelJoinsTheLastColumns() {
    Drawn d;
    const std::vector<Candidate> all = {{3, 0.5f}, {4, 0.25f}, {5, 0.25f}}, two = {{4, 0.5f}, {5, 0.5f}},
                                 one = {{4, 1.0f}};
    const auto show = [&](std::vector<SamplingStage> behind, int position) {
      std::vector<SamplingStage> stages = {{"logits", 3, all}, {"grammar", 2, two}, {"temperature", 2, two}};
      stages.insert(stages.end(), behind.begin(), behind.end());
      d.machine.say(TokenCandidates{1, position, 4, stages, {}, {"answer"}, "a"}, Phase::kSample);
      d.session.append(d.machine.take());
    };
    const auto titles = [&] {
      QStringList list;
      const SamplerLayout placed = d.view.placed();
      for (const StageColumn& column : placed.columns()) list << column.title;
      return list;
    };
    show({{"top_k", 1, one}}, 14);
    QCOMPARE(titles(), (QStringList{"Model", "Grammar", "T", "k, p"}));
    QFont bold = d.view.font();
    bold.setBold(true);
    const QFontMetrics metrics(d.view.fontMetrics());
    const QFontMetrics bolder(bold);
    const int head = bolder.horizontalAdvance("Pos. 14") + 30,
              bar = d.view.style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    const int column =
        std::max({metrics.horizontalAdvance("100.0 %") + 9, metrics.horizontalAdvance("masked") + 12,
                  bolder.horizontalAdvance("Grammar") + 9});
    d.view.resize(head + 3 * column + bar, metrics.height() * 8);
    QCOMPARE(titles(), (QStringList{"Model", "Grammar", "T, k, p"}));
    QCOMPARE(d.view.horizontalScrollBar()->maximum(), 0);
    const StageColumn last = d.view.placed().columns().back();
    QVERIFY(last.last == 3 && last.removes(d.model.at(d.rowOf(5)).removedAt));
    QVERIFY(!last.removes(d.model.at(d.rowOf(3)).removedAt));  // the grammar did
    show({{"top_k", 2, two}, {"min_p", 1, one}}, 15);
    QCOMPARE(titles(), (QStringList{"Model", "Grammar", "T, k, p, …"}));
    d.view.setUnfolded(true);
    QCOMPARE(titles(), (QStringList{"Model", "Grammar", "Temperature", "Top-k", "Min-p"}));
  }

  void theDrawnTokenIsAlwaysInSight() {
    Drawn d;
    std::vector<Candidate> many;
    for (TokenId token = 3; token < 23; ++token) many.push_back({token, 0.05f});
    const auto draw = [&](int position, TokenId chosen) {
      d.machine.say(
          TokenCandidates{1, position, chosen, {{"logits", 40, many}, {"temperature", 40, many}}, {}},
          Phase::kSample);
      d.session.append(d.machine.take());
    };
    draw(14, 4);
    d.view.resize(400, d.view.heightOf(6) + d.view.fontMetrics().height() / 2);
    QCOMPARE(d.view.placed().pinnedRow(), -1);
    d.click(d.view.placed().rowArea(5).center());  // the last one in sight moves nothing
    QVERIFY(d.view.currentRow() == 5 && d.view.placed().pinnedRow() == -1);
    draw(15, 20);
    const int row = d.rowOf(20);
    QCOMPARE(d.view.placed().pinnedRow(), row);
    const auto isInSight = [&](const QRect& content) {
      const int top = content.top() - d.view.verticalScrollBar()->value();
      return top > d.view.placed().headArea().height() &&
             top + content.height() <= d.view.viewport()->height() + 1;
    };
    QVERIFY(isInSight(d.view.placed().rowArea(row)) && !isInSight(d.view.placed().rowArea(10)));
    const QImage pinned = d.view.viewport()->grab().toImage();
    for (int i = 0; i < 20; ++i) QTest::keyClick(&d.view, Qt::Key_Down);  // each comes into sight
    QCOMPARE(d.view.currentRow(), 19);
    QVERIFY(isInSight(d.view.placed().rowArea(19)) && isInSight(d.view.placed().rowArea(row)));
    QVERIFY(d.view.viewport()->grab().toImage() != pinned);
    // Behind all that are listed.
    draw(16, 99);
    QCOMPARE(d.model.rowCount(), 21);
    QVERIFY(d.model.at(20).chosen && d.view.placed().pinnedRow() == 20);
    QCOMPARE(d.model.at(20).removedAt, -1);
  }

  // Qt hands a wheel that a field ignores on to the page around it, which scrolls.
  void theWheelIsThePagesUnlessAFieldHasTheFocus() {
    QWidget page;
    auto* controls = new SamplerControls(&page);
    page.resize(controls->sizeHint());
    controls->adjustSize();
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    auto* box = controls->findChild<QDoubleSpinBox*>(QStringLiteral("temperature"));
    box->setValue(1);
    const double before = box->value();
    const auto turn = [&] {
      const QPointF local = box->rect().center();
      QWheelEvent wheel(local, box->mapToGlobal(local), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                        Qt::NoScrollPhase, false);
      QSpontaneKeyEvent::setSpontaneous(
          &wheel);  // as from the window system: what is ignored goes to the parent
      QApplication::sendEvent(box, &wheel);
      return wheel.isAccepted();
    };
    QVERIFY(!box->hasFocus());
    QVERIFY(!turn());
    QCOMPARE(box->value(), before);
    QVERIFY(!box->hasFocus());
    box->setFocus();
    QVERIFY(turn());
    QVERIFY(box->value() < before);
  }

  void eachStageCanHaveAColumn() {
    Drawn d;
    QVERIFY(d.model.stageChanges(0) && !d.model.stageChanges(1) && !d.model.stageChanges(2));
    QVERIFY(d.model.stageChanges(3));
    const QImage folded = d.view.viewport()->grab().toImage();
    QVERIFY(!d.view.isUnfolded());
    d.click(d.view.placed().headArea().center());
    QVERIFY(d.view.isUnfolded());
    QVERIFY(d.view.viewport()->grab().toImage() != folded);
    QTest::keyClick(&d.view, Qt::Key_Left);
    QVERIFY(!d.view.isUnfolded());
    QTest::keyClick(&d.view, Qt::Key_Right);
    QVERIFY(d.view.isUnfolded());
    QVERIFY(d.view.csv().contains(QLatin1String("Temperature")));  // the table has all stages, always
  }

  void aClickSelectsAndTryItBranches() {
    Drawn d;
    QSignalSpy branches(&d.view, &SamplerView::branchRequested);
    QSignalSpy selected(&d.view, &SamplerView::candidateSelected);
    d.click(d.view.placed().rowArea(d.rowOf(d.chosen)).center());
    QVERIFY(d.view.tryArea(d.rowOf(d.chosen)).isEmpty());  // it has been drawn already
    QTest::keyClick(&d.view, Qt::Key_Return);
    QVERIFY(branches.isEmpty());
    const TokenId other = d.chosen == 3 ? 4 : 3;
    const int row = d.rowOf(other);
    const QPoint at = d.view.placed().rowArea(row).center();
    QVERIFY(d.view.tryArea(row).isEmpty());
    d.click(at);
    QVERIFY(branches.isEmpty() && d.view.currentRow() == row);
    QCOMPARE(selected.back()[0].toInt(), other);
    QCOMPARE(selected.back()[1].toString(), d.model.at(row).text);
    QTest::mouseDClick(d.view.viewport(), Qt::LeftButton, {}, at);
    QVERIFY(branches.isEmpty());
    d.click(d.view.tryArea(row).center());
    QCOMPARE(branches.size(), 1);
    QCOMPARE(branches[0][0].toInt(), 1);
    QCOMPARE(branches[0][1].toInt(), 13);
    QCOMPARE(branches[0][2].toInt(), other);
    QTest::keyClick(&d.view, Qt::Key_Return);
    QCOMPARE(branches.size(), 2);
    QVERIFY(d.view.accessibleDescription().contains(QLatin1String("Enter")));
    QVERIFY(!d.view.accessibleDescription().contains(QLatin1String("leaves the past")));
    QTest::mouseMove(d.view.viewport(), at);
    QTRY_COMPARE(d.view.viewport()->cursor().shape(), Qt::PointingHandCursor);
    // Among the candidates of another token nothing is selected.
    d.machine.say(TokenCandidates{1, 14, 4, Drawn::stages(), {}}, Phase::kSample);
    d.session.append(d.machine.take());
    QCOMPARE(d.view.currentRow(), -1);
  }

  void theLastLineSaysWhatWouldFollow() {
    Drawn d;
    UncertaintyModel tokens(&d.session);
    auto* controls = new SamplerControls;
    SamplerPanel panel(controls, controls, new SamplerView(&d.model), new UncertaintyStrip(&tokens));
    panel.resize(900, 400);
    panel.show();
    const QString before = panel.line();
    panel.setNextWords(QStringLiteral("␣sky"), {});
    QCOMPARE(panel.line(), QStringLiteral("“␣sky” would go on: “…”"));
    panel.setNextWords(QStringLiteral("␣sky"), QStringLiteral("␣is␣blue"));
    QCOMPARE(panel.line(), QStringLiteral("“␣sky” would go on: “␣is␣blue”"));
    panel.setNextWords({}, {});
    QCOMPARE(panel.line(), before);
    auto* undo = panel.findChild<QToolButton*>(QStringLiteral("undoTry"));
    QVERIFY(!undo->isVisible());
    QSignalSpy undone(&panel, &SamplerPanel::undoRequested);
    panel.setUndoable(true);
    QTest::mouseClick(undo, Qt::LeftButton);
    QCOMPARE(undone.size(), 1);
    panel.setUndoable(false);
    QVERIFY(!undo->isVisible());
  }

  void aPreviewStandsBesideTheDraw() {
    Drawn d;
    const QImage before = d.view.viewport()->grab().toImage();
    const QString table = d.view.csv();
    SamplerPreview preview{1, 13, {}, {{9, " rain"}}};
    preview.draw.stages = {{"logits", 4, {{3, 0.5f}, {4, 0.25f}, {9, 0.25f}}},
                           {"temperature", 1, {{9, 1.0f}}}};
    preview.draw.chosen = 9;
    preview.draw.number = d.number;
    SamplerPreview elsewhere = preview;
    elsewhere.position = 12;
    d.model.setPreview(elsewhere);
    QVERIFY(d.model.previewed() == nullptr);
    d.model.setPreview(preview);
    QVERIFY(d.model.previewed() != nullptr);
    QCOMPARE(d.model.drawn()->chosen, d.chosen);  // the draw that was made stays
    QCOMPARE(d.model.previewed()->chosenText, QStringLiteral("␣rain"));
    QCOMPARE(d.model.stages(), 2);
    QVERIFY(d.model.at(d.rowOf(9)).previewed && !d.model.at(d.rowOf(9)).chosen);
    QVERIFY(d.view.viewport()->grab().toImage() != before);
    d.model.clearPreview();
    QCOMPARE(d.view.csv(), table);
    QCOMPARE(d.view.viewport()->grab().toImage(), before);
    d.model.setPreview(preview);
    d.session.append([&] {
      d.machine.say(TokenCandidates{1, 14, 4, Drawn::stages(), {}}, Phase::kSample);
      return d.machine.take();
    }());
    QVERIFY(d.model.previewed() == nullptr);  // another token is shown
    QCOMPARE(d.model.position(), 14);
  }

  void theStripHasEveryToken() {
    WordMachine machine(32, 8);
    machine.submit("one", 12, 30);
    for (int i = 0; i < 5; ++i) machine.step();
    Session session;
    UncertaintyModel model(&session);
    UncertaintyStrip strip(&model);
    strip.resize(360, strip.sizeHint().height());
    strip.show();
    session.append(machine.take());
    QCOMPARE(model.rowCount(), 5);
    QCOMPARE(model.at(0).position, 12);
    QVERIFY(std::abs(model.at(2).surprise + std::log2(0.46f)) < 2e-3f);
    QCOMPARE(model.at(2).entropy, -1.0f);
    QVERIFY(model.at(4).now && !model.at(3).now);
    machine.step();
    std::vector<Event> events = machine.take();
    for (Event& event : events)
      if (auto* sampled = std::get_if<TokenSampled>(&event.body)) sampled->entropy = 2.5f;
    session.append(std::move(events));
    QCOMPARE(model.rowCount(), 6);
    QVERIFY(std::abs(model.at(5).entropy - 2.5f) < 1e-3f);
    QVERIFY(model.mostBits() >= 2.5);
    QVERIFY(model.describe(5).contains(QLatin1String("2.5")));

    QSignalSpy steps(&strip, &UncertaintyStrip::stepRequested);
    QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, strip.tokenArea(1).center());
    QCOMPARE(steps.size(), 1);
    QCOMPARE(steps[0][0].toInt(), model.at(1).step);
    QTest::keyClick(&strip, Qt::Key_Right);
    QCOMPARE(strip.currentRow(), 2);
    QTest::keyClick(&strip, Qt::Key_Left);
    QTest::keyClick(&strip, Qt::Key_Left);
    QTest::keyClick(&strip, Qt::Key_Return);
    QCOMPARE(steps.size(), 2);
    QCOMPARE(steps[1][0].toInt(), model.at(0).step);
    QVERIFY(strip.accessibleDescription().contains(QLatin1String("bits of surprise")));
    session.goToStep(2);
    QCOMPARE(model.rowCount(), 2);
    QVERIFY(strip.csv().startsWith(QLatin1String("Position,Text,Step,Surprise in bits,Entropy in bits")));
  }

  // The three usual ones are in sight, and no other is lost.
  void theOtherFieldsFoldBelowTheSliders() {
    Drawn d;
    UncertaintyModel tokens(&d.session);
    auto* controls = new SamplerControls;
    auto* view = new SamplerView(&d.model);
    SamplerPanel panel(controls, controls, view, new UncertaintyStrip(&tokens));
    panel.resize(360, 24 * panel.fontMetrics().height());
    panel.show();
    QTest::qWait(50);  // until it is laid out
    const auto seen = [&](const char* option) {
      return controls->findChild<QWidget*>(QLatin1String(option))->isVisible();
    };
    QVERIFY(seen("temperature") && seen("top_k") && seen("top_p") && !seen("min_p") && !seen("seed"));
    const int folded = view->height();
    QVERIFY(folded >= view->heightOf(6) && controls->height() < panel.height() / 2);
    auto* more = controls->findChild<QToolButton*>(QStringLiteral("more"));
    more->setFocus();
    QTest::keyClick(more, Qt::Key_Space);
    QVERIFY(controls->isUnfolded() && seen("min_p") && seen("seed"));
    QVERIFY(view->height() < folded && view->height() >= view->heightOf(2));
    QTest::keyClick(more, Qt::Key_Space);
    QVERIFY(!seen("min_p"));
    QTRY_COMPARE(view->height(), folded);
  }

  void theLastLineSaysWhatWasDrawn() {
    Drawn d;
    UncertaintyModel tokens(&d.session);
    auto* controls = new SamplerControls;
    SamplingOptions sampling;
    sampling.temperature = 0.7;
    sampling.minP = 0.0005;
    controls->setSampling(sampling);
    SamplerPanel panel(controls, controls, new SamplerView(&d.model), new UncertaintyStrip(&tokens));
    panel.resize(900, 400);
    panel.show();
    const QString token = d.model.drawn()->chosenText;
    QCOMPARE(panel.line(),
             QStringLiteral("%1 was drawn: it falls into “%2”").arg(d.number, 0, 'f', 2).arg(token));
    QCOMPARE(panel.summary(), QStringLiteral("T 0.7 · min-p 0.0005 · drawn: “%1”").arg(token));
    const QStringList lines = drawLines(*d.model.drawn(), nullptr, 1.25);
    QVERIFY(lines.front().endsWith(QStringLiteral("· entropy 1.2 bits")) ||
            lines.front().endsWith(QStringLiteral("· entropy 1.3 bits")));
    for (int i = 1; i < lines.size(); ++i) QVERIFY(lines[i].size() < lines[i - 1].size());
    SamplerPreview preview{1, 13, {Drawn::stages(), d.chosen == 3 ? 4 : 3, d.number}, {}};
    d.model.setPreview(preview);
    QCOMPARE(panel.line(), QStringLiteral("The preview chooses “%1” instead of “%2”")
                               .arg(d.model.previewed()->chosenText, token));
    QVERIFY(panel.summary().contains(QStringLiteral("preview: “")));
    d.model.clearPreview();
    panel.resize(160, 400);  // fewer words, the same token
    QVERIFY(panel.line().size() < 30 && panel.line().contains(token));
  }

  void aSmallProbabilityCanBeTyped() {
    SamplerControls controls;
    controls.setUnfolded(true);
    controls.show();
    SamplingOptions drawing;
    drawing.temperature = 1;
    controls.setSampling(drawing);
    auto* minP = controls.findChild<QDoubleSpinBox*>(QStringLiteral("min_p"));
    minP->selectAll();
    QTest::keyClicks(minP, QStringLiteral("0.0005"));
    QTest::keyClick(minP, Qt::Key_Return);
    QCOMPARE(controls.sampling().minP, 0.0005);
    QCOMPARE(minP->text(), QStringLiteral("0.0005"));
    controls.setSampling({});
    QCOMPARE(minP->text(), QStringLiteral("0"));
  }

  void aSliderAndItsFieldAreOneValue() {
    SamplerControls controls;
    controls.show();
    SamplingOptions sampling;
    sampling.temperature = 0.7;
    sampling.topK = 40;
    controls.setSampling(sampling);
    QSignalSpy changed(&controls, &SamplerControls::samplingChanged);
    const auto sliders = controls.findChildren<OptionSlider*>();
    QCOMPARE(sliders.size(), 3);
    for (OptionSlider* slider : sliders) {
      QVERIFY(!slider->accessibleName().isEmpty() && !slider->toolTip().isEmpty());
      slider->setFocus();
      QTest::keyClick(slider, Qt::Key_Home);
    }
    QCOMPARE(controls.sampling().temperature, 0.0);  // at the left, and then the others act no more
    QVERIFY(!sliders[1]->isEnabled() && !sliders[2]->isEnabled());
    QCOMPARE(changed.size(), 1);
    controls.setSampling(sampling);
    QCOMPARE(changed.size(), 1);
    sliders[1]->setFocus();
    QTest::keyClick(sliders[1], Qt::Key_End);
    QCOMPARE(controls.sampling().topK, 0);  // all
    controls.findChild<QSpinBox*>(QStringLiteral("top_k"))->setValue(41);
    QCOMPARE(controls.sampling().topK, 41);  // the slider rounds nothing
    sliders[1]->setFocus();
    QTest::keyClick(sliders[1], Qt::Key_Right);
    QCOMPARE(controls.sampling().topK, 50);
  }

  void aModeIsASetOfKnobs_data() {
    QTest::addColumn<int>("mode");
    for (const SamplingMode mode : kSamplingModes)
      QTest::newRow(qPrintable(samplingModeName(mode))) << static_cast<int>(mode);
  }
  void aModeIsASetOfKnobs() {
    QFETCH(int, mode);
    const auto wanted = static_cast<SamplingMode>(mode);
    for (const SamplingMode from : kSamplingModes) {
      SamplingKnobs before;
      before.sampling.seed = 5;
      before.sampling.repetitionPenalty = 1.2;
      before = knobsOf(from, before);
      const SamplingKnobs knobs = knobsOf(wanted, before);
      QVERIFY(modeOf(knobs) == wanted);
      QCOMPARE(knobs.sampling.seed, std::uint64_t{5});
      QCOMPARE(knobs.sampling.repetitionPenalty, 1.2);
      Request request;
      request.sampling = knobs.sampling;
      if (knobs.beams > 1) request.sampling.temperature = 0;  // as for a message
      request.sequences = knobs.answers;
      request.beamWidth = knobs.beams;
      request.validate();
    }
  }

  // Of any option, also of a stage that does not exist yet, but for those that are named here.
  void nothingOfTheOptionsBeforeIsLeftOver() {
    SamplingKnobs before;
    visitSamplingOptions(before.sampling,
                         [](const auto&, auto& value) { value = value > 0 ? value / 2 : 1; });
    SamplingKnobs kept;
    kept.sampling = withPenaltiesOf(before.sampling);
    int differing = 0;
    visitSamplingOptions(kept.sampling, [&](const auto& info, const auto& value) {
      const QByteArray key(info.key);
      const bool isKept = key == "seed" || key.endsWith("penalty");
      visitSamplingOptions(before.sampling, [&](const auto& other, const auto& set) {
        if (key != other.key) return;
        const bool isSame = static_cast<double>(value) == static_cast<double>(set);
        QVERIFY2(isSame == isKept, key.constData());
        differing += isSame ? 0 : 1;
      });
    });
    QVERIFY(differing >= 5);
    kept.sampling.temperature = before.sampling.temperature;
    for (const SamplingMode mode : kSamplingModes)
      if (!needsNewRequest(mode))
        QVERIFY2(knobsOf(mode, before) == knobsOf(mode, kept), qPrintable(samplingModeName(mode)));
  }

  void aModeIsOneClickAndUndone() {
    SamplerControls controls;
    controls.setUnfolded(true);
    controls.show();
    SamplingOptions sampling;
    sampling.temperature = 0.7;
    sampling.topK = 17;
    sampling.minP = 0.25;
    controls.setSampling(sampling);
    SamplingModeBar& modes = *controls.modes();
    QSignalSpy changed(&controls, &SamplerControls::samplingChanged);
    QSignalSpy answers(&controls, &SamplerControls::answersChanged);
    QVERIFY(!modes.undoButton()->isEnabled() && !modes.button(SamplingMode::kTopK)->isChecked());
    QTest::mouseClick(modes.button(SamplingMode::kTopP), Qt::LeftButton);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(controls.sampling().topP, 0.9);
    QVERIFY(controls.sampling().topK == 0 && controls.sampling().minP == 0);
    QCOMPARE(controls.sampling().temperature, 0.7);
    QVERIFY(modes.button(SamplingMode::kTopP)->isChecked());
    modes.button(SamplingMode::kBeams)->setFocus();
    QTest::keyClick(modes.button(SamplingMode::kBeams), Qt::Key_Space);
    QCOMPARE(answers.size(), 1);
    QCOMPARE(controls.knobs().beams, 4);
    QCOMPARE(controls.sampling().temperature, 0.7);  // a search draws nothing, and changes nothing in passing
    QCOMPARE(controls.sampling().topP, 0.9);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(controls.summary(), QStringLiteral("4 beams"));
    QTest::mouseClick(modes.undoButton(), Qt::LeftButton);
    QCOMPARE(controls.knobs().beams, 1);
    QCOMPARE(controls.sampling().topP, 0.9);
    QTest::mouseClick(modes.undoButton(), Qt::LeftButton);
    QCOMPARE(controls.sampling(), sampling);
    QVERIFY(!modes.undoButton()->isEnabled());
    QCOMPARE(changed.size(), 2);
  }

  void aRequestInTheEngineKeepsItsNumberOfAnswers() {
    SamplerControls controls;
    controls.setUnfolded(true);
    controls.show();
    controls.setEditable(true, false);
    QSignalSpy wanted(&controls, &SamplerControls::newMessagesWanted);
    QTest::mouseClick(controls.modes()->button(SamplingMode::kGreedy), Qt::LeftButton);
    QCOMPARE(wanted.size(), 0);
    QTest::mouseClick(controls.modes()->button(SamplingMode::kAnswers), Qt::LeftButton);
    QCOMPARE(wanted.size(), 1);
    // What they are for stands beside them.
    const auto labels = controls.modes()->findChildren<QLabel*>();
    QCOMPARE(labels.size(), 1);
    QVERIFY(labels[0]->isVisible() && labels[0]->text().contains(QLatin1String("new messages")));
    for (const SamplingMode mode : kSamplingModes) {
      const QRect place = controls.modes()->button(mode)->geometry();
      QCOMPARE(std::abs(place.center().y() - labels[0]->geometry().center().y()) < place.height() / 2,
               needsNewRequest(mode));
    }
  }
};

QTEST_MAIN(TestSamplerPanel)
#include "tst_sampler_panel.moc"
