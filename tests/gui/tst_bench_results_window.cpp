// Results of benchmarks in the window: what the command has kept opens by name and by drop, says what the
// command printed, stands side by side, and is copied and saved; what is damaged is refused.
#include "gui/bench/bench_results_window.h"

#include <QClipboard>
#include <QComboBox>
#include <QDropEvent>
#include <QHeaderView>
#include <QMenuBar>
#include <QMimeData>

#include "cli/bench_kinds.h"
#include "gui/bench/bench_figure_card.h"
#include "gui/bench/bench_opening.h"
#include "gui/bench/bench_table_card.h"
#include "gui/parts/message_bar.h"
#include "support/window_bench.h"
#include "widgets/layers/roofline_view.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/plots/figure_view.h"
#include "widgets/support/picture_export.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

void drop(QWidget& on, const QStringList& files) {
  QMimeData data;
  QList<QUrl> urls;
  for (const QString& file : files) urls << QUrl::fromLocalFile(file);
  data.setUrls(urls);
  QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&on, &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent dropped({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&on, &dropped);
}

QList<BenchResultsWindow*> windowsOf(const QWidget& parent) {
  QList<BenchResultsWindow*> open;
  for (auto* window : parent.findChildren<BenchResultsWindow*>())
    if (window->isVisible()) open << window;
  return open;
}

// The cells of a table that are in sight.
QStringList textsOf(const QTableView& table) {
  QStringList texts;
  for (int row = 0; row < table.model()->rowCount(); ++row)
    for (int column = 0; column < table.model()->columnCount(); ++column)
      if (!table.isColumnHidden(column)) texts << table.model()->index(row, column).data().toString();
  return texts;
}

}  // namespace

class TestBenchResultsWindow : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;

  QString file(const QString& kind) const { return m_folder.filePath(kind + ".json"); }

  static void addKinds() {
    QTest::addColumn<QString>("kind");
    for (const auto& [kind, options] : kBenchKinds) QTest::newRow(qPrintable(kind)) << kind;
  }

 private slots:
  void initTestCase() {
    QVERIFY(m_surroundings.prepare());
    for (const auto& [kind, options] : kBenchKinds) {
      const CliResult run =
          runCli(QStringList{"bench", kind, "--model", goldenModel("llama"), "--prompt-tokens", "12",
                             "--max-tokens", "6", "--repeat", "2", "--warm-up", "0", "--threads", "1",
                             "--block-size", "4", "--json"} +
                 options);
      QVERIFY2(run.status == 0, run.err);
      QVERIFY(!writeTo(file(kind), run.out).isEmpty());
    }
    QFile::copy(file("latency"), file("after"));
  }
  void init() { QSettings().clear(); }

  void everyKindOpensWithItsTablesAndFigures_data() { addKinds(); }
  void everyKindOpensWithItsTablesAndFigures() {
    QFETCH(QString, kind);
    QWidget parent;
    BenchOpening opening(&parent);
    BenchResultsWindow* const window = opening.open(file(kind));
    QVERIFY(window != nullptr && QTest::qWaitForWindowExposed(window));
    const BenchResults results = readBenchFile(file(kind).toStdString());
    QVERIFY(window->windowTitle().startsWith(QString::fromStdString(results.title)));
    QCOMPARE(window->tables().choice()->count(), static_cast<int>(results.tables.size()));
    for (std::size_t i = 0; i < results.tables.size(); ++i) {
      window->tables().choice()->setCurrentIndex(static_cast<int>(i));
      QStringList cells;
      for (const auto& row : results.tables[i].rows)
        for (const BenchCell& cell : row) cells << QString::fromStdString(cell.text);
      QCOMPARE(textsOf(*window->tables().table()), cells);
    }
    QComboBox& figures = *window->figures().figures();
    QCOMPARE(figures.count(), static_cast<int>(results.charts.size() + results.roofRuns.size()));
    for (int figure = 0; figure < figures.count(); ++figure) {
      figures.setCurrentIndex(figure);
      const PaintedView* const view = window->figures().shown();
      QVERIFY(view->isVisible() && !view->accessibleName().isEmpty());
      QVERIFY(view->csv().count('\n') > 1);
      QCOMPARE(view == window->figures().roof(), static_cast<std::size_t>(figure) < results.roofRuns.size());
    }
    QTest::keyClick(window, Qt::Key_Escape);
    QVERIFY(!window->isVisible());
  }

  // As `vitrine FILE` opens it: the machine comes up behind the results.
  void theProgramOpensItsArguments() {
    ShownWindow w;
    w.window.open(file("throughput"));
    w.window.open(file("roofline"));
    QCOMPARE(windowsOf(w.window).size(), 2);
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    QVERIFY(!w.window.messages().isVisible());
    w.window.open(file("throughput"));  // again: read anew, where it is
    QCOMPARE(windowsOf(w.window).size(), 2);
    QCOMPARE(windowsOf(w.window)[0]->files(), 1);
    QCOMPARE(w.window.host().mode(), MachineMode::kPaused);
  }

  void theRunMenuHasIt() {
    ShownWindow w;
    const auto actions = w.window.findChildren<QAction*>();
    QCOMPARE(std::ranges::count_if(actions,
                                   [](const QAction* action) {
                                     return action->shortcut() ==
                                            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B);
                                   }),
             1);
  }

  void droppedFilesOpenSideBySide() {
    ShownWindow w;
    QVERIFY(w.openModel());
    drop(w.window, {file("latency"), file("after")});
    QCOMPARE(windowsOf(w.window).size(), 1);
    BenchResultsWindow* const window = windowsOf(w.window).front();
    QCOMPARE(window->files(), 2);
    QCOMPARE(window->results().tables[0].rows.size(), std::size_t{4});
    QCOMPARE(window->results().charts[0].series.size(), std::size_t{4});
    window->remove(0);
    QCOMPARE(window->files(), 1);
    QCOMPARE(window->results().tables[0].rows.size(), std::size_t{2});
    drop(*window, {file("memory"), file("latency")});
    QCOMPARE(windowsOf(w.window).size(), 2);
    QCOMPARE(window->files(), 2);
  }

  void noMoreFilesThanCanBeTold() {
    QWidget parent;
    BenchOpening opening(&parent);
    BenchResultsWindow* window = nullptr;
    for (int i = 0; i <= BenchResultsWindow::kMostFiles; ++i) {
      const QString copy = m_folder.filePath(QStringLiteral("copy-%1.json").arg(i));
      QFile::copy(file("throughput"), copy);
      window = opening.open(copy);
    }
    QCOMPARE(window->files(), BenchResultsWindow::kMostFiles);
    QVERIFY(window->messages().isVisible());
    QCOMPARE(window->results().charts[0].series.size(), std::size_t{BenchResultsWindow::kMostFiles});
  }

  void damagedFilesAreRefusedWhereTheUserIs() {
    const QString cut = m_folder.filePath("cut.json"), odd = m_folder.filePath("odd.json");
    QFile whole(file("latency"));
    QVERIFY(whole.open(QIODevice::ReadOnly));
    QByteArray bytes = whole.readAll();
    writeTo(cut, bytes.left(bytes.size() / 2));
    writeTo(odd, bytes.replace("\"ttft_ms\"", "\"ttft\""));
    ShownWindow w;
    QVERIFY(w.openModel());
    for (const QString& wrong : {cut, odd}) {
      w.window.open(wrong);
      QVERIFY(w.window.messages().isVisible());
      QVERIFY2(w.window.messages().text().startsWith(QFileInfo(wrong).fileName() + ": "),
               qPrintable(w.window.messages().text()));
    }
    QVERIFY(w.window.messages().text().contains("runs[0].ttft_ms"));
    QVERIFY(windowsOf(w.window).isEmpty());
    w.window.open(file("latency"));
    BenchResultsWindow* const window = windowsOf(w.window).front();
    drop(*window, {cut});
    QVERIFY(window->messages().isVisible() && window->messages().text().startsWith("cut.json"));
    QCOMPARE(window->files(), 1);
    QVERIFY(w.isPaused());
  }

  void aWindowStartedWithADamagedFileGetsTheBuiltInModel() {
    const QString wrong = writeTo(m_folder.filePath("wrong.json"), "{\"bench\":\"latency\"}");
    ShownWindow w;
    w.window.open(wrong);
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    QVERIFY(w.window.messages().isVisible() && w.window.messages().text().contains("wrong.json"));
  }

  void csvHasTheNumbersAndTheirSpreads() {
    QWidget parent;
    BenchOpening opening(&parent);
    BenchResultsWindow* const window = opening.open(file("latency"));
    const BenchResults results = readBenchFile(file("latency").toStdString());
    window->tables().table()->copyCsv();
    const QString csv = QApplication::clipboard()->text();
    QCOMPARE(csv, window->tables().table()->csv());
    const QStringList lines = csv.split("\r\n", Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 3);
    QVERIFY2(lines[0].contains("\"TTFT, ms\"") && lines[0].contains("\"TTFT, ms, standard deviation\""),
             qPrintable(lines[0]));
    const Summary& ttft = *results.tables[0].rows[1][3].spread;
    const QStringList fields = lines[2].split(u',');
    for (const double number : {ttft.mean, ttft.sd, ttft.median, ttft.min, ttft.max})
      QVERIFY2(fields.contains(QVariant(number).toString()), qPrintable(lines[2]));
    const QString saved = m_folder.filePath("saved.csv");
    window->tables().saveCsv(saved);
    QFile in(saved);
    QVERIFY(in.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(in.readAll()), csv);
    QVERIFY_EXCEPTION_THROWN(window->tables().saveCsv(m_folder.filePath("no/such/folder.csv")), EngineError);
  }

  void picturesAreOfTheFigureInSight() {
    QWidget parent;
    BenchOpening opening(&parent);
    BenchResultsWindow* const window = opening.open(file("roofline"));
    QVERIFY(QTest::qWaitForWindowExposed(window));
    for (int figure = 0; figure < window->figures().figures()->count(); ++figure) {
      window->figures().figures()->setCurrentIndex(figure);
      const Picture picture = window->figures().shown()->picture();
      QVERIFY(picture.size.width() > 300 && picture.size.height() > 100);
      const QString svg = m_folder.filePath("figure.svg"), png = m_folder.filePath("figure.png");
      savePicture(picture, svg);
      savePicture(picture, png);
      QVERIFY(QFileInfo(svg).size() > 1000 && QImage(png).width() > 300);
      window->figures().shown()->copyPicture();
      QVERIFY(QApplication::clipboard()->image().width() > 300);
    }
  }

  void headingsExplainTheirTerms() {
    QWidget parent;
    BenchOpening opening(&parent);
    const QAbstractItemModel& table = *opening.open(file("latency"))->tables().table()->model();
    QStringList tips;
    for (int column = 0; column < table.columnCount(); ++column)
      tips << table.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
    QVERIFY2(tips[3].startsWith("TTFT: ") && tips[3].contains("first token"), qPrintable(tips[3]));
    QVERIFY(tips.filter("ITL: ").size() == 3 && tips.filter("prefill: ").size() == 1);
    QVERIFY(table.index(0, 3).data(Qt::ToolTipRole).toString().contains("Measured 2 times"));
  }

  void aHeadingSortsByNumberAndBack() {
    QWidget parent;
    BenchOpening opening(&parent);
    BenchResultsWindow* const window = opening.open(file("quantization"));
    DataTableView& table = *window->tables().table();
    const QStringList before = textsOf(table);
    const int column = 4;  // logits, largest difference: neither rises nor falls as measured
    QVERIFY(!table.isColumnHidden(column));
    const auto numbers = [&] {
      std::vector<double> all;
      for (int row = 0; row < table.model()->rowCount(); ++row)
        all.push_back(table.model()->index(row, column).data(Qt::EditRole).toDouble());
      return all;
    };
    QVERIFY(!std::ranges::is_sorted(numbers()));
    table.sortByColumn(column, Qt::AscendingOrder);
    QVERIFY(std::ranges::is_sorted(numbers()));
    table.sortByColumn(column, Qt::DescendingOrder);
    QVERIFY(std::ranges::is_sorted(numbers(), std::greater()));
    table.sortByColumn(-1, Qt::AscendingOrder);
    QCOMPARE(textsOf(table), before);
  }

  void arrowKeysWalkTheValues() {
    QWidget parent;
    BenchOpening opening(&parent);
    BenchResultsWindow* const window = opening.open(file("latency"));
    QVERIFY(QTest::qWaitForWindowExposed(window));
    FigureView& chart = *window->figures().chart();
    chart.setFocus(Qt::TabFocusReason);
    QTest::keyClick(&chart, Qt::Key_Right);
    QCOMPARE(chart.currentPlace(), 1);
    QVERIFY2(chart.accessibleDescription().startsWith("TTFT, 3: "),
             qPrintable(chart.accessibleDescription()));
    QTest::keyClick(&chart, Qt::Key_Down);
    QVERIFY2(chart.accessibleDescription().startsWith("ITL, 3: "), qPrintable(chart.accessibleDescription()));
    QTest::keyClick(&chart, Qt::Key_Down);
    QTest::keyClick(&chart, Qt::Key_Right);
    QCOMPARE(chart.currentSeries(), 1);
    QCOMPARE(chart.currentPlace(), 1);
    QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, chart.markArea(0, 0).center().toPoint());
    QCOMPARE(chart.currentSeries(), 0);
    QCOMPARE(chart.currentPlace(), 0);
  }

  // Nothing without a name for a screen reader, and everything is reached by Tab.
  void everyPartHasANameAndTheKeyboard() {
    QWidget parent;
    BenchOpening opening(&parent);
    BenchResultsWindow* const window = opening.open(file("latency"));
    opening.open(file("after"));
    QVERIFY(QTest::qWaitForWindowExposed(window));
    QSet<QWidget*> reached;
    for (QWidget* at = window->nextInFocusChain(); !reached.contains(at); at = at->nextInFocusChain())
      reached.insert(at);
    for (auto* view : window->findChildren<PaintedView*>())
      QVERIFY(!view->accessibleName().isEmpty() || !view->isVisible());
    QVERIFY(!window->tables().table()->accessibleName().isEmpty());
    for (QWidget* part : {static_cast<QWidget*>(window->figures().figures()),
                          static_cast<QWidget*>(window->figures().chart()),
                          static_cast<QWidget*>(window->tables().table())}) {
      QVERIFY(reached.contains(part));
      QVERIFY(part->focusPolicy() & Qt::TabFocus);
    }
    // From above to below: the buttons that remove a file before the figures.
    QStringList order;
    QWidget* at = window;
    do {
      if (at->focusPolicy() & Qt::TabFocus && at->isVisible() && at != window) order << at->accessibleName();
      at = at->nextInFocusChain();
    } while (at != window);
    QVERIFY2(order.indexOf("Remove latency") < order.indexOf("Remove after") &&
                 order.indexOf("Remove after") < order.indexOf("Figure") &&
                 order.indexOf("Figure") < order.indexOf("Table"),
             qPrintable(order.join(u'|')));
  }

  // Every figure of every kind is painted in every theme. VITRINE_PICTURES=folder saves the pictures, and
  // VITRINE_BENCH_FILES=a.json:b.json takes these files.
  void everyFigureIsPaintedInEveryTheme() {
    const QString folder = qEnvironmentVariable("VITRINE_PICTURES");
    QStringList files = qEnvironmentVariable("VITRINE_BENCH_FILES").split(u':', Qt::SkipEmptyParts);
    if (files.isEmpty())
      for (const auto& [kind, options] : kBenchKinds) files << file(kind);
    QWidget parent;
    BenchOpening opening(&parent);
    for (const QString& name : files) QVERIFY(opening.open(name) != nullptr);
    for (const ColourScheme scheme :
         {ColourScheme::kLight, ColourScheme::kDark, ColourScheme::kHighContrast}) {
      const Appearance appearance(scheme, 100);
      for (BenchResultsWindow* window : windowsOf(parent))
        for (int figure = 0; figure < window->figures().figures()->count(); ++figure) {
          window->figures().figures()->setCurrentIndex(figure);
          savePictures(*window, folder, QStringLiteral("%1-%2").arg(figure).arg(Appearance::keyOf(scheme)));
          const QImage shown = window->figures().shown()->grab().toImage();
          QCOMPARE(shown.pixelColor(1, 1), Theme::of(window).base());
          QVERIFY(coloursOf(shown) > 8);  // letters alone have more
        }
    }
  }

 private:
  static int coloursOf(const QImage& image) {
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); y += 2)
      for (int x = 0; x < image.width(); x += 2) colours.insert(image.pixel(x, y));
    return static_cast<int>(colours.size());
  }

  static void savePictures(BenchResultsWindow& window, const QString& folder, const QString& name) {
    if (folder.isEmpty()) return;
    for (const QSize size : {QSize(1024, 700), QSize(1920, 1080)}) {
      window.resize(size);
      QTest::qWait(20);
      const QString file = QStringLiteral("%1-%2-%3.png")
                               .arg(QLatin1String(nameOf(window.results().kind)), name)
                               .arg(size.width());
      QVERIFY(window.grab().save(QDir(folder).filePath(file)));
    }
  }
};

QTEST_MAIN(TestBenchResultsWindow)
#include "tst_bench_results_window.moc"
