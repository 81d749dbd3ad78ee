#include "catalog/model_finder.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <map>
#include <string>
#include <utility>

#include "catalog/catalog_wording.h"
#include "catalog/hugging_face_cache.h"
#include "catalog/model_name.h"
#include "catalog/ollama_store.h"
#include "catalog/small_file.h"
#include "vitrine/gguf_name.h"

namespace vitrine {
namespace {

bool isSafetensors(const QString& name) { return name.endsWith(QLatin1String(".safetensors")); }

class FolderFinder {
 public:
  FolderFinder(const ModelRoot& root, const FinderSink& sink) : m_root(root), m_sink(sink) {}

  // Whether to go deeper.
  bool look(const FolderContent& content) {
    m_content = &content;
    if (content.has("model_index.json")) {
      leaveOut(content.folder, CatalogWording::tr("makes pictures; it is no language model"));
      return false;
    }
    for (const QString& name : content.dangling)
      if (isGgufName(name.toStdString()) || isSafetensors(name))
        leaveOut(path(name),
                 CatalogWording::tr(
                     "leads to a file that is not there: it was deleted, or is not downloaded yet"));
    lookAtFolder();
    lookAtGguf();
    if (m_root.program == ModelProgram::kJan && content.has("model.yml")) lookAtImported();
    return true;
  }

  void leaveOut(const QString& path, const QString& reason) const {
    m_sink.leftOut({m_root.program, path, reason});
  }

 private:
  QString path(const QString& name) const { return m_content->folder + '/' + name; }

  void lookAtFolder() const {
    QStringList weights;
    bool isOld = false;
    for (const QString& name : m_content->files) {
      if (isSafetensors(name)) weights.append(path(name));
      isOld =
          isOld || (name.startsWith(QLatin1String("pytorch_model")) && name.endsWith(QLatin1String(".bin")));
    }
    if (m_content->has("adapter_config.json") && !m_content->has("config.json"))
      return leaveOut(
          m_content->folder,
          CatalogWording::tr("is an adapter, which changes another model, and no model of its own"));
    if (!m_content->has("config.json")) return;
    if (weights.isEmpty()) {
      if (isOld)
        leaveOut(
            m_content->folder,
            CatalogWording::tr("has its weights in pytorch_model.bin; only safetensors and GGUF are read"));
      return;
    }
    m_sink.candidate({modelName(m_content->folder), m_root.program, m_content->folder, weights, true});
  }

  void lookAtGguf() const {
    std::map<std::pair<std::string, int>, QHash<int, QString>> models;  // of a base and its parts: the files
    for (const QString& file : m_content->files) {
      if (!isGgufName(file.toStdString())) continue;
      const GgufName name = readGgufName(file.toStdString());
      if (name.isVision)
        leaveOut(path(file),
                 CatalogWording::tr("is the part of a model that sees pictures; this program reads text"));
      else if (file.startsWith(QLatin1String("incomplete-")))
        leaveOut(path(file), CatalogWording::tr("is not downloaded to its end"));
      else
        models[{name.base, name.parts}].insert(name.part, path(file));
    }
    for (const auto& [key, files] : models) addGguf(key.second, files);
  }

  void addGguf(int parts, const QHash<int, QString>& files) const {
    QStringList weights, missing;
    // A name may lie about the number of parts.
    constexpr int kMostParts = 1000;
    for (int part = 1; part <= qMin(parts, kMostParts); ++part) {
      if (files.contains(part))
        weights.append(files[part]);
      else
        missing.append(QString::number(part));
    }
    if (weights.isEmpty()) return;
    ModelCandidate model{modelName(weights.front()), m_root.program, weights.front(), weights};
    if (!missing.isEmpty())
      model.fault =
          CatalogWording::tr("Of its %1 parts these are missing: %2. Download all parts into one folder.")
              .arg(QString::number(parts),
                   missing.mid(0, 8).join(", ") + (missing.size() > 8 ? ", ..." : ""));
    m_sink.candidate(model);
  }

  // Jan leaves a file that is imported where it is, and notes its absolute path.
  void lookAtImported() const {
    for (const QByteArray& line : readSmallFile(path("model.yml")).split('\n')) {
      const QString file = QString::fromUtf8(line.mid(line.indexOf(':') + 1).trimmed());
      if (!line.startsWith("model_path:") || !QDir::isAbsolutePath(file) || !isGgufName(file.toStdString()))
        continue;
      if (QFileInfo(file).isFile())
        m_sink.candidate({modelName(file), m_root.program, file, {file}});
      else
        leaveOut(path("model.yml"), CatalogWording::tr("names a file that is not there: %1").arg(file));
    }
  }

  const ModelRoot& m_root;
  const FinderSink& m_sink;
  const FolderContent* m_content = nullptr;
};

}  // namespace

void findModelsBelow(const ModelRoot& root, int depth, int& entries, const FinderSink& sink) {
  FolderFinder finder(root, sink);
  walkFolders(
      root.folder, depth, entries,
      {[&](const FolderContent& content) { return finder.look(content); },
       [&](const QString& path, const QString& reason) { finder.leaveOut(path, reason); }, sink.cancelled});
}

void findModels(const ModelRoot& root, int depth, int& entries, const FinderSink& sink) {
  if (root.program == ModelProgram::kHuggingFace)
    return findInHuggingFaceCache(root.folder, depth, entries, sink);
  if (root.program == ModelProgram::kOllama) return findInOllamaStore(root.folder, entries, sink);
  findModelsBelow(root, depth, entries, sink);
}

}  // namespace vitrine
