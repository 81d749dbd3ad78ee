// vitrine --bench-window with small numbers: it runs to its end and prints every figure. It compares no
// times.
#include "gui/drivers/bench_window.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QStandardPaths>
#include <QTest>
#include <cmath>

#include "support/window_bench.h"

using namespace vitrine;

namespace {

// One value, or many.
const QMap<QString, bool> kFigures = {{"cold_start_window_ms", false},
                                      {"cold_start_ready_ms", false},
                                      {"resident_start_mib", false},
                                      {"step_to_paint_ms", true},
                                      {"full_speed_frame_ms", true},
                                      {"full_speed_events_per_second", false},
                                      {"events_frame_ms", true},
                                      {"blocks_frame_ms", true},
                                      {"scrub_ms", true},
                                      {"lanes_frame_ms", true},
                                      {"text_frame_ms", true},
                                      {"batch_frame_ms", true},
                                      {"layers_frame_ms", true},
                                      {"beams_frame_ms", true},
                                      {"speculation_frame_ms", true},
                                      {"prefix_tree_frame_ms", true},
                                      {"attention_map_ms", false},
                                      {"blocks_scrub_ms", true},
                                      {"resume_ms", false},
                                      {"resident_end_mib", false}};

}  // namespace

class TestBenchWindow : public QObject {
  Q_OBJECT

 private:
  test::WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }

  void itPrintsEveryFigure() {
    BenchWindowOptions options;
    options.seconds = 0.4;
    options.presses = 5;
    options.blocks = 512;
    options.steps = 60;
    options.jumps = 6;
    options.patienceMs = 50'000;
    const BenchReport report = benchWindow(options);
    const QJsonObject json = QJsonDocument::fromJson(report.json()).object();
    QCOMPARE(json.size(), kFigures.size());
    for (const BenchFigure& figure : report.figures()) {
      QVERIFY2(kFigures.contains(figure.key), qPrintable(figure.key));
      QVERIFY2(!figure.values.empty(), qPrintable(figure.key));
      for (const double value : figure.values)
        QVERIFY2(value > 0 && std::isfinite(value), qPrintable(figure.key));
      QVERIFY2(report.table().contains(figure.words), qPrintable(figure.words));
      QCOMPARE(json[figure.key].isDouble(), figure.values.size() == 1);
      QVERIFY2(kFigures[figure.key] || figure.values.size() == 1, qPrintable(figure.key));
    }
    QCOMPARE(json["scrub_ms"]["count"].toInt(), options.jumps);
    QCOMPARE(json["step_to_paint_ms"]["count"].toInt(), options.presses);
    QVERIFY(json["cold_start_ready_ms"].toDouble() >= json["cold_start_window_ms"].toDouble());
  }

  void theTableHasPercentiles() {
    BenchReport report;
    report.add({"many", "many of them", "ms", {1, 2, 3, 4, 100}});
    report.add({"one", "a single one", "MiB", {7}});
    const QStringList lines = report.table().split('\n');
    QCOMPARE(lines[1].simplified(), QString("many of them, ms 3.00 80.80 100 5"));
    QCOMPARE(lines[2].simplified(), QString("a single one, MiB 7.00"));
    const QJsonObject json = QJsonDocument::fromJson(report.json()).object();
    QCOMPARE(json["many"]["p50"].toDouble(), 3.0);
    QCOMPARE(json["many"]["max"].toDouble(), 100.0);
    QCOMPARE(json["one"].toDouble(), 7.0);
  }
};

QTEST_MAIN(TestBenchWindow)
#include "tst_bench_window.moc"
