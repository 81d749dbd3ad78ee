// Every view painted light, dark, in high contrast and in presentation size: nothing throws, nothing is
// blank. With VITRINE_PICTURES set to a folder the pictures are kept there, to be looked at.
#include <QApplication>
#include <QDir>
#include <QPlainTextEdit>
#include <QStyleFactory>
#include <QTest>
#include <memory>
#include <set>

#include "support/said_search.h"
#include "support/word_machine.h"
#include "widgets/batch/batch_view.h"
#include "widgets/beams/beams_view.h"
#include "widgets/chat/chat_view.h"
#include "widgets/explain/blocked_model.h"
#include "widgets/explain/blocked_view.h"
#include "widgets/explain/event_log_view.h"
#include "widgets/explain/step_comparison_model.h"
#include "widgets/explain/step_comparison_view.h"
#include "widgets/explain/why_view.h"
#include "widgets/memory/block_map_view.h"
#include "widgets/memory/block_table_model.h"
#include "widgets/memory/prefix_tree_view.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/plots/plot_view.h"
#include "widgets/requests/lanes_view.h"
#include "widgets/requests/requests_view.h"
#include "widgets/requests/text_view.h"
#include "widgets/sampler/sampler_controls.h"
#include "widgets/sampler/sampler_view.h"
#include "widgets/sampler/uncertainty_strip.h"
#include "widgets/speculation/speculation_view.h"
#include "widgets/support/translations.h"
#include "widgets/time/bookmarks.h"
#include "widgets/time/breakpoint_list.h"
#include "widgets/time/time_axis_view.h"

using namespace vitrine;
using test::WordMachine;

namespace {

QPalette lightPalette() {
  const std::unique_ptr<QStyle> style(QStyleFactory::create(QStringLiteral("Fusion")));
  return style->standardPalette();
}

QPalette darkPalette(const QColor& base, const QColor& window, const QColor& text) {
  QPalette palette;
  palette.setColor(QPalette::Window, window);
  palette.setColor(QPalette::WindowText, text);
  palette.setColor(QPalette::Base, base);
  palette.setColor(QPalette::AlternateBase, window);
  palette.setColor(QPalette::Text, text);
  palette.setColor(QPalette::Button, window);
  palette.setColor(QPalette::ButtonText, text);
  palette.setColor(QPalette::PlaceholderText, QColor(text.red(), text.green(), text.blue(), 128));
  palette.setColor(QPalette::Highlight, QColor(0x3d, 0xae, 0xe9));
  palette.setColor(QPalette::HighlightedText, Qt::black);
  palette.setColor(QPalette::ToolTipBase, window);
  palette.setColor(QPalette::ToolTipText, text);
  return palette;
}

struct Views {
  Session session;
  RequestListModel requests{&session};
  BlockMapModel blocks{&session};
  PrefixTreeModel prefixTree{&blocks};
  BlockTableModel blockTable{&session};
  LaneModel lanes{&session};
  MetricsModel metrics{&session};
  BlockedModel blockedModel{&session};
  StepComparisonModel comparisonModel{&session};
  SamplerModel sampler{&session};
  EventLogModel events{&session};
  WhyModel why{&session};
  TextModel text{&session};
  BatchModel batch{&session};
  SpeculationModel speculation{&session};
  ChatModel chat{&session};

  RequestsView requestsView{&requests};
  BlockMapView blockView{&blocks};
  PrefixTreeView prefixView{&prefixTree};
  DataTableView blockTableView{&blockTable, QStringLiteral("Choose a request to see its block table.")};
  LanesView laneView{&lanes};
  PlotView plotView{&metrics};
  BlockedView blockedView{&blockedModel};
  StepComparisonView comparisonView{&comparisonModel};
  SamplerView samplerView{&sampler};
  UncertaintyModel uncertainty{&session};
  UncertaintyStrip uncertaintyStrip{&uncertainty};
  SamplerControls controls;
  EventLogView eventView{&events};
  WhyView whyView{&why};
  TextView textView{&text};
  BatchView batchView{&batch};
  SpeculationView speculationView{&speculation};
  BreakpointList breakpoints{&session};
  Bookmarks bookmarks{&session};
  TimeAxisModel timeAxis{&session};
  TimeAxisView timeline{&timeAxis};
  ChatView chatView{&chat, &session};

  std::vector<std::pair<const char*, QWidget*>> all() {
    return {{"requests", &requestsView},
            {"blocks", &blockView},
            {"prefix-tree", &prefixView},
            {"block-table", &blockTableView},
            {"lanes", &laneView},
            {"plots", &plotView},
            {"sampler", &samplerView},
            {"controls", &controls},
            {"events", &eventView},
            {"why", &whyView},
            {"timeline", &timeline},
            {"chat", &chatView},
            {"text", &textView},
            {"batch", &batchView},
            {"speculation", &speculationView},
            {"blocked-by", &blockedView},
            {"two-steps", &comparisonView},
            {"uncertainty", &uncertaintyStrip}};
  }
  void arrange() {
    timeAxis.setMarks(&breakpoints, &bookmarks);
    requestsView.resize(250, 490);
    blockView.resize(340, 380);
    prefixView.resize(520, 230);
    blockTableView.resize(560, 160);
    laneView.resize(710, 280);
    plotView.resize(900, 200);
    blockedView.resize(710, 160);
    comparisonView.resize(710, 300);
    samplerView.resize(720, 300);
    controls.resize(320, 420);
    eventView.resize(860, 260);
    whyView.resize(560, 460);
    timeline.resize(900, timeline.sizeHint().height());
    chatView.resize(680, 520);
    textView.resize(710, 280);
    batchView.resize(710, 400);
    speculationView.resize(710, 360);
    uncertaintyStrip.resize(360, uncertaintyStrip.sizeHint().height());
    for (const auto& [name, view] : all()) view->show();
  }
};

int colours(const QImage& image) {
  std::set<QRgb> seen;
  for (int y = 0; y < image.height(); y += 2) {
    for (int x = 0; x < image.width(); x += 2) seen.insert(image.pixel(x, y));
  }
  return static_cast<int>(seen.size());
}

void keep(const QString& name, const QImage& image) {
  const QString folder = qEnvironmentVariable("VITRINE_PICTURES");
  if (folder.isEmpty()) return;
  QDir().mkpath(folder);
  QVERIFY(image.save(folder + u'/' + name + QStringLiteral(".png")));
}

// The story with two chat answers in it, stopped in the middle of things.
WordMachine pausedStory(int steps) {
  WordMachine machine(24, 8, 32, 3);
  machine.submit("chat-1", 23, 12);
  machine.submit("a second reader", 20, 12);
  machine.submit("two answers", 12, 10, 5, 2);
  for (int i = 0; i < 4; ++i) machine.step();
  machine.submit("a longer one", 44, 16, 2);
  machine.submit("chat-2", 9, 40, 7);
  for (int i = 0; i < steps; ++i) {
    machine.beginStep();
    const SequenceState second = machine.state().sequences.at(2);
    const auto end = static_cast<int>(second.tokens.size());
    using enum DraftVerdict;
    const bool drafts = i % 3 == 2 && second.status == SequenceStatus::kRunning;  // as if it had drafts
    machine.say(StepSpeculated{4, drafts ? 1 : 0, drafts ? 3 : 0, i / 3 % 2, 4 + i / 3 % 2, 0,
                               drafts ? 400'000 : 0, 1'000'000});
    if (drafts)
      machine.say(
          DraftVerified{
              2,
              end,
              i / 3 % 2,
              {{9, i / 3 % 2 ? kSame : kDiffers, 0, 0, 0}, {3, kDiffers, 0, 0, 0}, {6, kUndecided, 0, 0, 0}}},
          Phase::kSample);
    machine.endStep();
  }
  return machine;
}

// A search of its own, so that the other views show no request without work: from afar, near, and lit.
void keepSearch(const QString& theme, int width) {
  test::SaidSearch search(width);
  for (int i = 0; i < 9; ++i) search.inventedStep(width, i == 4);
  Session session;
  BeamTreeModel beams(&session);
  BeamsView view(&beams);
  const QString name = theme + QStringLiteral("-beams-%1").arg(width);
  view.resize(710, width > 3 ? 300 : 400);
  view.show();
  keep(theme + QStringLiteral("-beams-empty"), view.grab().toImage());
  session.append(search.take());
  view.setFocus();
  const QImage image = view.grab().toImage();
  QVERIFY(colours(image) > 3);
  keep(name, image);
  view.setCurrentNode(beams.tree().size() - 1);
  keep(name + QStringLiteral("-lit"), view.grab().toImage());
  view.setCurrentNode(0);
  keep(name + QStringLiteral("-prompt"), view.grab().toImage());
  view.zoomOut();
  view.zoomOut();
  keep(name + QStringLiteral("-dots"), view.grab().toImage());
}

// A full cache, in the first steps that find and that evict a block.
void keepPrefixTree(const QString& theme) {
  WordMachine machine(14, 8, 64, 4);
  Session session;
  BlockMapModel blocks(&session);
  PrefixTreeModel tree(&blocks);
  PrefixTreeView view(&tree);
  view.resize(520, 230);
  view.show();
  bool hit = false, evicted = false;
  for (int i = 0; i < 60; ++i) {
    if (i % 3 == 0) machine.submit("one", 20 + i % 5, 14, i % 4 == 0 ? 0 : i);
    machine.step();
    session.append(machine.take());
    const auto keepFirst = [&](bool& kept, auto member, const char* name) {
      if (kept || std::ranges::none_of(tree.rows(), member)) return;
      kept = true;
      keep(theme + QLatin1String(name), view.grab().toImage());
    };
    keepFirst(hit, &PrefixRow::hitNow, "-prefix-tree-hit");
    keepFirst(evicted, &PrefixRow::evicted, "-prefix-tree-evicted");
  }
  QVERIFY(hit && evicted);
  session.spotlight()->point({.blocks = tree.at(0).blocks});
  keep(theme + QStringLiteral("-prefix-tree-lit"), view.grab().toImage());
  view.resize(230, 260);
  keep(theme + QStringLiteral("-prefix-tree-narrow"), view.grab().toImage());
}

}  // namespace

class TestViewPictures : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QApplication::setStyle(QStringLiteral("Fusion"));
    AnimationClock::setReducedMotion(true);
    installTranslations(*QCoreApplication::instance());
  }
  void paintedInEveryTheme_data();
  void paintedInEveryTheme();
};

void TestViewPictures::paintedInEveryTheme_data() {
  QTest::addColumn<QPalette>("palette");
  QTest::addColumn<double>("fontPt");
  QTest::newRow("light") << lightPalette() << 11.0;
  QTest::newRow("dark") << darkPalette({0x1e, 0x20, 0x22}, {0x2a, 0x2e, 0x32}, {0xef, 0xf0, 0xf1}) << 11.0;
  QTest::newRow("contrast") << darkPalette(Qt::black, Qt::black, Qt::white) << 11.0;
  QTest::newRow("present") << lightPalette() << 20.0;
}

void TestViewPictures::paintedInEveryTheme() {
  QFETCH(QPalette, palette);
  QFETCH(double, fontPt);
  QApplication::setPalette(palette);
  QFont font = QApplication::font();
  font.setPointSizeF(fontPt);
  QApplication::setFont(font);
  const QString theme = QString::fromLatin1(QTest::currentDataTag());

  Views views;
  views.arrange();
  for (const auto& [name, view] : views.all())
    keep(theme + u'-' + QLatin1String(name) + QStringLiteral("-empty"), view->grab().toImage());
  views.chat.addUser(QStringLiteral("What lives in the garden?"));
  views.chat.addAnswer(QStringLiteral("chat-1"));
  views.chat.addUser(QStringLiteral("And where does it fly?\nPlease answer in one line: <b>no markup</b>."));
  views.chat.addAnswer(QStringLiteral("chat-2"));
  WordMachine machine = pausedStory(9);
  views.session.append(machine.take());
  views.session.selectSequence(2);
  views.breakpoints.toggleStep(9);
  views.breakpoints.setOnce(breakpointFromText("preemption"));
  views.bookmarks.toggle(4);
  views.comparisonModel.compareWith(2);
  views.timeline.setCompared(2);
  QTest::qWait(60);
  for (const auto& [name, view] : views.all()) {
    const QImage image = view->grab().toImage();
    QVERIFY2(colours(image) > 3, name);
    keep(theme + u'-' + QLatin1String(name), image);
  }
  for (const int width : {3, 16}) keepSearch(theme, width);
  keepPrefixTree(theme);
  views.textView.setShowsSurprise(true);
  keep(theme + QStringLiteral("-text-surprise"), views.textView.grab().toImage());
  views.textView.setShowsSurprise(false);
  views.laneView.fit();
  keep(theme + QStringLiteral("-lanes-fit"), views.laneView.grab().toImage());
  views.session.goToStep(6);
  QTest::qWait(60);
  for (const auto& [name, view] : views.all()) {
    keep(theme + u'-' + QLatin1String(name) + QStringLiteral("-past"), view->grab().toImage());
  }
}

QTEST_MAIN(TestViewPictures)
#include "tst_view_pictures.moc"
