// Each stage of the sampler against transformers' own processors; tests/golden/README.md says how the goldens
// are made.
#include "sampling/sampler.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>

using namespace vitrine;

namespace {

std::vector<float> logitsFrom(const QJsonArray& row) {
  std::vector<float> logits;
  for (const QJsonValue& value : row)
    logits.push_back(value.isNull() ? -std::numeric_limits<float>::infinity()
                                    : static_cast<float>(value.toDouble()));
  return logits;
}

std::vector<TokenId> idsFrom(const QJsonArray& array) {
  std::vector<TokenId> ids;
  for (const QJsonValue& value : array) ids.push_back(value.toInt());
  return ids;
}

SamplingOptions optionsFrom(const QJsonObject& golden) {
  SamplingOptions options;
  options.repetitionPenalty = golden["repetition_penalty"].toDouble();
  options.presencePenalty = golden["presence_penalty"].toDouble();
  options.frequencyPenalty = golden["frequency_penalty"].toDouble();
  options.temperature = golden["temperature"].toDouble();
  options.topK = golden["top_k"].toInt();
  options.topP = golden["top_p"].toDouble();
  options.minP = golden["min_p"].toDouble();
  return options;
}

// Empty when the stage agrees. With ties at the nucleus' edge only the probabilities count, not whose they
// are.
QString difference(const SamplingStage& stage, const QJsonObject& golden, bool compareIds, double tolerance) {
  const QJsonArray expected = golden["candidates"].toArray();
  if (QString::fromStdString(stage.name) != golden["name"].toString()) return "another stage";
  if (stage.kept != expected.size() || static_cast<int>(stage.top.size()) != expected.size())
    return QString("%1 are left, not %2").arg(stage.kept).arg(expected.size());
  std::vector<std::pair<int, double>> ours, theirs;
  for (qsizetype i = 0; i < expected.size(); ++i) {
    const Candidate& candidate = stage.top[static_cast<std::size_t>(i)];
    const int id = expected[i][0].toInt();
    ours.emplace_back(compareIds ? candidate.token : static_cast<int>(i),
                      static_cast<double>(candidate.probability));
    theirs.emplace_back(compareIds ? id : static_cast<int>(i), expected[i][1].toDouble());
  }
  std::sort(ours.begin(), ours.end());
  std::sort(theirs.begin(), theirs.end());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (ours[i].first != theirs[i].first) return QString("token %1 is not left").arg(theirs[i].first);
    if (!(std::abs(ours[i].second - theirs[i].second) <= tolerance))
      return QString("token %1: %2, not %3").arg(ours[i].first).arg(ours[i].second).arg(theirs[i].second);
  }
  return {};
}

}  // namespace

class TestSamplerGolden : public QObject {
  Q_OBJECT

 private slots:
  void everyStageIsThatOfTransformers() {
    QFile file(QStringLiteral(VITRINE_SOURCE_DIR "/tests/golden/sampler/expected.json"));
    QVERIFY2(file.open(QIODevice::ReadOnly),
             "the golden is missing: run tests/golden/make_goldens.py --only sampler");
    const QJsonObject golden = QJsonDocument::fromJson(file.readAll()).object();
    QCOMPARE(golden["magic"].toString(), QString("vitrine-golden"));
    QCOMPARE(golden["version"].toInt(), 1);
    const double tolerance = golden["tolerance"].toDouble();
    QVERIFY(tolerance > 0 && tolerance <= 1e-5);

    const QJsonArray cases = golden["cases"].toArray();
    QVERIFY(cases.size() >= 60);
    Sampler sampler;
    for (const QJsonValue& value : cases) {
      const QJsonObject item = value.toObject();
      const std::vector<float> logits = logitsFrom(golden["logits"][item["logits"].toString()].toArray());
      QVERIFY(!logits.empty());
      const std::vector<TokenId> prompt = idsFrom(item["prompt"].toArray()),
                                 output = idsFrom(item["generated"].toArray());
      const auto stages = sampler.distribution({logits, {prompt, output}, optionsFrom(item)});
      const QJsonArray expected = item["stages"].toArray();
      QCOMPARE(static_cast<int>(stages.size()), static_cast<int>(expected.size()));
      for (std::size_t i = 0; i < stages.size(); ++i) {
        const bool compareIds = !item["ties"].toBool() || i < 4;
        const QString wrong =
            difference(stages[i], expected[static_cast<qsizetype>(i)].toObject(), compareIds, tolerance);
        QVERIFY2(wrong.isEmpty(),
                 qPrintable(item["name"].toString() + ", " + stages[i].name.c_str() + ": " + wrong));
      }
    }
  }

  void typicalIsThatOfTransformers() {
    QFile file(QStringLiteral(VITRINE_SOURCE_DIR "/tests/golden/sampler/typical.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject golden = QJsonDocument::fromJson(file.readAll()).object();
    const double tolerance = golden["tolerance"].toDouble();
    QVERIFY(tolerance > 0 && tolerance <= 1e-5);
    const QJsonArray cases = golden["cases"].toArray();
    QVERIFY(cases.size() >= 150);
    Sampler sampler;
    for (const QJsonValue& value : cases) {
      const QJsonObject item = value.toObject();
      const std::vector<float> logits = logitsFrom(golden["logits"][item["logits"].toString()].toArray());
      QVERIFY(!logits.empty());
      SamplingOptions options;
      options.temperature = 1;
      options.typicalP = item["mass"].toDouble();
      const auto stages = sampler.distribution({logits, {}, options});
      const SamplingStage& stage = stages.back();
      const QJsonObject expected{{"name", "typical_p"}, {"candidates", item["candidates"]}};
      const QString wrong = difference(stage, expected, true, tolerance);
      QVERIFY2(wrong.isEmpty(), qPrintable(item["name"].toString() + ": " + wrong));
    }
  }
};

QTEST_APPLESS_MAIN(TestSamplerGolden)
#include "tst_sampler_golden.moc"
