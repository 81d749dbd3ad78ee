// Pages of metrics in Prometheus' text format and as OpenMetrics: samples, or an error with its line.
#include "connect/metrics_reader.h"

#include <QElapsedTimer>
#include <QTest>
#include <cmath>
#include <limits>

#include "vitrine/error.h"

using namespace vitrine;
using connect::MetricSample;
using connect::readMetrics;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Labels = std::vector<std::pair<std::string, std::string>>;

}  // namespace

class TestMetricsReader : public QObject {
  Q_OBJECT

 private slots:
  void aPageIsItsSamples() {
    const std::vector<MetricSample> samples = readMetrics(
        "# HELP a:b The help has {braces} and 5.\n"
        "# TYPE a:b counter\n"
        "a:b{model=\"x\",engine=\"0\"} 12\n"
        "\n"
        "  \t\n"
        "a:b{model=\"x\",engine=\"1\"} 1.5e+03 1520879607789\n"
        "plain 7\n"
        "# no end of line behind the last\n"
        "last 8");
    QCOMPARE(samples.size(), std::size_t{4});
    QCOMPARE(samples[0].name, std::string("a:b"));
    QCOMPARE(samples[0].labels, (Labels{{"model", "x"}, {"engine", "0"}}));
    QCOMPARE(samples[0].value, 12.0);
    QCOMPARE(*samples[1].label("engine"), std::string("1"));
    QVERIFY(samples[1].label("other") == nullptr);
    QCOMPARE(samples[1].value, 1500.0);
    QCOMPARE(samples[2].name, std::string("plain"));
    QVERIFY(samples[2].labels.empty());
    QCOMPARE(samples[3].value, 8.0);
    QVERIFY(readMetrics("").empty());
    QVERIFY(readMetrics("# EOF").empty());
  }

  void numbersAreReadInAnyForm_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("expected");
    for (const auto& [text, value] :
         std::vector<std::pair<const char*, double>>{{"0", 0},
                                                     {"-3", -3},
                                                     {"+3", 3},
                                                     {"1.7588e+09", 1.7588e9},
                                                     {"2.5E-1", 0.25},
                                                     {"8.128902e+06", 8128902},
                                                     {"9007199254740992", 9007199254740992.0},
                                                     {"+Inf", kInfinity},
                                                     {"-Inf", -kInfinity},
                                                     {"Inf", kInfinity}})
      QTest::newRow(text) << QString(text) << value;
  }
  void numbersAreReadInAnyForm() {
    QFETCH(QString, text);
    QFETCH(double, expected);
    const auto samples = readMetrics("a " + text.toStdString() + "\n");
    QCOMPARE(samples.at(0).value, expected);
  }
  void nanIsANumber() {
    QVERIFY(std::isnan(readMetrics("a NaN").at(0).value));
    QVERIFY(std::isnan(readMetrics("a{b=\"c\"} NaN 5").at(0).value));
  }

  void escapesAndBlanksOfLabelsAreRead() {
    const auto valueOf = [](const std::string& quoted) {
      return readMetrics("a{b=\"" + quoted + "\"} 1").at(0).labels.at(0).second;
    };
    QCOMPARE(valueOf(""), std::string());
    QCOMPARE(valueOf(R"(C:\\dir\\)"), std::string(R"(C:\dir\)"));
    QCOMPARE(valueOf(R"(say \"hi\")"), std::string(R"(say "hi")"));
    QCOMPARE(valueOf(R"(one\ntwo)"), std::string("one\ntwo"));
    QCOMPARE(valueOf(R"(\d)"), std::string(R"(\d)"));  // no escape: as it is
    QCOMPARE(valueOf("} 5 # {,="), std::string("} 5 # {,="));
    QCOMPARE(valueOf("\u00fc \xff"), std::string("\u00fc \xff"));
    const auto samples = readMetrics("\t a { b = \"c\" , d=\"e\", }\t1 \n_x{}2\ny {}  3\t\n");
    QCOMPARE(samples.size(), std::size_t{3});
    QCOMPARE(samples[0].labels, (Labels{{"b", "c"}, {"d", "e"}}));
    QVERIFY(samples[1].labels.empty());
    QCOMPARE(samples[1].value, 2.0);
    QCOMPARE(samples[2].value, 3.0);
  }

  void openMetricsIsRead() {
    const auto samples = readMetrics(
        "# TYPE a counter\n"
        "# UNIT a tokens\n"
        "a_total{b=\"c\"} 5.0 1520879607.789 # {trace_id=\"KOO5S4vxi0o\"} 0.67 1520879607.7\n"
        "a_created{b=\"c\"} 1520430000.123\n"
        "h_bucket{le=\"0.1\"} 8 # {} 0.054\n"
        "# EOF\n");
    QCOMPARE(samples.size(), std::size_t{3});
    QCOMPARE(samples[0].name, std::string("a_total"));
    QCOMPARE(samples[0].value, 5.0);
    QCOMPARE(samples[2].value, 8.0);
  }

  void aLineThatIsNoSampleIsRefused_data() {
    QTest::addColumn<QString>("line");
    for (const char* line : {"<html>",
                             "a",
                             "a ",
                             "a{}",
                             "a{b=\"c\"}",
                             "a b",
                             "a 1 b",
                             "a 1 2 3",
                             "a 1x",
                             "a +-1",
                             "a ++1",
                             "a 0x10",
                             "a 1,5",
                             "a 1e999",
                             "1a 2",
                             "a-b 2",
                             "a{b=\"c\" 1",
                             "a{b=\"c} 1",
                             "a{b=c} 1",
                             "a{b} 1",
                             "a{=\"c\"} 1",
                             "a{1b=\"c\"} 1",
                             "a{b:c=\"d\"} 1",
                             "a{b=\"c\"d=\"e\"} 1",
                             "a{,} 1",
                             "a{b=\"c\",,} 1",
                             "a{b=\"\\",
                             "a{b=\"\\\"",
                             "{\"a\"} 1",
                             "{\"error\":\"not found\"}",
                             "a 1\r",
                             "a1#"})
      QTest::newRow(line) << QString(line);
  }
  void aLineThatIsNoSampleIsRefused() {
    QFETCH(QString, line);
    try {
      readMetrics("# a comment\nb 1\n" + line.toStdString() + "\nc 2\n");
      QFAIL("taken");
    } catch (const EngineError& error) {
      QVERIFY(error.code() == ErrorCode::kFileCorrupt);
      QVERIFY2(QString(error.what()).endsWith("line 3"), error.what());
    }
  }

  void aPageIsBounded() {
    QVERIFY_THROWS_EXCEPTION(EngineError, readMetrics(std::string(connect::kMostMetricBytes + 1, '\n')));
    QVERIFY(readMetrics(std::string(connect::kMostMetricBytes, '\n')).empty());
    std::string many;
    for (std::size_t i = 0; i < connect::kMostMetricSamples; ++i) many += "a 1\n";
    QCOMPARE(readMetrics(many).size(), connect::kMostMetricSamples);
    QVERIFY_THROWS_EXCEPTION(EngineError, readMetrics(many + "a 1\n"));
    std::string labels = "a{";
    for (std::size_t i = 0; i <= connect::kMostMetricLabels; ++i) labels += "a=\"\",";
    QVERIFY_THROWS_EXCEPTION(EngineError, readMetrics(labels + "} 1\n"));
  }

  // Quadratic time would take hours.
  void largePagesTakeLinearTime() {
    QElapsedTimer timer;
    timer.start();
    const std::size_t size = connect::kMostMetricBytes - 100;
    QCOMPARE(readMetrics("a{b=\"" + std::string(size, 'x') + "\"} 1").at(0).labels.at(0).second.size(), size);
    for (const std::string& text :
         {std::string(size, '{'), std::string(size, '\\'), "a{b=\"" + std::string(size, '\\'),
          "a " + std::string(size, '1') + "x", "a{" + std::string(size, ' ')})
      QVERIFY_THROWS_EXCEPTION(EngineError, readMetrics(text));
    QVERIFY2(timer.elapsed() < 30'000, qPrintable(QString::number(timer.elapsed())));
  }
};

QTEST_APPLESS_MAIN(TestMetricsReader)
#include "tst_metrics_reader.moc"
