// The shelf of good small models: what is in it is complete and can be opened, and the file that fits a
// machine is the suggested one.
#include <QFile>
#include <QSet>
#include <QTest>

#include "catalog/hub_fit.h"
#include "catalog/hub_shelf.h"

using namespace vitrine;

namespace {

constexpr qint64 kMiB = 1 << 20;

// Its sizes in MiB; no cache.
HubOffer offerOf(const QList<std::pair<QString, qint64>>& files) {
  HubOffer offer{"Model", "owner/model"};
  for (const auto& [path, size] : files) offer.files.append({path, size * kMiB});
  return offer;
}

QString suggestedLabel(const HubOffer& offer, qint64 availableMiB, const HubAddress& wish = {"owner/model"}) {
  QList<HubChoice> choices = hubChoices({offer.repository, "main", offer.files}, wish);
  suggestFitting(choices, wish, offer, {{availableMiB * kMiB}, 0});
  const HubChoice* choice = suggestedChoice(choices);
  return choice == nullptr ? QString() : choice->label;
}

}  // namespace

class TestHubShelf : public QObject {
  Q_OBJECT

 private slots:
  void everyModelOpensAndHasItsFiles() {
    const QList<HubOffer> shelf = hubShelf();
    QCOMPARE(shelf.size(), 12);
    QFile file(":/shelf/models.json");
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().count("\"repository\""), 12);  // none was left out
    QSet<QString> repositories;
    for (const HubOffer& offer : shelf) {
      repositories.insert(offer.repository);
      QCOMPARE(opensHere(offer), OpensHere::kYes);
      const QList<HubChoice> choices = offeredChoices(offer, {{qint64{64} << 30}, 4096});
      QCOMPARE(choices.size(), offer.files.size());
      QVERIFY(suggestedChoice(choices) != nullptr);
      for (const HubChoice& choice : choices) {
        QVERIFY2(choice.isReadable, qPrintable(offer.name + choice.label));
        // Between four and nine bits a weight; a small model's embedding has more than the rest.
        const double bits = 8.0 * double(choice.bytes()) / double(offer.parameters);
        QVERIFY2(bits > 4 && bits < 11, qPrintable(QString("%1: %2").arg(offer.name).arg(bits)));
      }
      QVERIFY(parseHubAddress(offer.repository, QUrl("https://huggingface.co")).address.has_value());
    }
    QCOMPARE(repositories.size(), 12);
    QVERIFY(std::ranges::is_sorted(shelf, {}, &HubOffer::parameters));
  }

  // Keys and values of 28 layers, 8 heads of 128 numbers, in float32.
  void theCacheCounts() {
    const QList<HubOffer> shelf = hubShelf();
    const auto qwen = std::ranges::find(shelf, QString("Qwen/Qwen3-0.6B-GGUF"), &HubOffer::repository);
    QVERIFY(qwen != shelf.end());
    QCOMPARE(qwen->cacheBytesPerToken, 2 * 4 * 28 * 8 * 128);
    const QList<HubChoice> choices = offeredChoices(*qwen, {});
    const ModelEstimate estimate = estimateChoice(*qwen, choices[0], {{kMiB << 10}, 1000});
    QCOMPARE(estimate.weightBytes, choices[0].bytes());
    QCOMPARE(estimate.cacheBytes, qwen->cacheBytesPerToken * 1000);
    QCOMPARE(estimate.fit, ModelFit::kYes);
    QCOMPARE(estimateChoice(*qwen, choices[0], {{kMiB << 10}, 0}).fit, ModelFit::kNo);  // its whole context
  }

  void theFileThatFitsIsSuggested() {
    const HubOffer offer = offerOf({{"m-Q2_K.gguf", 300},
                                    {"m-Q3_K_M.gguf", 400},
                                    {"m-IQ3_XXS.gguf", 450},
                                    {"m-Q4_K_M.gguf", 500},
                                    {"m-Q8_0.gguf", 900}});
    QCOMPARE(suggestedLabel(offer, 4000), "Q4_K_M");
    QCOMPARE(suggestedLabel(offer, 500), "Q4_K_M");  // tightly
    QCOMPARE(suggestedLabel(offer, 460), "Q3_K_M");  // the larger one is not read
    QCOMPARE(suggestedLabel(offer, 350), "Q2_K");
    QCOMPARE(suggestedLabel(offer, 100), "Q4_K_M");  // none fits
    QCOMPARE(suggestedLabel(offer, 0), "Q4_K_M");    // not known
    QCOMPARE(suggestedLabel(offer, 460, {"owner/model", "main", {}, "Q8_0"}), "Q8_0");
    QCOMPARE(suggestedLabel(offer, 460, {"owner/model", "main", "m-Q8_0.gguf"}), "Q8_0");
  }

  void entriesThatLackSomethingAreLeftOut() {
    const QByteArray good = R"({"name":"A","repository":"a/b","family":"llama","parameters":5,"context":9,
      "layers":2,"kvHeads":1,"headDim":4,"files":[{"path":"m-Q8_0.gguf","bytes":6}]})";
    QCOMPARE(readShelf("{\"models\":[" + good + "]}").size(), 1);
    for (const char* lacking : {"\"name\"", "\"repository\"", "\"parameters\"", "\"context\"", "\"layers\"",
                                "\"kvHeads\"", "\"headDim\"", "\"files\"", "\"path\"", "\"bytes\""}) {
      QByteArray other = good;
      other.replace(lacking, "\"x\"");
      QVERIFY2(readShelf("{\"models\":[" + other + "]}").isEmpty(), lacking);
    }
    QVERIFY(readShelf({}).isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestHubShelf)
#include "tst_hub_shelf.moc"
