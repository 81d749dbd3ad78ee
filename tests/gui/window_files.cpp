#include "gui/window_files.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtEndian>

#include "models/random_weights.h"
#include "vitrine/engine.h"
#include "vitrine/trace.h"

namespace vitrine::test {

namespace {

constexpr int kManyTokens = 400, kFewTokens = 2;

ModelConfig shape() {
  ModelConfig config = randomModelConfig("tiny");
  config.vocabularySize = loadModelConfig(builtinModelDirectory()).vocabularySize;
  config.hiddenSize = 16;
  config.intermediateSize = 24;
  config.contextLength = config.rope.originalContextLength = 1024;
  return config;
}

EngineOptions options() {
  EngineOptions options;
  options.threads = 1;
  options.numBlocks = 256;
  options.blockSize = 4;
  return options;
}

}  // namespace

bool WindowFiles::make() {
  writeModel("tiny", shape());
  writeModel("spoilt", shape());
  spoilWeights("spoilt");
  recordTrace();
  QFile none(noTrace());
  if (!none.open(QIODevice::WriteOnly) || none.write("no trace\n") < 0) return false;
  return writeScenario(longRun(), model(), kManyTokens) && writeScenario(shortRun(), model(), kFewTokens) &&
         writeScenario(failing(), path("spoilt"), kFewTokens);
}

void WindowFiles::writeModel(const char* name, const ModelConfig& config) const {
  const std::filesystem::path folder = path(name).toStdString();
  writeRandomModel(config, folder, 5);
  for (const char* file : {"tokenizer.model", "tokenizer_config.json"})
    std::filesystem::copy_file(builtinModelDirectory() / file, folder / file);
}

// The head's weights stay numbers, but their products are none: the model loads, and each forward fails.
void WindowFiles::spoilWeights(const char* model) const {
  QFile file(path(model) + QStringLiteral("/model.safetensors"));
  if (!file.open(QIODevice::ReadWrite)) qFatal("no weights in %s", qPrintable(file.fileName()));
  const auto headerSize = qFromLittleEndian<qint64>(file.read(8).constData());
  const QJsonObject header = QJsonDocument::fromJson(file.read(headerSize)).object();
  const QJsonArray place = header.value(QStringLiteral("lm_head.weight"))
                               .toObject()
                               .value(QStringLiteral("data_offsets"))
                               .toArray();
  const auto first = place.at(0).toInteger(), last = place.at(1).toInteger();
  if (last <= first) qFatal("the random model has no head");
  file.seek(8 + headerSize + first);
  file.write(QByteArray(static_cast<qsizetype>(last - first), '\x7f'));  // 3.4e38, as float32 and as bfloat16
}

bool WindowFiles::writeScenario(const QString& file, const QString& model, int tokens) const {
  QFile out(file);
  const QString text = QStringLiteral(R"({"model":"%1",
    "options":{"threads":1,"num_blocks":256,"block_size":4},
    "requests":[{"id":"a","token_ids":[11,12,13],"max_tokens":%2,"ignore_eos":true},
                {"id":"b","token_ids":[14,15],"max_tokens":%2,"ignore_eos":true,"arrival_step":1},
                {"id":"c","token_ids":[16],"max_tokens":%2,"ignore_eos":true,"arrival_step":2}]})")
                           .arg(model)
                           .arg(tokens);
  return out.open(QIODevice::WriteOnly) && out.write(text.toUtf8()) > 0;
}

void WindowFiles::recordTrace() const {
  TraceWriter writer(trace().toStdString());
  const std::unique_ptr<Engine> engine = Engine::load(model().toStdString(), options(), writer);
  for (const int first : {21, 31}) {
    Request request;
    request.tokenIds = {first, first + 1};
    request.maxTokens = kManyTokens / 2;
    request.ignoreEos = true;
    engine->submit(std::move(request));
  }
  engine->run();
  writer.finish();
}

}  // namespace vitrine::test
