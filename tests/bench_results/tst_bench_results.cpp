// Results of every kind: what the command writes is read again and says what it printed; what is damaged or
// hostile is refused with its place.
#include "bench_results/bench_results.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "bench_results/bench_comparison.h"
#include "bench_results/bench_fields.h"
#include "cli/bench_kinds.h"
#include "vitrine/error.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// The words of a printed line, in which columns stand two or more blanks apart.
QStringList wordsOf(const QString& line) {
  static const QRegularExpression gap(QStringLiteral(" {2,}"));
  return line.split(gap, Qt::SkipEmptyParts);
}

QStringList wordsOf(const std::vector<BenchCell>& row) {
  QStringList words;
  for (const BenchCell& cell : row)
    if (!cell.text.empty()) words += QString::fromStdString(cell.text).trimmed();
  return words;
}

QString message(const EngineError& error) { return QString::fromUtf8(error.what()); }

const BenchChart& chartOf(const BenchResults& results, const std::string& figure) {
  for (const BenchChart& chart : results.charts)
    if (chart.figure == figure) return chart;
  qFatal("no chart %s", figure.c_str());
}

}  // namespace

class TestBenchResults : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir m_folder;
  std::map<std::string, QString> m_printed;  // of each kind

  QString file(const std::string& kind) const {
    return m_folder.filePath(QString::fromStdString(kind + ".json"));
  }
  BenchJson json(const std::string& kind) const {
    QFile in(file(kind));
    if (!in.open(QIODevice::ReadOnly)) qFatal("%s", qPrintable(in.errorString()));
    return BenchJson::parse(in.readAll().toStdString());
  }
  BenchResults read(const std::string& kind) const { return readBenchFile(file(kind).toStdString()); }

  static void addKinds() {
    QTest::addColumn<std::string>("kind");
    for (const auto& [kind, options] : kBenchKinds) QTest::newRow(qPrintable(kind)) << kind.toStdString();
  }

 private slots:
  void initTestCase() {
    for (const auto& [kind, options] : kBenchKinds) {
      const CliResult run =
          runCli(QStringList{"bench", kind, "--out", file(kind.toStdString())} + smallBench(0) + options);
      QVERIFY2(run.status == 0, run.err);
      m_printed[kind.toStdString()] = QString::fromUtf8(run.out);
    }
  }

  // The tables of a file are those that the command printed when it wrote the file, cell by cell.
  void tablesAreWhatTheCommandPrinted_data() { addKinds(); }
  void tablesAreWhatTheCommandPrinted() {
    QFETCH(std::string, kind);
    const BenchResults results = read(kind);
    QCOMPARE(std::string(nameOf(results.kind)), kind);
    QCOMPARE(results.model, std::string("llama"));
    QCOMPARE(results.threads, 1);
    QVERIFY(!results.title.empty() && !results.meaning.empty() && !results.tables.empty());
    QStringList expected;
    for (const BenchTable& table : results.tables) {
      QStringList headings;
      for (const BenchColumn& column : table.columns) {
        QVERIFY(!column.name.empty());
        if (!column.heading.empty()) headings += QString::fromStdString(column.heading);
      }
      expected += headings.join(u'|');
      for (const auto& row : table.rows) {
        QCOMPARE(row.size(), table.columns.size());
        expected += wordsOf(row).join(u'|');
      }
    }
    for (const std::string& remark : results.remarks) expected += QString::fromStdString(remark);
    QStringList printed;
    const QStringList remarks =
        expected.mid(expected.size() - static_cast<qsizetype>(results.remarks.size()));
    for (const QString& line : m_printed[kind].split(u'\n', Qt::SkipEmptyParts))
      printed += remarks.contains(line) ? line : wordsOf(line).join(u'|');
    QCOMPARE(printed, expected);
  }

  void showPrintsTheSameAgain_data() { addKinds(); }
  void showPrintsTheSameAgain() {
    QFETCH(std::string, kind);
    const CliResult shown = runCli({"bench", "show", file(kind)});
    QCOMPARE(shown.status, 0);
    QCOMPARE(QString::fromUtf8(shown.out), m_printed[kind]);
  }

  void everyChartHasAValueOrNothingAtEachPlace_data() { addKinds(); }
  void everyChartHasAValueOrNothingAtEachPlace() {
    QFETCH(std::string, kind);
    const BenchResults results = read(kind);
    QVERIFY(!results.charts.empty());
    for (const BenchChart& chart : results.charts) {
      QVERIFY(!chart.figure.empty() && !chart.yLabel.empty() && !chart.places.empty());
      QVERIFY(!chart.series.empty());
      for (const BenchChart::Series& series : chart.series)
        QCOMPARE(series.values.size(), chart.places.size());
    }
  }

  // Numbers are those of the document, not of the rounded texts.
  void numbersAreTheDocuments() {
    const BenchJson latency = json("latency");
    const BenchResults results = read("latency");
    const BenchCell& ttft = results.tables[0].rows[1][3];
    QCOMPARE(results.tables[0].columns[3].name, std::string("TTFT, ms"));
    QCOMPARE(*ttft.number, latency["runs"][1]["ttft_ms"]["mean"].get<double>());
    QCOMPARE(ttft.spread->sd, latency["runs"][1]["ttft_ms"]["sd"].get<double>());
    const auto& itl = chartOf(results, "TTFT and ITL").series[1].values[0];
    QCOMPARE(itl->median, latency["runs"][0]["itl_ms"]["p50"].get<double>());
    QCOMPARE(itl->max, latency["runs"][0]["itl_ms"]["max"].get<double>());
    QVERIFY(itl->min <= itl->median && itl->median <= itl->max && itl->count > 2);
  }

  // One token has no gaps: those cells say so, and their bars are missing.
  void whatWasNotMeasuredHasNoNumber() {
    BenchJson latency = json("latency");
    for (BenchJson& run : latency["runs"]) {
      run.erase("itl_ms");
      run.erase("decode_tokens_per_second");
    }
    const BenchResults results = describeBench(latency);
    QCOMPARE(results.tables[0].rows[0][2].text, std::string("-"));
    QVERIFY(!results.tables[0].rows[0][2].number);
    QVERIFY(!chartOf(results, "TTFT and ITL").series[1].values[0]);
    BenchJson throughput = json("throughput");
    throughput["runs"][0]["against_first"]["max"] = nullptr;  // as an infinite number is written
    QCOMPARE(describeBench(throughput).tables[0].rows[0][3].text, std::string("-"));
  }

  void theRoofIsTheMachinesWithEveryOperation() {
    const BenchJson roofline = json("roofline");
    const BenchResults results = read("roofline");
    QCOMPARE(results.roofRuns.size(), std::size_t{2});
    QCOMPARE(results.roofRuns[1].title, std::string("Decode, 2 requests"));
    QCOMPARE(results.roofRuns[0].title, std::string("Prefill of 12 tokens"));
    const BenchRoofRun& run = results.roofRuns[0];
    QCOMPARE(run.roof.gflops, roofline["peak_gflops"].get<double>());
    QCOMPARE(run.roof.memoryGbps(), roofline["bandwidth_gbps"].get<double>());
    QCOMPARE(run.forward.operations.size(), roofline["runs"][0]["operations"].size());
    for (std::size_t i = 0; i < run.forward.operations.size(); ++i) {
      const RoofPlace place = placeUnder(run.roof, run.forward.operations[i], run.forward);
      const double limit = roofline["runs"][0]["operations"][i]["limit"].get<double>();
      QVERIFY(std::abs(place.limit - limit) <= 1e-9 * limit);  // as the engine's own
    }
  }

  // Operations in int8 stand under the peak of int8, in the file as where they were measured.
  void peaksOfProductsAreRead() {
    BenchJson roofline = json("roofline");
    const double f32 = roofline["peak_gflops"].get<double>();
    roofline["product_peaks"] = {
        {{"peak_of", "int8_in_registers"}, {"gflops", 4 * f32}, {"instructions", "VNNI"}}};
    BenchJson& down = roofline["runs"][0]["operations"][0];
    down["int8_operations"] = down["operations"] = 1'000'000'000;
    down["ms"] = 1e9 / (2 * f32) / 1e6;  // at twice the peak of float32
    const BenchResults results = describeBench(roofline);
    QCOMPARE(results.tables[0].rows[1][0].text, std::string("int8 multiply-adds (VNNI)"));
    QCOMPARE(*results.tables[0].rows[1][1].number, 4 * f32);
    const BenchRoofRun& run = results.roofRuns[0];
    const RoofPlace place = placeUnder(run.roof, run.forward.operations[0], run.forward);
    QVERIFY(place.isComputeBound && std::abs(place.limit - 0.5) < 1e-3);
    QStringList limits;
    for (const auto& row : results.tables[1].rows) limits += QString::fromStdString(row.back().text);
    QVERIFY2(limits.contains("int8 arithmetic"), qPrintable(limits.join(u'|')));
    roofline["product_peaks"][0]["peak_of"] = "magic";
    QVERIFY_EXCEPTION_THROWN(describeBench(roofline), EngineError);
  }

  // A result from before "bench" says its kind by its fields.
  void theKindIsFoundWithoutItsField_data() { addKinds(); }
  void theKindIsFoundWithoutItsField() {
    QFETCH(std::string, kind);
    BenchJson old = json(kind);
    QCOMPARE(old["bench"].get<std::string>(), kind);
    old.erase("bench");
    QCOMPARE(std::string(nameOf(describeBench(old).kind)), kind);
    QVERIFY(looksLikeBenchResults(old.dump()) && looksLikeBenchResults(json(kind).dump()));
  }

  void resultsFromBeforeNewFieldsAreRead() {
    BenchJson latency = json("latency"), roofline = json("roofline");
    for (const char* field : {"min", "max", "count"}) latency["runs"][0]["itl_ms"].erase(field);
    const auto itl = chartOf(describeBench(latency), "TTFT and ITL").series[1].values[0];
    QCOMPARE(itl->count, 1);
    QCOMPARE(itl->max, itl->median);
    roofline.erase("machine");
    roofline["runs"][0].erase("typical_ms");
    const BenchResults old = describeBench(roofline);
    QCOMPARE(old.tables[0].columns[0].heading, old.device);
    QVERIFY(old.roofRuns[0].forward.ns > 0);
  }

  void damageIsRefusedWithItsPlace_data() {
    QTest::addColumn<std::string>("kind");
    QTest::addColumn<std::string>("place");  // a JSON pointer
    QTest::addColumn<std::string>("value");  // empty: the field is missing
    QTest::addColumn<QString>("named");
    const auto add = [](const char* kind, const char* place, const char* value, const char* named) {
      QTest::newRow(qPrintable(QStringLiteral("%1 %2 %3").arg(kind, place, value)))
          << std::string(kind) << std::string(place) << std::string(value) << QString::fromUtf8(named);
    };
    add("latency", "/model", "", "\"model\" must be a text, and is missing");
    add("latency", "/threads", "1.5", "\"threads\" must be a whole number");
    add("latency", "/runs", "", "\"runs\" must be a list");
    add("latency", "/runs", "[]", "\"runs\" must be a list of one entry or more");
    add("latency", "/runs", "{}", "\"runs\" must be a list");
    add("latency", "/runs/1", "7", "\"runs[1]\" must be an object");
    add("latency", "/runs/1/ttft_ms", "", "\"runs[1].ttft_ms\" must be an object");
    add("latency", "/runs/1/ttft_ms/mean", "\"fast\"", "\"runs[1].ttft_ms.mean\" must be a number");
    add("latency", "/runs/1/ttft_ms/mean", "-1", "\"runs[1].ttft_ms.mean\" must be a number from 0");
    add("latency", "/runs/0/peak_rss_bytes", "1e300", "\"runs[0].peak_rss_bytes\" must be a number from 0");
    add("throughput", "/runs/0/concurrency", "", "\"runs[0].concurrency\" must be a number, and is missing");
    add("throughput", "/runs/0/concurrency", "1e12", "\"runs[0].concurrency\" must be at most");
    add("memory", "/phases/0/phase", "[]", "\"phases[0].phase\" must be a text");
    add("memory", "/weight_bytes", "null", "\"weight_bytes\" must be a number");
    add("ablation", "/variants/1/same_answers", "1", "\"variants[1].same_answers\" must be true or false");
    add("ablation", "/remarks", "[1]", "\"remarks\" must be a list of texts");
    add("speculative", "/off", "", "\"off\" must be an object, and is missing");
    add("speculative", "/variants/0/why", "", "\"variants[0].why\" must be a text");
    add("quantization", "/variants/0/divergence", "true", "\"variants[0].divergence\" must be a number");
    add("quantization", "/variants/0/perplexity", "true", "\"variants[0].perplexity\" must be a number");
    add("quantization", "/variants/0/rounding", "7", "\"variants[0].rounding\" must be an object");
    add("quantization", "/variants/0/rounding/divergence", "",
        "\"variants[0].rounding.divergence\" must be a number");
    add("roofline", "/peak_gflops", "0", "\"peak_gflops\" must be a number from");
    add("roofline", "/runs/0/phase", "\"dream\"", "\"runs[0].phase\" must be \"prefill\" or \"decode\"");
    add("roofline", "/runs/0/operations/0/name", "\"magic\"", "\"runs[0].operations[0].name\" must be");
    add("roofline", "/runs/0/operations/1/ms", "1e12", "\"runs[0].operations[1].ms\" must be at most");
    add("roofline", "/bench", "\"dance\"", "\"bench\" is \"dance\", which is none of latency");
    add("roofline", "/bench", "7", "\"bench\" must be a text");
  }
  void damageIsRefusedWithItsPlace() {
    QFETCH(std::string, kind);
    QFETCH(std::string, place);
    QFETCH(std::string, value);
    QFETCH(QString, named);
    BenchJson damaged = json(kind);
    const BenchJson::json_pointer pointer(place);
    if (value.empty())
      damaged.at(pointer.parent_pointer()).erase(pointer.back());
    else
      damaged.at(pointer) = BenchJson::parse(value);
    try {
      readBenchResults(damaged.dump(), "damaged.json");
      QFAIL("it was read");
    } catch (const EngineError& error) {
      QVERIFY2(message(error).startsWith("damaged.json: " + named), qPrintable(message(error)));
      QVERIFY(!error.hint().empty());
    }
  }

  void anOlderQuantizationHasFewerFigures() {
    const BenchResults results = read("quantization");
    const BenchTable table = results.tables.at(0);
    BenchJson older = json("quantization");
    older.erase("remarks");
    for (BenchJson& variant : older["variants"]) {
      for (const char* key : {"perplexity", "perplexity_ratio", "compute", "type", "largest_logit_difference",
                              "mean_logit_difference"})
        QVERIFY(variant.erase(key) == 1);
      for (const char* key : {"rounding", "arithmetic"}) variant.erase(key);
    }
    const BenchResults old = readBenchResults(older.dump(), "older.json");
    QCOMPARE(old.tables.size(), std::size_t{1});
    QCOMPARE(old.tables[0].columns.size() + 3, table.columns.size());
    QCOMPARE(old.tables[0].rows.at(0).size(), old.tables[0].columns.size());
    QCOMPARE(old.remarks.size(), std::size_t{1});
    QCOMPARE(table.rows.at(0).back().text, std::string("0%"));
    QCOMPARE(chartOf(old, "divergence").places[1], std::string("same, int8"));
    QCOMPARE(chartOf(results, "divergence").places[1], std::string("same, f32, KV int8"));
  }

  // A line for each comparison: with the model, and with float32 arithmetic over the same weights.
  void errorsOfQuantizationStandInOneTable() {
    const BenchTable table = read("quantization").tables.at(1);
    QStringList lines;
    for (const auto& row : table.rows) {
      QStringList words;
      for (std::size_t i = 0; i < 4; ++i) words += QString::fromStdString(row[i].text);
      lines += words.join(u'|');
    }
    QCOMPARE(lines.mid(5, 4),
             QStringList({"int8|f32|same|the model", "int8, as int8 reads them|f32|same|the model",
                          "int8|int8|same|f32, these weights", "int8|int8|int8|f32, these weights"}));
    const BenchJson inInt8 = json("quantization")["variants"][6];
    QCOMPARE(*table.rows[6][4].number, inInt8["rounding"]["largest_logit_difference"].get<double>());
    QCOMPARE(*table.rows[7][5].number, inInt8["arithmetic"]["mean_logit_difference"].get<double>());
    QCOMPARE(*table.rows[7][7].number, inInt8["arithmetic"]["same_choice"].get<double>() * 100);
  }

  // Without speed there is no column and no chart of it, and the first chart is the divergence.
  void quantizationWithoutSpeed() {
    BenchJson truth = json("quantization");
    for (BenchJson& variant : truth["variants"])
      for (const char* key : {"tokens_per_second", "speed_up"}) QVERIFY(variant.erase(key) == 1);
    const BenchResults results = describeBench(truth);
    QCOMPARE(results.tables[0].columns.size() + 2, read("quantization").tables[0].columns.size());
    QCOMPARE(results.charts.front().figure, std::string("divergence"));
    QVERIFY(results.charts.front().series[0].values[2]);
  }

  void whatIsNoResultIsRefused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("named");
    QTest::newRow("empty") << QByteArray() << "not JSON";
    QTest::newRow("a list") << QByteArray("[1,2]") << "no benchmark's result";
    QTest::newRow("a number") << QByteArray("1") << "no benchmark's result";
    QTest::newRow("a scenario") << QByteArray("{\"title\":\"x\",\"requests\":[]}") << "no benchmark's result";
    QTest::newRow("cut short") << QByteArray("{\"bench\":\"latency\",\"model\":\"x") << "not JSON";
    QTest::newRow("not UTF-8") << QByteArray("{\"bench\":\"\xff\xfe\"}") << "not JSON";
    QTest::newRow("NaN") << QByteArray("{\"bench\":NaN}") << "not JSON";
    QTest::newRow("too large a number") << QByteArray("{\"bench\":1e999}") << "not JSON";
    QTest::newRow("nested") << QByteArray(100'000, '[') << "nested deeper than";
    QTest::newRow("twice") << QByteArray("{\"bench\":1,\"bench\":2}") << "twice";
    QTest::newRow("failed") << QByteArray(
                                   "{\"error\":{\"code\":\"io\",\"message\":\"no room\",\"hint\":\"\"}}")
                            << "this benchmark failed: no room";
    QTest::newRow("hidden in text") << QByteArray("{\"bench\":\"a\\n\\u0007\"}") << "\"a??\"";
  }
  void whatIsNoResultIsRefused() {
    QFETCH(QByteArray, text);
    QFETCH(QString, named);
    try {
      readBenchResults(text.toStdString(), "what.json");
      QFAIL("it was read");
    } catch (const EngineError& error) {
      QVERIFY2(message(error).contains(named), qPrintable(message(error)));
      QVERIFY(message(error).startsWith("what.json: "));
    }
    looksLikeBenchResults(text.toStdString());  // never throws
  }

  void aScenarioIsNoResult() {
    QVERIFY(!looksLikeBenchResults("{\"title\":\"x\",\"requests\":[{\"id\":\"r\",\"prompt\":\"p\"}]}"));
    QVERIFY(!looksLikeBenchResults("") && !looksLikeBenchResults("{") && !looksLikeBenchResults("nonsense"));
    QVERIFY(looksLikeBenchResults(" {\n \"bench\" : \"latency\", \"model\""));  // cut short
  }

  // A million rows, huge texts and huge files end with an error or cut, in no time to speak of.
  void hostileSizesAreBounded() {
    const BenchJson small = json("latency");
    BenchJson rows = small;
    for (std::size_t i = 0; i < BenchFields::kMostEntries; ++i) rows["runs"].push_back(small["runs"][0]);
    QVERIFY_EXCEPTION_THROWN(describeBench(rows), EngineError);
    std::string million = "{\"bench\":\"latency\",\"model\":\"m\",\"device\":\"d\",\"runs\":[";
    for (int i = 0; i < 1'000'000; ++i) million += i == 0 ? "{}" : ",{}";
    QVERIFY_EXCEPTION_THROWN(readBenchResults(million + "]}", "million"), EngineError);
    BenchJson texts = small;
    texts["model"] = std::string(5'000'000, 'm');
    QVERIFY(describeBench(texts).model.size() < 100);
    QFile huge(m_folder.filePath("huge.json"));
    QVERIFY(huge.open(QIODevice::WriteOnly) && huge.resize(static_cast<qint64>(kMostBenchBytes) + 1));
    huge.close();
    QVERIFY_EXCEPTION_THROWN(readBenchFile(huge.fileName().toStdString()), EngineError);
    QVERIFY_EXCEPTION_THROWN(readBenchFile(m_folder.filePath("missing.json").toStdString()), EngineError);
  }

  // No axis has parts of 1e-320.
  void numbersTooSmallForAnAxisAreNothing() {
    BenchJson tiny = json("throughput");
    for (BenchJson& run : tiny["runs"])
      for (const char* value : {"median", "mean", "sd", "min", "max"})
        run["tokens_per_second"][value] = 5e-324;
    QCOMPARE(describeBench(tiny).charts[0].series[0].values[0]->max, 0.0);
    writeTo(m_folder.filePath("tiny.json"), QByteArray::fromStdString(tiny.dump()));
    const CliResult drawn =
        runCli({"bench", "show", m_folder.filePath("tiny.json"), "--plot", m_folder.filePath("tiny.svg")});
    QCOMPARE(drawn.status, 0);
  }

  void twoResultsStandSideBySide() {
    const BenchResults one = read("latency");
    BenchJson other = json("latency");
    other["runs"].erase(0);  // 3 requests at once alone
    other["runs"][0]["batch"] = 5;
    other["runs"][0].erase("warm_ttft_ms");
    const BenchResults both = compareBenchResults({{"before", one}, {"after", describeBench(other)}});
    const BenchTable& table = both.tables[0];
    QCOMPARE(table.rows.size(), std::size_t{3});
    QCOMPARE(table.rows[0][0].text, std::string("before"));
    QCOMPARE(table.rows[2][0].text, std::string("after"));
    QCOMPARE(table.columns.size(), one.tables[0].columns.size() + 1);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      QCOMPARE(table.rows[i % 3].size(), table.columns.size());
      if (i > 0) QCOMPARE(table.rows[0][i].text, one.tables[0].rows[0][i - 1].text);
    }
    QCOMPARE(table.rows[2][1].text, std::string("5"));
    const BenchChart& chart = both.charts[0];
    QCOMPARE(chart.places, std::vector<std::string>({"1", "3", "5"}));
    QCOMPARE(chart.series.size(), std::size_t{4});
    QCOMPARE(chart.series[0].name, std::string("before: TTFT"));
    QVERIFY(chart.series[0].values[1] && !chart.series[0].values[2]);
    QVERIFY(!chart.series[2].values[0] && chart.series[2].values[2]);
    const BenchResults roofs = compareBenchResults({{"a", read("roofline")}, {"b", read("roofline")}});
    QCOMPARE(roofs.roofRuns.size(), std::size_t{4});
    QCOMPARE(roofs.roofRuns[3].title, std::string("b: Decode, 2 requests"));
  }

  void showComparesFilesOfOneKindOnly() {
    const CliResult both = runCli({"bench", "show", file("throughput"), file("throughput")});
    QCOMPARE(both.status, 0);
    QCOMPARE(both.out.count('\n'), 1 + 2 * 2);
    const CliResult mixed = runCli({"bench", "show", file("throughput"), file("memory")});
    QCOMPARE(mixed.status, 2);
    QVERIFY2(mixed.err.contains("one kind"), mixed.err);
    const CliResult none = runCli({"bench", "show", m_folder.filePath("missing.json")});
    QCOMPARE(none.status, 1);
    QVERIFY2(none.err.contains("missing.json"), none.err);
  }
};

QTEST_GUILESS_MAIN(TestBenchResults)
#include "tst_bench_results.moc"
