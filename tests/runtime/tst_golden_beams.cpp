// Beam search through the whole engine against transformers' generate(): the same tokens, and scores within
// the golden's tolerance. tests/golden/README.md says how it was made.
#include "vitrine/engine.h"
// Engine headers stand before Qt's, whose macros take the name `slots`.
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

using namespace vitrine;

namespace {

const QString kGoldens = QStringLiteral(VITRINE_SOURCE_DIR "/tests/golden/");

QByteArray bytesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::vector<TokenId> idsFrom(const QJsonValue& array) {
  std::vector<TokenId> ids;
  for (const QJsonValue& value : array.toArray()) ids.push_back(value.toInt());
  return ids;
}

// The model's directory with other end tokens, beside the same weights.
bool copyWithEnds(const QString& model, const QJsonArray& ends, const QString& to) {
  const QDir from(kGoldens + "models/" + model);
  for (const QString& name : from.entryList(QDir::Files)) {
    if (name.endsWith(".safetensors") && name != "expected.safetensors")
      if (!QFile::link(from.filePath(name), to + '/' + name)) return false;
  }
  for (const char* name : {"config.json", "generation_config.json"}) {
    QJsonObject config = QJsonDocument::fromJson(bytesOf(from.filePath(name))).object();
    config["eos_token_id"] = ends.isEmpty() ? QJsonArray{0} : ends;  // without any, the request ignores it
    QFile file(to + '/' + name);
    if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(config).toJson()) < 0) return false;
  }
  return true;
}

Request requestFrom(const QJsonObject& golden) {
  Request request;
  request.tokenIds = idsFrom(golden["prompt"]);
  request.beamWidth = golden["num_beams"].toInt();
  request.sequences = golden["num_return_sequences"].toInt();
  request.maxTokens = golden["max_new_tokens"].toInt();
  request.lengthPenalty = golden["length_penalty"].toDouble();
  request.sampling.repetitionPenalty = golden["repetition_penalty"].toDouble();
  request.ignoreEos = golden["eos_token_ids"].toArray().isEmpty();
  const QJsonValue early = golden["early_stopping"];
  request.earlyStopping = early.isString() ? EarlyStopping::kNever
                          : early.toBool() ? EarlyStopping::kYes
                                           : EarlyStopping::kHeuristic;
  return request;
}

}  // namespace

class TestGoldenBeams : public QObject {
  Q_OBJECT

 private slots:
  void theWeightsAreThoseOfTheGolden() {
    const QJsonObject digests = golden()["weights_sha256"].toObject();
    QVERIFY(digests.size() >= 4);
    for (const QString& model : digests.keys()) {
      QCryptographicHash hash(QCryptographicHash::Sha256);
      const QDir directory(kGoldens + "models/" + model);
      for (const QString& name : directory.entryList({"*.safetensors"}, QDir::Files, QDir::Name))
        if (name != "expected.safetensors" && name != "inside.safetensors")
          hash.addData(bytesOf(directory.filePath(name)));
      QVERIFY2(hash.result().toHex() == digests[model].toString().toLatin1(), qPrintable(model));
    }
  }

  void everyCaseIsThatOfTransformers() {
    const double tolerance = golden()["tolerance"].toDouble();
    QVERIFY(tolerance > 0 && tolerance <= 1e-4);
    const QJsonArray cases = golden()["cases"].toArray();
    QVERIFY(cases.size() >= 40);
    std::set<int> widths;
    for (const QJsonValue& value : cases) {
      const QJsonObject item = value.toObject();
      widths.insert(item["num_beams"].toInt());
      compare(item, tolerance);
      if (QTest::currentTestFailed()) QFAIL(qPrintable(item["name"].toString()));
    }
    QCOMPARE(widths, (std::set<int>{1, 2, 3, 4, 5, 8, 16}));
  }

 private:
  static const QJsonObject& golden() {
    static const QJsonObject read =
        QJsonDocument::fromJson(bytesOf(kGoldens + "beams/expected.json")).object();
    return read;
  }

  static void compare(const QJsonObject& item, double tolerance) {
    QTemporaryDir directory;
    QVERIFY(copyWithEnds(item["model"].toString(), item["eos_token_ids"].toArray(), directory.path()));
    EngineOptions options;
    options.threads = 1;
    options.blockSize = 4;
    options.tokenBudget = 24;
    EventQueue unheard;
    const auto engine = Engine::load(directory.path().toStdString(), options, unheard);
    const RequestId id = engine->submit(requestFrom(item));
    engine->run();
    const RequestResult result = engine->takeResult(id);
    const QJsonArray sequences = item["sequences"].toArray(), scores = item["sequences_scores"].toArray();
    QCOMPARE(static_cast<qsizetype>(result.sequences.size()), sequences.size());
    for (qsizetype i = 0; i < sequences.size(); ++i) {
      const SequenceResult& got = result.sequences[static_cast<std::size_t>(i)];
      QCOMPARE(got.tokenIds, idsFrom(sequences[i]));
      // A length penalty below 0 multiplies the sum of logprobs, and what float32 lost of it, by a large
      // number.
      const auto length = static_cast<double>(got.tokenIds.size());
      const double magnified = std::max(1.0, std::pow(length, -item["length_penalty"].toDouble()));
      QVERIFY2(std::abs(got.score - scores[i].toDouble()) <= tolerance * magnified,
               qPrintable(QString("answer %1: %2, not %3").arg(i).arg(got.score).arg(scores[i].toDouble())));
    }
  }
};

QTEST_APPLESS_MAIN(TestGoldenBeams)
#include "tst_golden_beams.moc"
