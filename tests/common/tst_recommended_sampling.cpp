// The sampling that a model comes with: what is read of its files, and what is not taken.
#include "common/recommended_sampling.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "support/gguf_bytes.h"

using namespace vitrine;

class TestRecommendedSampling : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  std::optional<SamplingOptions> of(const QByteArray& json) {
    QFile file(m_folder.filePath("generation_config.json"));
    if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size()) return std::nullopt;
    file.close();
    return recommendedSampling(m_folder.path().toStdString());
  }

 private slots:
  void aFolderRecommends() {
    const auto found =
        of(R"({"do_sample": true, "temperature": 0.6, "top_k": 20, "top_p": 0.95, "min_p": 0.05,
                             "repetition_penalty": 1.1, "eos_token_id": [1, 2]})");
    QVERIFY(found);
    SamplingOptions wanted;
    wanted.temperature = 0.6;
    wanted.topK = 20;
    wanted.topP = 0.95;
    wanted.minP = 0.05;
    wanted.repetitionPenalty = 1.1;
    QVERIFY(*found == wanted);
  }

  void aFileRecommends() {
    const std::string bytes = test::GgufBytes()
                                  .real("general.sampling.temp", 0.7f)
                                  .number("general.sampling.top_k", 40)
                                  .real("general.sampling.penalty_repeat", 1.25f)
                                  .bytes();
    const QTemporaryDir folder;
    QFile file(folder.filePath("model.gguf"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes.data(), static_cast<qint64>(bytes.size())), static_cast<qint64>(bytes.size()));
    file.close();
    const auto found = recommendedSampling(file.fileName().toStdString());
    QVERIFY(found);
    QVERIFY(qFuzzyCompare(found->temperature, 0.7));
    QCOMPARE(found->topK, 40);
    QCOMPARE(found->repetitionPenalty, 1.25);
    QCOMPARE(found->topP, 1.0);
    QVERIFY(recommendedSampling(folder.path().toStdString()) ==
            found);  // a folder with one file is that file
  }

  void withoutATemperatureItIsOne() {
    QCOMPARE(of(R"({"top_p": 0.8})")->temperature, 1.0);
    QCOMPARE(of(R"({"temperature": 0.0, "top_p": 0.8})")->temperature, 0.0);
    QCOMPARE(of(R"({"do_sample": false, "temperature": 0.7, "top_p": 0.8})")->temperature, 0.0);
  }

  void whatSaysNothingOrIsBrokenRecommendsNothing() {
    QVERIFY(!of(R"({"eos_token_id": 2, "do_sample": true, "temperature": null})"));
    QVERIFY(!of(R"({"temperature": -1})"));
    QVERIFY(!of(R"({"temperature": "hot"})"));
    QVERIFY(!of("{\"temperature\": 0.6"));
    QVERIFY(!of("[]"));
    QVERIFY(QFile::remove(m_folder.filePath("generation_config.json")));
    QVERIFY(!recommendedSampling(m_folder.path().toStdString()));
    QVERIFY(!recommendedSampling(m_folder.filePath("nowhere").toStdString()));
  }
};

QTEST_APPLESS_MAIN(TestRecommendedSampling)
#include "tst_recommended_sampling.moc"
