#include "catalog/model_reading.h"

#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <exception>
#include <filesystem>

#include "catalog/catalog_wording.h"
#include "catalog/small_file.h"
#include "vitrine/error.h"
#include "vitrine/inspect.h"

namespace vitrine {
namespace {

std::filesystem::path enginePath(const QString& path) { return QFile::encodeName(path).toStdString(); }

QString mainType(const InspectedModel& model) {
  QHash<QString, qint64> bytes;
  for (const InspectedTensor& tensor : model.tensors)
    bytes[QString::fromStdString(tensor.type)] += tensor.bytes;
  QString main;
  for (auto at = bytes.begin(); at != bytes.end(); ++at)
    if (main.isEmpty() || at.value() > bytes[main]) main = at.key();
  return main;
}

// The engine keeps the embedding of a folder twice when it is the head too: as rows, and packed for products.
// Of a GGUF file it keeps one.
qint64 bytesInMemory(const InspectedModel& model) {
  qint64 bytes = model.bytes;
  if (model.tiedEmbeddings && model.container == "folder" && !model.tensors.empty())
    bytes += model.tensors.front().bytes;
  return bytes;
}

void takeOver(const InspectedModel& inspected, FoundModel& model) {
  model.opens = true;
  model.family = QString::fromStdString(inspected.family);
  model.parameters = inspected.parameters;
  model.contextLength = inspected.contextLength;
  model.quantization = mainType(inspected);
  model.weightBytes = bytesInMemory(inspected);
  model.bytesReadPerToken = inspected.bytesReadPerToken;
  model.cacheBytesPerToken = inspected.kvBytesPerToken;
  model.headDim = inspected.headDim;
}

using Keys = QHash<QString, QString>;

Keys keysOf(const QString& file) {
  Keys keys;
  try {
    for (const auto& [name, value] : inspectKeys(enginePath(file)))
      keys.insert(QString::fromStdString(name), QString::fromStdString(value));
  } catch (const EngineError&) {
    // What is wrong is said by inspectModel().
  }
  return keys;
}

// What a GGUF file holds that is no language model; empty for one.
QString otherPurpose(const Keys& keys) {
  const QString type = keys.value("general.type");
  if (keys.value("general.architecture") == "clip" || type == "mmproj")
    return CatalogWording::tr("is the part of a model that sees pictures; this program reads text");
  if (type == "adapter")
    return CatalogWording::tr("is an adapter, which changes another model, and no model of its own");
  if (type == "imatrix") return CatalogWording::tr("helps to quantize a model, and is none");
  if (type == "vocab") return CatalogWording::tr("has a vocabulary without weights");
  return {};
}

// Family and context of a model that the engine refuses.
void describeRefused(const Keys& keys, FoundModel& model) {
  if (model.isFolder) {
    const QJsonObject config = QJsonDocument::fromJson(readSmallFile(model.path + "/config.json")).object();
    model.family = config["model_type"].toString(config["architectures"][0].toString());
    model.contextLength = qMax(0, config["max_position_embeddings"].toInt());
    return;
  }
  model.family = keys.value("general.architecture");
  model.contextLength = qMax(0, keys.value(model.family + ".context_length").toInt());
}

QString sentence(const EngineError& error) {
  QString text = QString::fromUtf8(error.what());
  if (!text.endsWith('.')) text += '.';
  return error.hint().empty() ? text : text + ' ' + QString::fromStdString(error.hint());
}

void open(const ModelCandidate& candidate, FoundModel& model) {
  if (!candidate.fault.isEmpty()) {
    model.reason = candidate.fault;
    return;
  }
  try {
    takeOver(inspectModel(enginePath(candidate.path)), model);
  } catch (const EngineError& error) {
    model.reason = sentence(error);
  } catch (const std::exception& error) {
    model.reason = CatalogWording::tr("It cannot be read: %1.").arg(QString::fromLocal8Bit(error.what()));
  }
}

}  // namespace

FoundModel sizesOf(const std::filesystem::path& path) {
  FoundModel model;
  takeOver(inspectSizes(path), model);
  return model;
}

std::variant<FoundModel, LeftOut> describeModel(const ModelCandidate& candidate) {
  FoundModel model{candidate.name, candidate.program, candidate.path, candidate.isFolder,
                   int(candidate.weights.size())};
  for (const QString& file : candidate.weights) model.bytes += QFileInfo(file).size();
  const Keys keys = candidate.isFolder ? Keys() : keysOf(candidate.path);
  if (const QString purpose = otherPurpose(keys); !purpose.isEmpty())
    return LeftOut{candidate.program, candidate.path, purpose};
  open(candidate, model);
  if (model.opens) return model;
  // Deleted between being found and being read.
  if (!QFileInfo::exists(candidate.weights.front()))
    return LeftOut{candidate.program, candidate.path, CatalogWording::tr("is not there any more")};
  describeRefused(keys, model);
  return model;
}

}  // namespace vitrine
