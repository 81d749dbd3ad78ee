// bench: the format of its output, and that its numbers agree with each other. No test compares speeds.
#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include "cli/bench_kinds.h"
#include "support/on_pretended_gpu.h"

using namespace vitrine::test;

namespace {

const QStringList kSmall = smallBench(1);

// kSmall, but for the options that `more` gives itself.
QStringList with(const QStringList& more) {
  QStringList options;
  for (qsizetype i = 0; i < kSmall.size(); i += 2)
    if (!more.contains(kSmall[i])) options += kSmall.mid(i, 2);
  return options + more;
}

QJsonObject bench(const QString& kind, const QStringList& more = {}) {
  const CliResult result = runCli(QStringList{"bench", kind, "--json"} + with(more));
  if (result.status != 0) qWarning("%s", result.err.constData());
  return result.json();
}

// A summary of so many positive values.
bool isSummary(const QJsonValue& value, int count) {
  const QJsonObject s = value.toObject();
  const double min = s["min"].toDouble(), median = s["median"].toDouble(), max = s["max"].toDouble();
  return s["count"].toInt() == count && min > 0 && min <= median && median <= max &&
         min <= s["mean"].toDouble() && s["mean"].toDouble() <= max && s["sd"].toDouble() >= 0;
}

bool arePercentiles(const QJsonValue& value) {
  const double p50 = value["p50"].toDouble(), p95 = value["p95"].toDouble(), p99 = value["p99"].toDouble();
  return p50 > 0 && p50 <= p95 && p95 <= p99;
}

// "int8 f32 same" of each variant of bench quantization: weights, arithmetic and KV.
QStringList formsOf(const QJsonArray& variants) {
  QStringList forms;
  for (const QJsonValue variant : variants)
    forms +=
        variant["weights"].toString() + ' ' + variant["compute"].toString() + ' ' + variant["kv"].toString();
  return forms;
}

constexpr const char* kFigures[] = {
    "largest_logit_difference", "mean_logit_difference", "divergence", "same_choice", "perplexity",
    "perplexity_ratio"};

bool isDifference(const QJsonObject& compared) {
  const double largest = compared["largest_logit_difference"].toDouble(),
               mean = compared["mean_logit_difference"].toDouble(), same = compared["same_choice"].toDouble(),
               perplexity = compared["perplexity"].toDouble();
  for (const char* key : kFigures)
    if (!compared[QLatin1String(key)].isDouble()) return false;
  return largest >= mean && mean >= 0 && same > 0 && same <= 1 && compared["divergence"].toDouble() >= 0 &&
         perplexity > 1 && perplexity < 320;  // guessing among all tokens
}

bool isNoDifference(const QJsonObject& compared) {
  return compared["largest_logit_difference"] == 0 && compared["mean_logit_difference"] == 0 &&
         compared["divergence"] == 0 && compared["same_choice"] == 1 && compared["perplexity_ratio"] == 1;
}

}  // namespace

class TestCliBench : public QObject {
  Q_OBJECT

 private slots:
  void latency() {
    const QJsonObject json = bench("latency", {"--batch", "1,3", "--warm"});
    QCOMPARE(json["model"].toString(), QString("llama"));
    QVERIFY(!json["device"].toString().isEmpty());
    QCOMPARE(json["runs"].toArray().size(), 2);
    for (const QJsonValue run : json["runs"].toArray()) {
      for (const char* figure : {"prefill_tokens_per_second", "decode_tokens_per_second", "ttft_ms",
                                 "end_to_end_ms", "warm_ttft_ms", "warm_speed_up"})
        QVERIFY2(isSummary(run[QLatin1String(figure)], 2), figure);
      QVERIFY(arePercentiles(run["itl_ms"]));
      QVERIFY(run["end_to_end_ms"]["max"].toDouble() > run["ttft_ms"]["min"].toDouble());
      QVERIFY(run["peak_rss_bytes"].toDouble() > 1 << 20);
    }
    QCOMPARE(json["runs"][0]["batch"].toInt(), 1);
    QCOMPARE(json["runs"][1]["batch"].toInt(), 3);
  }

  void oneTokenHasNoGapsAndNoDecodeToReport() {
    const QJsonObject json = bench("latency", {"--batch", "1", "--max-tokens", "1"});
    const QJsonObject run = json["runs"][0].toObject();
    QVERIFY(isSummary(run["ttft_ms"], 2));
    QVERIFY(!run.contains("itl_ms") && !run.contains("decode_tokens_per_second") &&
            !run.contains("warm_ttft_ms"));
  }

  void throughput() {
    const QJsonObject json = bench("throughput", {"--concurrency", "1,4", "--requests", "4"});
    QCOMPARE(json["runs"].toArray().size(), 2);
    for (const QJsonValue run : json["runs"].toArray()) {
      QVERIFY(isSummary(run["requests_per_second"], 2) && isSummary(run["tokens_per_second"], 2));
      QVERIFY(isSummary(run["against_first"], 2) && arePercentiles(run["itl_ms"]));
      // Every request generates six tokens.
      const double each =
          run["tokens_per_second"]["mean"].toDouble() / run["requests_per_second"]["mean"].toDouble();
      QVERIFY2(std::abs(each - 6) < 1e-6, qPrintable(QString::number(each)));
    }
    QCOMPARE(json["runs"][0]["against_first"]["max"].toDouble(), 1.0);
    QCOMPARE(json["runs"][0]["most_sequences_in_a_step"].toInt(), 1);
    QCOMPARE(json["runs"][1]["most_sequences_in_a_step"].toInt(), 4);
  }

  void memory() {
    const QJsonObject json = bench("memory", {"--batch", "2"});
    const double perToken = json["kv_bytes_per_token"].toDouble(), pool = json["kv_pool_bytes"].toDouble();
    QVERIFY(json["weight_bytes"].toDouble() > 0 && perToken > 0);
    QCOMPARE(pool, perToken * 2 * 20);  // two sequences of 18 tokens, in blocks of four
    // The last token drawn is never computed.
    QCOMPARE(json["kv_peak_bytes_used"].toDouble(), perToken * 2 * 20);
    QStringList names;
    for (const QJsonValue phase : json["phases"].toArray()) {
      names += phase["phase"].toString();
      QVERIFY(isSummary(phase["resident_bytes"], names.last() == "load" ? 1 : 2));
      QVERIFY(phase["peak_bytes"]["max"].toDouble() >= phase["resident_bytes"]["min"].toDouble());
    }
    QCOMPARE(names, QStringList({"load", "prefill", "decode"}));
  }

  void ablationRemovesOneAfterAnotherAndNoAnswerChanges() {
    const QJsonObject json = bench("ablation", {"--requests", "4", "--at-once", "3"});
    QStringList names;
    for (const QJsonValue variant : json["variants"].toArray()) {
      names += variant["name"].toString();
      QVERIFY(isSummary(variant["tokens_per_second"], 2) && isSummary(variant["ttft_ms"], 2));
      if (names.size() == 1) continue;
      QVERIFY2(isSummary(variant["speed_ratio"], 2), qPrintable(names.last()));
      if (names.last() != "flash-attention")
        QVERIFY2(variant["same_answers"].toBool(), qPrintable(names.last()));
    }
    QCOMPARE(names.first(), QString("everything"));
    for (const char* name :
         {"continuous-batching", "batching", "paging", "prefix-cache", "chunked-prefill", "flash-attention"})
      QVERIFY2(names.contains(name), name);
    QVERIFY(!names.contains("speculation"));  // it was not on
    QVERIFY(json["remarks"].toVariant().toStringList().join(' ').contains("speculation is not measured"));
  }

  void ablationOfSome() {
    const QJsonObject json = bench("ablation", {"--without", "batching", "--num-blocks", "9"});
    QCOMPARE(json["variants"].toArray().size(), 2);
    QCOMPARE(json["num_blocks"].toInt(), 9);
    QCOMPARE(json["variants"][1]["name"].toString(), QString("batching"));
    const CliResult wrong = runCli(QStringList{"bench", "ablation", "--without", "gravity"} + kSmall);
    QCOMPARE(wrong.status, 2);
    QVERIFY(wrong.err.contains("gravity"));
  }

  void speculative() {
    const QJsonObject json = bench("speculative", {"--lengths", "1,3", "--exits", "1"});
    QVERIFY(isSummary(json["off"]["tokens_per_second"], 2));
    QCOMPARE(json["variants"].toArray().size(), 2);
    for (const QJsonValue variant : json["variants"].toArray()) {
      const int length = variant["draft_length"].toInt();
      QVERIFY(variant["same_answers"].toBool());  // greedy
      QVERIFY(isSummary(variant["speed_up"], 2));
      QCOMPARE(variant["positions"].toArray().size(), length);
      double accepted = 0, judged = 0, before = 1e9;
      for (const QJsonValue at : variant["positions"].toArray()) {
        QVERIFY(at["accepted"].toInt() <= at["judged"].toInt() && at["judged"].toInt() <= before);
        before = at["accepted"].toInt();  // only what follows an accepted token is looked at
        accepted += at["accepted"].toInt();
        judged += at["judged"].toInt();
      }
      QVERIFY(judged > 0);
      QCOMPARE(variant["acceptance"].toDouble(), accepted / judged);
      QVERIFY(variant["mean_accepted_length"].toDouble() <= length);
      QVERIFY(variant["relative_cost"].toDouble() > 0);
      QVERIFY(!variant["why"].toString().isEmpty());
    }
  }

  // Drawn answers are those without drafts too, unless they are drawn by rejection sampling.
  void speculativeDraws() {
    for (const QString& rule : {QStringLiteral("same-draw"), QStringLiteral("rejection")}) {
      const QJsonObject json = bench("speculative", {"--lengths", "3", "--exits", "1", "--temperature", "0.8",
                                                     "--draft-acceptance", rule});
      QCOMPARE(json["draft_acceptance"].toString(), rule);
      QCOMPARE(json["temperature"].toDouble(), 0.8);
      QCOMPARE(json["variants"][0]["same_answers"].toBool(), rule == "same-draw");
    }
    const CliResult wrong = runCli(QStringList{"bench", "speculative", "--top-p", "2"} + kSmall);
    QCOMPARE(wrong.status, 2);
    QVERIFY(wrong.err.contains("--top-p"));
  }

  // The model is in float32, so its weights in float32 arithmetic are the model itself.
  void quantization() {
    const QJsonObject json = bench("quantization");
    const QJsonArray variants = json["variants"].toArray();
    QCOMPARE(formsOf(variants),
             QStringList({"same f32 same", "same f32 int8", "bf16 f32 same", "bf16 bf16 same", "f16 f32 same",
                          "int8 f32 same", "int8 int8 same", "int8 int8 int8", "int4 f32 same",
                          "int4 int8 same", "int4 int8 int8"}));
    const double first = variants[0]["perplexity"].toDouble();
    for (const QJsonValue variant : variants) {
      QVERIFY(isSummary(variant["tokens_per_second"], 2) && isSummary(variant["speed_up"], 2));
      const bool isModel = variant == variants[0];
      QCOMPARE(variant["perplexity"].toDouble() == first, isModel);
      QCOMPARE(variant["perplexity_ratio"].toDouble(), variant["perplexity"].toDouble() / first);
      QCOMPARE(isNoDifference(variant.toObject()), isModel);
      // Float32 arithmetic is what the others are compared with.
      const bool isInFloats = variant["compute"] == "f32" && variant["kv"] == "same";
      QCOMPARE(variant.toObject().contains("arithmetic"), !isInFloats);
      for (const char* key : {"rounding", "arithmetic"})
        if (const QJsonObject compared = variant[QLatin1String(key)].toObject(); !compared.isEmpty()) {
          QVERIFY2(isDifference(compared), key);
          QCOMPARE(isNoDifference(compared), isModel);
        }
      if (isInFloats)
        for (const char* key : kFigures)
          QCOMPARE(variant["rounding"][QLatin1String(key)], variant[QLatin1String(key)]);
    }
    QVERIFY(variants[8]["divergence"].toDouble() >
            variants[5]["divergence"].toDouble());  // fewer bits, farther off
    QVERIFY(variants[1]["kv_bytes_per_token"].toInt() < variants[0]["kv_bytes_per_token"].toInt());
    QCOMPARE(variants[1]["weight_bytes"], variants[0]["weight_bytes"]);
    QVERIFY(variants[5]["weight_bytes"].toDouble() < variants[2]["weight_bytes"].toDouble());
    QVERIFY(variants[8]["weight_bytes"].toDouble() < variants[5]["weight_bytes"].toDouble());
  }

  // What products in int8 read is rounded in wider groups than float32 arithmetic's weights, and has a line
  // of its own; with the line of what the arithmetic adds it comes to what the variant is off in all.
  void roundingAndArithmeticAreToldApart() {
    const QJsonArray variants = bench("quantization", {"--no-speed"})["variants"].toArray();
    for (const int inFloats : {5, 8}) {
      const QJsonValue rounding = variants[inFloats]["rounding"], inInt8 = variants[inFloats + 1],
                       wider = inInt8["rounding"], arithmetic = inInt8["arithmetic"];
      QVERIFY(wider["mean_logit_difference"] != rounding["mean_logit_difference"]);
      QCOMPARE(arithmetic["perplexity"], inInt8["perplexity"]);
      const double before = wider["perplexity"].toDouble(), after = arithmetic["perplexity"].toDouble();
      QVERIFY(std::abs(arithmetic["perplexity_ratio"].toDouble() - after / before) < 1e-12);
      const auto mean = [](const QJsonValue& value) { return value["mean_logit_difference"].toDouble(); };
      QVERIFY(mean(inInt8) <= mean(wider) + mean(arithmetic));
      QVERIFY(mean(inInt8) >= mean(wider) - mean(arithmetic));
      // The activations' 8 bits, 0.4 % of a product, on logits that spread by 10.
      QVERIFY2(mean(arithmetic) > 1e-3 && mean(arithmetic) < 0.2, QByteArray::number(mean(arithmetic)));
      QVERIFY(!variants[inFloats + 2].toObject().contains("rounding"));  // the same numbers, KV in int8
    }
  }

  // Speed takes rounds; the error is the same in each of them.
  void truthAloneIsTheSame() {
    const QJsonArray all = bench("quantization")["variants"].toArray(),
                     truth = bench("quantization", {"--no-speed"})["variants"].toArray();
    QCOMPARE(formsOf(truth), formsOf(all));
    for (int i = 0; i < truth.size(); ++i) {
      QVERIFY(!truth[i].toObject().contains("tokens_per_second") &&
              !truth[i].toObject().contains("speed_up"));
      for (const char* key : {"rounding", "arithmetic", "divergence", "perplexity", "weight_bytes"})
        QCOMPARE(truth[i][QLatin1String(key)], all[i][QLatin1String(key)]);
    }
  }

  // A file that is there is measured as one that is written for it, which does not stay.
  void quantizationOfTypesAndFiles() {
    const QString file = m_folder.filePath("eight.gguf");
    QCOMPARE(runCli({"quantize", goldenModel("llama"), "--type", "q8_0", "--out", file}).status, 0);
    const QTemporaryDir temporary;
    qputenv("TMPDIR", temporary.path().toLocal8Bit());
    const QJsonArray variants =
        bench("quantization", {"--no-speed", "--types", "q8_0,int4", "--files", file})["variants"].toArray();
    qunsetenv("TMPDIR");
    QVERIFY(QDir(temporary.path()).isEmpty());
    QCOMPARE(formsOf(variants).mid(11),
             QStringList({"gguf q8_0 f32 same", "gguf q8_0 int8 same", "gguf int4 f32 same",
                          "gguf int4 int8 same", "eight f32 same", "eight int8 same"}));
    for (int i = 0; i < 2; ++i) {
      QJsonObject written = variants[11 + i].toObject(), there = variants[15 + i].toObject();
      written.remove("weights");
      there.remove("weights");
      QCOMPARE(written, there);
      QCOMPARE(there["type"].toString(), QString("Q8_0"));
    }
  }

  // Q4_K has blocks of 256, wider than this model: its file holds float16, and there is no arithmetic in
  // int8.
  void whatCannotBeMeasuredIsNamed() {
    const QJsonObject json = bench("quantization", {"--no-speed", "--types", "q4_k"});
    QCOMPARE(formsOf(json["variants"].toArray()).mid(11), QStringList("gguf q4_k f32 same"));
    const QJsonArray remarks = json["remarks"].toArray();
    QCOMPARE(remarks.size(), 1);
    QVERIFY2(
        remarks[0].toString().contains("gguf q4_k weights in int8") && remarks[0].toString().contains("F16"),
        qPrintable(remarks[0].toString()));
  }

  // --compute leaves that arithmetic beside float32's.
  void quantizationOfOneArithmetic() {
    const auto forms = [](const QStringList& more) {
      return formsOf(bench("quantization", QStringList("--no-speed") + more)["variants"].toArray());
    };
    QCOMPARE(forms({"--compute", "f32"}),
             QStringList({"same f32 same", "same f32 int8", "bf16 f32 same", "f16 f32 same", "int8 f32 same",
                          "int8 f32 int8", "int4 f32 same", "int4 f32 int8"}));
    QVERIFY(!forms({"--compute", "int8"}).contains("bf16 bf16 same"));
    QVERIFY(forms({"--compute", "bf16"}).contains("bf16 bf16 same"));
    // A model in blocks has none of the float forms.
    QCOMPARE(
        forms({"--model", QStringLiteral(VITRINE_SOURCE_DIR "/tests/golden/gguf/mistral.gguf")}),
        QStringList({"same f32 same", "same int8 same", "same int8 int8", "int8 f32 same", "int8 int8 same",
                     "int8 int8 int8", "int4 f32 same", "int4 int8 same", "int4 int8 int8"}));
  }

  void peopleGetATableAndProgressStaysOnStandardError() {
    for (const char* kind : {"latency", "throughput", "memory", "ablation", "quantization", "roofline"}) {
      const CliResult result = runCli(QStringList{"bench", kind} + kSmall);
      QVERIFY2(result.status == 0, result.err);
      QVERIFY(result.out.count('\n') >= 3);
      QVERIFY2(result.err.contains(kind) && result.err.contains("warm-up"), result.err);
      QVERIFY(!result.out.contains("warm-up"));
    }
  }

  void charts() {
    const QString svg = m_folder.filePath("t.svg"), png = m_folder.filePath("t.png");
    QVERIFY(!bench("throughput", {"--concurrency", "1,2", "--plot", svg}).isEmpty());
    QFile file(svg);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    int boxes = 0;
    QStringList texts;
    while (!xml.atEnd()) {
      xml.readNext();
      boxes += xml.isStartElement() && xml.name() == QLatin1String("rect") ? 1 : 0;
      if (xml.isCharacters()) texts += xml.text().toString();
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QCOMPARE(boxes, 1 + 2);  // the ground and a mark for each number of clients
    QVERIFY(texts.contains("Throughput of llama") && texts.contains("tokens a second"));

    const CliResult result = runCli(QStringList{"bench", "latency", "--plot", png, "--json"} + kSmall);
#ifndef VITRINE_HAS_CAIRO
    QCOMPARE(result.json()["error"][u"code"].toString(), "unavailable");
    QSKIP("configured without cairo (package libcairo2-dev)");
#endif
    QVERIFY2(result.status == 0, result.err);
    QFile picture(png);
    QVERIFY(picture.open(QIODevice::ReadOnly));
    QVERIFY(picture.readAll().startsWith("\x89PNG\r\n\x1a\n"));
  }

  void wrongUsageIsNamed_data() {
    QTest::addColumn<QStringList>("more");
    QTest::addColumn<QByteArray>("named");
    const auto add = [](const QStringList& more, const char* named) {
      QTest::newRow(qPrintable(more.join(' '))) << more << QByteArray(named);
    };
    add({"latency", "--batch", "1,none"}, "none");
    add({"latency", "--batch", "0"}, "--batch");
    add({"latency", "--repeat", "0"}, "--repeat");
    add({"latency", "--plot", "x.gif"}, "x.gif");
    add({"throughput", "--concurrency", ""}, "--concurrency");
    add({"memory", "--batch", "0"}, "--batch");
    add({"speculative", "--lengths", "99"}, "draft-length");
    add({"quantization", "--types", "q8_0,q9"}, "q9");
    add({"quantization", "--files", QStringLiteral(VITRINE_SOURCE_DIR "/tests/golden/gguf/mistral.gguf")},
        "another model");
    add({"roofline", "--batch", "x"}, "--batch");
    add({"roofline", "--max-tokens", "1"}, "--max-tokens");
    add({"dance"}, "subcommand");
  }
  void wrongUsageIsNamed() {
    QFETCH(QStringList, more);
    QFETCH(QByteArray, named);
    QStringList arguments = QStringList{"bench"} + more;
    if (more.size() > 1) arguments += QStringList{"--model", goldenModel("llama")};
    const CliResult result = runCli(arguments);
    QCOMPARE(result.status, 2);
    QVERIFY2(result.err.contains(named), result.err);
    QCOMPARE(result.out, QByteArray());
  }

  void roofline() {
    const QJsonObject json = bench("roofline", {"--batch", "1,3"});
    for (const char* key : {"model", "device", "threads"}) QVERIFY2(json.contains(QLatin1String(key)), key);
    QVERIFY(json["peak_gflops"].toDouble() > 0 && json["bandwidth_gbps"].toDouble() > 0);
    QVERIFY(!json["cache_bandwidth"].toArray().isEmpty());
    const QJsonArray runs = json["runs"].toArray();
    QCOMPARE(runs.size(), 3);
    const int rows[] = {12, 1, 3};
    for (int i = 0; i < 3; ++i) {
      const QJsonValue run = runs[i];
      QCOMPARE(run["phase"].toString(), QString(i == 0 ? "prefill" : "decode"));
      QCOMPARE(run["batch"].toInt(), i < 2 ? 1 : 3);
      QCOMPARE(run["prompt_tokens"].toInt(), 12);
      QVERIFY(run["forward_ms"]["median"].toDouble() > 0);
      checkOperations(run["operations"].toArray(), rows[i], json);
    }
    QCOMPARE(runs[0]["forward_ms"]["count"].toInt(), 2);  // a prompt in each round
    // Five steps of each round; in the second run the other prompts are computed first.
    QVERIFY(runs[1]["forward_ms"]["count"].toInt() >= 2 * 5);
    QVERIFY(runs[2]["forward_ms"]["count"].toInt() >= 2 * 5);
  }

  // Products in int8 and bf16 stand under their own peaks, and everything else under float32's.
  void rooflineOfTheArithmeticOfProducts() {
    const auto check = [](const QStringList& options, const QString& arithmetic) {
      const QJsonObject json = bench("roofline", QStringList{"--batch", "1"} + options);
      QCOMPARE(json["peak_of"].toString(), QString("f32_in_registers"));
      const QJsonArray peaks = json["product_peaks"].toArray();
      QCOMPARE(peaks.size(), 1);
      QCOMPARE(peaks[0]["peak_of"].toString(), arithmetic + "_in_registers");
      QVERIFY(!peaks[0]["instructions"].toString().isEmpty());
      for (const QJsonValue value : json["runs"][0]["operations"].toArray()) {
        const QJsonObject one = value.toObject();
        const bool isProduct =
            QStringList{"qkv", "output", "gate_up", "down", "head"}.contains(one["name"].toString());
        QCOMPARE(one.contains(arithmetic + "_operations"), isProduct);
        if (!isProduct) continue;
        QCOMPARE(one[arithmetic + "_operations"], one["operations"]);
        QVERIFY(one["limit"].toDouble() >=
                one["gflops"].toDouble() / peaks[0]["gflops"].toDouble() * (1 - 1e-9));
      }
    };
    check({"--weights", "int8", "--compute", "int8"}, "int8");
    check({"--dtype", "bf16", "--compute", "bf16"}, "bf16");
    QVERIFY(!bench("roofline", {"--batch", "1"}).contains("product_peaks"));
  }

  // The limits are the GPU's, and the operations stand under them.
  void rooflineOfAGpu() {
    const OnPretendedGpu gpu;
    const QJsonObject json = bench("roofline", {"--batch", "3", "--device", "cuda"});
    QCOMPARE(json["device"].toString(), QString("Pretended GPU"));
    QCOMPARE(json["machine"]["instructions"].toString(), QString("Pretended GPU"));
    QCOMPARE(json["threads"].toInt(), 0);
    QCOMPARE(json["peak_of"].toString(), QString("bf16_products"));
    QCOMPARE(json["peak_gflops"].toDouble(), 250'000.0);
    QCOMPARE(json["bandwidth_gbps"].toDouble(), 3000.0);
    const QJsonArray runs = json["runs"].toArray();
    QCOMPARE(runs.size(), 2);
    for (const QJsonValue run : runs)
      for (const QJsonValue operation : run["operations"].toArray())
        QVERIFY(operation["limit"].toDouble() < 0.5);  // a CPU that pretends
    const CliResult printed = runCli(QStringList{"bench", "roofline"} + with({"--device", "cuda"}));
    for (const char* words : {"Pretended GPU ", "bfloat16 products", "copying memory", "of the GPU's memory"})
      QVERIFY2(printed.out.contains(words), printed.out);
    QVERIFY2(!printed.out.contains("thread"), printed.out);
  }

  // Each kind tells the most of a GPU's memory that each of its runs took, and nothing on the CPU.
  void everyKindTellsTheGpusPeak_data() {
    QTest::addColumn<QString>("kind");
    for (const auto& [kind, options] : kBenchKinds) QTest::newRow(qPrintable(kind)) << kind;
  }
  void everyKindTellsTheGpusPeak() {
    QFETCH(QString, kind);
    const QStringList options = kBenchKinds.at(kind);
    const auto peaks = [](const QJsonObject& json) {
      std::vector<double> bytes;
      QJsonArray runs;
      for (const char* list : {"runs", "variants", "phases"})
        for (const QJsonValue run : json[QLatin1String(list)].toArray()) runs.append(run);
      if (json.contains("off")) runs.append(json["off"]);
      for (const QJsonValue run : runs) bytes.push_back(run["device_peak_bytes"].toDouble());
      return bytes;
    };
    for (const double bytes : peaks(bench(kind, options))) QCOMPARE(bytes, 0.0);
    const OnPretendedGpu gpu;
    const std::vector<double> bytes = peaks(bench(kind, options + QStringList{"--device", "cuda"}));
    QVERIFY(!bytes.empty());
    for (const double one : bytes) QVERIFY2(one > 10'000, QByteArray::number(one));
    const CliResult printed =
        runCli(QStringList{"bench", kind} + with(options + QStringList{"--device", "cuda"}));
    QVERIFY2(printed.out.contains(kind == "roofline" ? "of the GPU's memory" : "GPU MiB"), printed.out);
  }

  void rooflineIsDrawn() {
    const QString svg = m_folder.filePath("roof.svg");
    QVERIFY(!bench("roofline", {"--batch", "2", "--plot", svg}).isEmpty());
    QFile file(svg);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    int discs = 0;
    QStringList texts;
    while (!xml.atEnd()) {
      xml.readNext();
      if (xml.isStartElement() && xml.name() == QLatin1String("circle"))
        discs +=
            xml.attributes().value(QLatin1String("r")).toDouble() > 2 ? 1 : 0;  // less: the dot of a leader
      if (xml.isCharacters()) texts += xml.text().toString();
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QCOMPARE(discs, 2 * 9);  // of two runs, for what computes: all but embed, store KV and other
    for (const char* text : {"Decode, 2 requests", "Prefill of 12 tokens", "attention", "gate-up", "GFLOP/s"})
      QVERIFY2(texts.contains(QLatin1String(text)), text);
    QVERIFY(!texts.filter(QStringLiteral(" GB/s at ")).isEmpty());
  }

  void aRequestLargerThanThePoolFails() {
    const CliResult result = runCli(QStringList{"bench", "latency", "--json", "--num-blocks", "2"} + kSmall);
    QCOMPARE(result.status, 1);
    QVERIFY2(result.err.contains("KV blocks"), result.err);
  }

 private:
  // The golden model has 3 layers, hidden 64, inner 112, 4 heads and 2 of KV with 16, 320 tokens, in float32.
  static void checkOperations(const QJsonArray& operations, int rows, const QJsonObject& machine) {
    const double peak = machine["peak_gflops"].toDouble();
    QMap<QString, QJsonObject> named;
    double shares = 0;
    for (const QJsonValue value : operations) {
      const QJsonObject one = named[value["name"].toString()] = value.toObject();
      const double ms = one["ms"].toDouble(), flop = one["operations"].toDouble(),
                   bytes = one["bytes"].toDouble();
      shares += one["share"].toDouble();
      if (ms == 0) continue;  // an embedding of one row, between two ticks of the clock
      QVERIFY(std::abs(one["gflops"].toDouble() - flop / ms / 1e6) < 1e-9 * peak);
      QVERIFY(std::abs(one["gbps"].toDouble() - bytes / ms / 1e6) < 1e-9 * one["gbps"].toDouble() + 1e-12);
      QVERIFY(one["limit"].toDouble() >= one["gflops"].toDouble() / peak * (1 - 1e-9));
      QVERIFY(bytes == 0 || std::abs(one["operations_per_byte"].toDouble() - flop / bytes) < 1e-9);
    }
    QVERIFY2(std::abs(shares - 1) < 1e-9, qPrintable(QString::number(shares)));
    QCOMPARE(named.size(), 12);
    const int logits = rows == 12 ? 1 : rows;  // of a prompt those of its last token
    const QMap<QString, qint64> flops = {{"qkv", 3 * rows * 2 * 64 * 128},
                                         {"output", 3 * rows * 2 * 64 * 64},
                                         {"gate_up", 3 * rows * 2 * 64 * 224},
                                         {"down", 3 * rows * 2 * 112 * 64},
                                         {"head", logits * 2 * 64 * 320},
                                         {"gate", 3 * rows * 4 * 112},
                                         {"embed", 0},
                                         {"store_kv", 0}};
    for (auto kind = flops.begin(); kind != flops.end(); ++kind)
      QCOMPARE(named[kind.key()]["operations"].toDouble(), static_cast<double>(kind.value()));
    QCOMPARE(named["gate_up"]["bytes"].toDouble(), 3 * 4.0 * (64 * 224 + rows * (64 + 224)));
    if (rows == 12)  // 78 pairs of a query and a key
      QCOMPARE(named["attention"]["operations"].toDouble(), 3 * 4.0 * 78 * 64);
    QCOMPARE(named["norms"]["calls"].toInt(), 1 + 2 * 3);
  }

  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliBench)
#include "tst_cli_bench.moc"
