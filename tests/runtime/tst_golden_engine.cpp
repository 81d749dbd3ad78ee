// The whole engine against Hugging Face, over both kinds of kernels: every golden model's logits, hidden
// states and 64 greedy tokens, the tokens through the scheduler with chunks and small blocks.
#include "support/golden_engine.h"
// Engine headers stand before Qt's, whose macros take the name `slots`.
#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace vitrine;
using namespace vitrine::test;

Q_DECLARE_METATYPE(vitrine::Kernels)

namespace {

const std::filesystem::path kGoldens = VITRINE_SOURCE_DIR "/tests/golden";

QByteArray contentOf(const std::filesystem::path& path) {
  QFile file(QString::fromStdString(path.string()));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::vector<TokenId> idsOf(const QJsonArray& list) {
  std::vector<TokenId> ids;
  for (const auto& id : list) ids.push_back(id.toInt());
  return ids;
}

std::vector<ChatMessage> messagesOf(const QJsonArray& list) {
  std::vector<ChatMessage> messages;
  for (const auto& item : list) {
    const QString role = item[u"role"].toString();
    messages.push_back({role == "system" ? ChatRole::kSystem
                        : role == "user" ? ChatRole::kUser
                                         : ChatRole::kAssistant,
                        item[u"content"].toString().toStdString()});
  }
  return messages;
}

}  // namespace

class TestGoldenEngine : public QObject {
  Q_OBJECT

 private slots:
  void everyModel_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<Kernels>("kernels");
    int models = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kGoldens / "models")) {
      const QString name = QString::fromStdString(entry.path().filename().string());
      QTest::addRow("%s, ours", qPrintable(name)) << name << Kernels::kNative;
      QTest::addRow("%s, libtorch's", qPrintable(name)) << name << Kernels::kReference;
      ++models;
    }
    QVERIFY2(models >= 14, "goldens are missing: see tests/golden/README.md");
  }
  void everyModel() {
    QFETCH(QString, model);
    QFETCH(Kernels, kernels);
    const std::filesystem::path directory = kGoldens / "models" / model.toStdString();
    const Golden golden = Golden::load(directory / "expected.safetensors");
    EventQueue unheard;
    if (kernels == Kernels::kReference) {
      NEEDS_TORCH();
    }
    const auto engine = loadGolden(directory, kernels, unheard);

    const std::vector<TokenId> prompt = tokensOf(golden, "input_ids");
    const ForwardReport report = engine->examine(prompt, true);
    const auto& logits = golden.floats("logits");
    const std::size_t vocabulary = static_cast<std::size_t>(logits.shape.at(1));
    QCOMPARE(report.logits.size(), prompt.size());
    for (std::size_t row = 0; row < prompt.size(); ++row) {
      const double worst =
          worstDifference(report.logits[row], std::span(logits.values).subspan(row * vocabulary, vocabulary));
      QVERIFY2(worst <= golden.tolerance(), qPrintable(QString("position %1: %2").arg(row).arg(worst)));
    }
    const int layers = engine->description().model.layers;
    QCOMPARE(int(report.hidden.size()), layers + 1);
    for (int layer = 0; layer <= layers; ++layer) {
      const auto& expected = golden.floats("hidden." + std::to_string(layer));
      const double worst = worstDifference(report.hidden[std::size_t(layer)], expected.values);
      QVERIFY2(worst <= golden.tolerance(), qPrintable(QString("layer %1: %2").arg(layer).arg(worst)));
    }
    QCOMPARE(greedyTokens(*engine, prompt, 64), tokensOf(golden, "greedy"));
  }

  // libsentencepiece carries a protobuf of its own under the names of the one that libtorch links: together
  // in one process they must not meet.
  void unigramModelsAndLibtorchLiveTogether() {
    const auto tokenizer = loadTokenizer(kGoldens / "tokenizers/sp-unigram");
    const std::vector<TokenId> before = tokenizer->encode("A story about a fox.", true);
    EventQueue unheard;
    NEEDS_TORCH();
    const auto engine = loadGolden(kGoldens / "models/llama", Kernels::kReference, unheard);
    QCOMPARE(greedyTokens(*engine, {1, 2, 3}, 4).size(), std::size_t{4});
    QCOMPARE(tokenizer->encode("A story about a fox.", true), before);
    QCOMPARE(loadTokenizer(kGoldens / "tokenizers/sp-unigram")->encode("A story about a fox.", true), before);
  }

  void theBuiltinModel() {
    const Golden golden = Golden::load(kGoldens / "builtin/expected.safetensors");
    EventQueue unheard;
    const auto engine = loadGolden(builtinModelDirectory(), Kernels::kNative, unheard);
    const std::vector<TokenId> prompt = tokensOf(golden, "input_ids");
    const ForwardReport report = engine->examine(prompt, false);
    const auto& last = golden.floats("logits_last");
    const std::size_t rows = std::size_t(last.shape.at(0)), vocabulary = std::size_t(last.shape.at(1));
    for (std::size_t row = 0; row < rows; ++row) {
      const double worst = worstDifference(report.logits.at(prompt.size() - rows + row),
                                           std::span(last.values).subspan(row * vocabulary, vocabulary));
      QVERIFY2(worst <= golden.tolerance(), qPrintable(QString("row %1: %2").arg(row).arg(worst)));
    }
    const std::vector<TokenId> likeliest = tokensOf(golden, "argmax");
    for (std::size_t i = 0; i < prompt.size(); ++i) {
      const auto& row = report.logits[i];
      QCOMPARE(TokenId(std::max_element(row.begin(), row.end()) - row.begin()), likeliest[i]);
    }
    QCOMPARE(greedyTokens(*engine, prompt, 64), tokensOf(golden, "greedy"));
  }

  // The shipped folder alone gives transformers the same prompts, token by token, and the same answers.
  void theBuiltinModelsChats() {
    const QByteArray golden = contentOf(kGoldens / "builtin/chats.json");
    const QJsonObject chats = QJsonDocument::fromJson(golden).object();
    const QByteArray weights = contentOf(builtinModelDirectory() / "model.safetensors");
    QCOMPARE(chats["weights_sha256"].toString().toLatin1(),
             QCryptographicHash::hash(weights, QCryptographicHash::Sha256).toHex());
    const QJsonArray cases = chats["cases"].toArray();
    QVERIFY2(cases.size() >= 12, "goldens are missing: see tests/golden/README.md");
    EventQueue unheard;
    const auto engine = loadGolden(builtinModelDirectory(), Kernels::kNative, unheard);
    for (const auto& item : cases) {
      Request request;
      request.prompt = engine->chatFormat().render({messagesOf(item[u"messages"].toArray())}).text;
      request.addSpecialTokens = engine->chatFormat().addsSpecialTokens();
      request.maxTokens = chats["max_tokens"].toInt();
      QCOMPARE(engine->tokenizer()->encode(request.prompt, request.addSpecialTokens),
               idsOf(item[u"prompt_ids"].toArray()));
      const RequestId id = engine->submit(request);
      engine->run();
      const RequestResult result = engine->takeResult(id);
      QCOMPARE(result.sequences.at(0).tokenIds, idsOf(item[u"answer_ids"].toArray()));
      QCOMPARE(QString::fromStdString(result.sequences.at(0).text), item[u"answer"].toString());
    }
  }
};

QTEST_APPLESS_MAIN(TestGoldenEngine)
#include "tst_golden_engine.moc"
