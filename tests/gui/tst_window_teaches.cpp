// The subject of each scenario is in sight without scrolling: on a small and a large screen, stepping and
// presenting, at the first event that the scenario promises and one step later.
#include <QDockWidget>
#include <QLabel>
#include <QScreen>
#include <QScrollBar>
#include <QSettings>
#include <QTabBar>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "gui/bars/machine_buttons.h"
#include "gui/bars/status_strip.h"
#include "gui/panels/panel_dock.h"
#include "gui/scenario/scenario_line.h"
#include "scenarios/scenario.h"
#include "support/window_bench.h"
#include "widgets/explain/headline_view.h"
#include "widgets/explain/why_list.h"
#include "widgets/explain/why_view.h"
#include "widgets/memory/block_map_view.h"
#include "widgets/requests/lanes_view.h"
#include "widgets/requests/requests_view.h"
#include "widgets/sampler/sampler_view.h"
#include "widgets/support/eliding_label.h"
#include "widgets/support/tab_rows.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr int kScrolledFrom = 256;  // blocks: such a pool may be scrolled
constexpr int kCandidates = 6;      // rows of the sampler that the design asks for

constexpr int kCleanLooks = 10;  // with 10 ms between them

constexpr int kFewLanes = 3;  // have room in every window

// Which parts were looked at, so that a test that finds no fault has seen something.
struct Seen {
  int pools = 0, lanes = 0, sentences = 0, samplers = 0, cards = 0;
};

// What is out of sight or cut in a window; empty: nothing.
class Findings {
 public:
  Findings(MainWindow& window, Perspective perspective, Seen& seen)
      : m_window(window), m_panels(window.panels()), m_perspective(perspective), m_seen(seen) {}

  QStringList all() {
    m_wrong.clear();
    lookAtMemory();
    lookAtLanes();
    lookAtWhy();
    lookAtSampler();
    lookAtCards();
    lookAtWords();
    return m_wrong;
  }

 private:
  void require(bool isTrue, const QString& wrong) {
    if (!isTrue) m_wrong << wrong;
  }
  static QString numbers(const QRect& r) {
    return QStringLiteral("%1×%2 at %3,%4").arg(r.width()).arg(r.height()).arg(r.x()).arg(r.y());
  }

  void lookAtMemory() {
    const BlockMapView& pool = *m_panels.blocks;
    const int blocks = static_cast<int>(m_window.session().state().blocks.size());
    if (!pool.isVisible()) return;
    ++m_seen.pools;
    const QRect port = pool.viewport()->rect();
    if (blocks < kScrolledFrom) {
      require(pool.verticalScrollBar()->maximum() == 0, "the pool is scrolled");
      require(port.contains(pool.cellRect(blocks - 1)), "the last block is cut");
    }
    for (const SwapTier tier : {SwapTier::kHost, SwapTier::kDisk})
      if (const QRect slot = pool.slotRect(tier, 0); !slot.isEmpty())
        require(port.contains(slot), "a shelf is cut");
    require(!pool.legend().words().isEmpty() && pool.legend().width() <= port.width(), "the legend is cut");
  }

  const WhyModel& why() const { return *m_window.findChild<WhyModel*>(); }

  void lookAtLanes() {
    const LanesView& view = *m_panels.lanes;
    if (!view.isVisible() || view.lanesInSight().empty()) return;
    ++m_seen.lanes;
    const int step = m_window.session().step();
    const QPoint offset(view.horizontalScrollBar()->value(), view.verticalScrollBar()->value());
    const QRect first = view.cellRect(view.lanesInSight().front(), step);
    const QRect port = view.viewport()->rect().adjusted(0, first.top(), 0, 0);  // below the numbers of steps
    const auto inSight = [&](const QRect& cell) { return port.contains(cell.translated(-offset)); };
    const auto lanesInSight = static_cast<int>(view.lanesInSight().size());
    const int height = lanesInSight * laneHeightOf(LaneRoom::kBare, view.fontMetrics().height());
    if (height <= port.height() || lanesInSight <= kFewLanes)
      require(view.verticalScrollBar()->maximum() == 0,
              QStringLiteral("%1 lanes are scrolled: %2 of %3 pixels")
                  .arg(lanesInSight)
                  .arg(port.height())
                  .arg(height));
    const QRect column(first.left(), offset.y() + port.top(), first.width(), 1);
    require(inSight(column), "the step's column is out of sight: " + numbers(column.translated(-offset)));
    const int headline = why().headlineRow();
    if (headline < 0) return;
    const SequenceId subject = why().at(headline).sequence;
    const auto* lanes = m_window.findChild<LaneModel*>();
    if (const int lane = lanes->laneOf(subject); subject != 0 && lane >= 0)
      require(inSight(view.cellRect(lane, step)),
              QStringLiteral("the lane of %1 is out of sight").arg(why().at(headline).letter));
  }

  // The sentence at which a run has stopped, else the headline's.
  void lookAtWhy() {
    const WhyList& list = *m_panels.why->list();
    if (!list.isVisible()) return;
    const int row = list.currentIndex().isValid() ? list.currentIndex().row() : why().headlineRow();
    if (row < 0) return;
    ++m_seen.sentences;
    const QRect port = list.viewport()->rect(), heading = list.headingRect(row);
    QRect sentence = list.sentenceRect(row);
    require(port.contains(heading), "the phase above the sentence is out of sight");
    require(!heading.intersects(sentence), "the phase covers the sentence");
    if (sentence.height() + heading.height() > port.height()) sentence.setHeight(1);  // its beginning
    require(port.contains(sentence), QStringLiteral("a sentence is cut: %1 of %2: %3")
                                         .arg(numbers(sentence), numbers(port), why().at(row).text));
  }

  void lookAtSampler() {
    const SamplerView& view = *m_panels.sampler;
    const int rows = view.candidates()->rowCount();
    if (!view.isVisible() || rows == 0) return;
    ++m_seen.samplers;
    int inSight = 0;
    const SamplerLayout placed = view.placed();
    const int pinned = placed.pinnedRow();
    for (int row = 0; row < rows; ++row) {
      const QRect area = placed.rowArea(row);
      const bool whole = view.viewport()->rect().contains(
          area.translated(0, -view.verticalScrollBar()->value()).adjusted(0, 0, 0, -1));
      inSight += whole && (pinned < 0 || row == pinned || !placed.rowArea(pinned).intersects(area));
      if (view.candidates()->at(row).chosen)
        require(whole, QStringLiteral("the drawn token's row is out of sight: %1 of %2, %3 columns")
                           .arg(numbers(area), numbers(view.viewport()->rect()))
                           .arg(placed.columns().size()));
    }
    const int wanted = m_perspective == Perspective::kStep ? std::min(rows, kCandidates) : 1;
    require(inSight >= wanted, QStringLiteral("%1 of %2 candidates are in sight").arg(inSight).arg(wanted));
  }

  void lookAtCards() {
    const RequestsView& view = *m_panels.requests;
    if (!view.isVisible() || view.model()->rowCount() == 0) return;
    ++m_seen.cards;
    const QRect port = view.viewport()->rect();
    int height = 0;
    QStringList hidden;
    for (int row = 0; row < view.model()->rowCount(); ++row) {
      const QModelIndex index = view.model()->index(row, 0);
      if (index.data(RequestListModel::kGroupRole).toInt() != static_cast<int>(RequestGroup::kRunning))
        continue;
      height += view.visualRect(index).height();
      if (!port.contains(view.visualRect(index))) hidden << index.data().toString();
    }
    require(hidden.isEmpty() || height > port.height(),
            "running requests are out of sight: " + hidden.join(", "));
  }

  void lookAtWords() {
    require(m_window.headline().isWhole(),
            QStringLiteral("the headline is cut (%1 pixels, a letter has %2): %3")
                .arg(m_window.headline().width())
                .arg(m_window.headline().fontMetrics().averageCharWidth())
                .arg(m_window.headline().text()));
    for (const auto* label : m_window.findChildren<QLabel*>()) {
      if (!label->isVisible() || label->visibleRegion().isEmpty() || label->textFormat() == Qt::RichText ||
          label->wordWrap() || label->text().isEmpty() || label->window() != &m_window)
        continue;
      // The status strip has names of models and scenarios.
      if (m_window.status().isAncestorOf(label)) continue;
      const auto* eliding = dynamic_cast<const ElidingLabel*>(label);
      const bool whole = eliding ? eliding->text().startsWith(eliding->shown())
                                 : label->fontMetrics().horizontalAdvance(label->text()) <=
                                       label->contentsRect().width() + 1;
      require(whole, QStringLiteral("cut: %1 (%2 pixels of %3)")
                         .arg(label->text())
                         .arg(label->width())
                         .arg(label->sizeHint().width()));
    }
    for (const auto* button : m_window.findChildren<QAbstractButton*>()) {
      // Names of models and scenarios are elided.
      if (!button->isVisible() || button->visibleRegion().isEmpty() || button->text().isEmpty() ||
          dynamic_cast<const MenuButton*>(button) || button->window() != &m_window)
        continue;
      require(button->width() >= std::min(button->sizeHint().width(), button->minimumSizeHint().width()),
              QStringLiteral("a button is cut: %1 (%2 of %3)")
                  .arg(button->text())
                  .arg(button->width())
                  .arg(button->sizeHint().width()));
    }
    for (const auto* tabs : m_window.findChildren<QTabBar*>()) {
      if (!tabs->isVisible() || !m_window.rect().contains(tabs->geometry().center())) continue;
      const std::vector<QRect> areas = tabAreas(*tabs);
      for (int i = 0; i < tabs->count(); ++i) {
        const QRect tab = areas[static_cast<std::size_t>(i)];
        if (tab.isEmpty()) continue;
        QFont bold = tabs->font();
        bold.setBold(i == tabs->currentIndex());
        const int words = QFontMetrics(bold).size(Qt::TextShowMnemonic, tabs->tabText(i)).width();
        require(tab.right() <= tabs->width() && words <= tab.width() - 6,
                QStringLiteral("a tab is cut: %1 (%2 pixels in %3, the bar has %4)")
                    .arg(tabs->tabText(i))
                    .arg(words)
                    .arg(numbers(tab))
                    .arg(tabs->width()));
      }
    }
    for (const auto* more : m_window.findChildren<QToolButton*>("qt_toolbar_ext_button"))
      require(!more->isVisible(), "a tool bar is cut");
  }

  MainWindow& m_window;
  Panels& m_panels;
  Perspective m_perspective;
  Seen& m_seen;
  QStringList m_wrong;
};

}  // namespace

class TestWindowTeaches : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }
  void init() { QSettings().clear(); }

  void allOfItIsInSight_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<Perspective>("perspective");
    QTest::newRow("a laptop") << QSize(1366, 768) << Perspective::kStep;
    QTest::newRow("a desktop") << QSize(1920, 1080) << Perspective::kStep;
    QTest::newRow("a laptop, presenting") << QSize(1366, 768) << Perspective::kPresent;
    QTest::newRow("a lecture hall") << QSize(1920, 1080) << Perspective::kPresent;
  }
  void allOfItIsInSight() {
    QFETCH(QSize, size);
    QFETCH(Perspective, perspective);
    ShownWindow w(Perspective::kStep, size);
    if (perspective == Perspective::kPresent) {  // over the whole of a screen of this size
      const QList<QScreen*> screens = QGuiApplication::screens();
      const auto screen = std::ranges::find(screens, size, &QScreen::size);
      QVERIFY(screen != screens.end());
      w.window.setScreen(*screen);
      w.window.move((*screen)->geometry().topLeft());
      w.window.showPerspective(perspective);
      QTRY_COMPARE(w.window.size(), size);
      QVERIFY(w.window.isFullScreen());
    }
    w.window.bar().setStepsPerSecond(0);
    QStringList wrong;
    Seen seen;
    const auto look = [&](const QString& where) {
      Findings findings(w.window, perspective, seen);
      // Qt lays out, the column in the middle is divided, and the views follow the step, in the events that
      // follow: only a look that finds nothing again and again has seen the step.
      int clean = 0;
      if (!QTest::qWaitFor([&] { return (clean = findings.all().isEmpty() ? clean + 1 : 0) >= kCleanLooks; },
                           kSettled))
        for (const QString& one : findings.all()) wrong << where + ": " + one;
    };
    for (const std::string& name : shippedScenarioNames()) {
      const QString scenario = QString::fromStdString(name);
      w.window.openScenario(scenario);
      QVERIFY(
          waitUntil([&] { return w.isPaused() && w.live().step == 0 && w.window.scenario().isVisible(); }));
      ScenarioLine& line = w.window.scenario();
      const int next = line.next();
      QVERIFY2(next >= 0, name.c_str());
      line.goToNext();
      QVERIFY2(waitUntil([&] {
                 return line.expectations().occurrences()[static_cast<std::size_t>(next)].seen &&
                        w.isPaused();
               }),
               name.c_str());
      look(scenario + " at its first event");
      QVERIFY(w.stepTimes(1));
      look(scenario + " a step later");
    }
    QVERIFY(seen.pools > 0 && seen.lanes > 0 && seen.sentences > 0);
    if (perspective == Perspective::kStep) QVERIFY(seen.samplers > 0 && seen.cards > 0);
    for (const QString& one : wrong) qWarning("%s", qPrintable(one));  // a message of the test ends early
    QVERIFY(wrong.isEmpty());
  }

 private:
  static constexpr int kSettled = 5000;  // ms, of a machine that is busy with others

  WindowSurroundings m_surroundings;
};

QTEST_MAIN(TestWindowTeaches)
#include "tst_window_teaches.moc"
