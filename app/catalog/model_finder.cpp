#include "catalog/model_finder.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <filesystem>
#include <map>
#include <utility>

#include "catalog/catalog_wording.h"
#include "catalog/gguf_name.h"
#include "catalog/hugging_face_cache.h"
#include "catalog/ollama_store.h"
#include "catalog/small_file.h"
#include "vitrine/model_place.h"

namespace vitrine {
namespace {

bool isSafetensors(const QString& name) { return name.endsWith(QLatin1String(".safetensors")); }

class FolderFinder {
 public:
  FolderFinder(const FolderSearch& search, const FinderSink& sink) : m_search(search), m_sink(sink) {}

  // Whether to go deeper.
  bool look(const FolderContent& content) {
    m_content = &content;
    if (content.has("model_index.json")) {
      leaveOut(content.folder, CatalogWording::tr("makes pictures; it is no language model"));
      return false;
    }
    for (const QString& name : content.dangling)
      if (isGgufName(name) || isSafetensors(name))
        leaveOut(path(name),
                 CatalogWording::tr(
                     "leads to a file that is not there: it was deleted, or is not downloaded yet"));
    lookAtFolder();
    lookAtGguf();
    if (m_search.program == ModelProgram::kJan && content.has("model.yml")) lookAtImported();
    return true;
  }

  void leaveOut(const QString& path, const QString& reason) const {
    m_sink.leftOut({m_search.program, path, reason});
  }

 private:
  QString path(const QString& name) const { return m_content->folder + '/' + name; }
  QString relativeFolder() const {
    const QString below = QDir(m_search.root).relativeFilePath(m_content->folder);
    return below == "." ? QString() : below;
  }

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
    m_sink.candidate(
        {m_search.name({relativeFolder(), {}, {}}), m_search.program, m_content->folder, weights, true});
  }

  void lookAtGguf() const {
    std::map<std::pair<QString, int>, QHash<int, QString>> models;  // of a base and its parts: the files
    for (const QString& file : m_content->files) {
      if (!isGgufName(file)) continue;
      const GgufName name = readGgufName(file);
      if (name.isVision)
        leaveOut(path(file),
                 CatalogWording::tr("is the part of a model that sees pictures; this program reads text"));
      else if (file.startsWith(QLatin1String("incomplete-")))
        leaveOut(path(file), CatalogWording::tr("is not downloaded to its end"));
      else
        models[{name.base, name.parts}].insert(name.part, path(file));
    }
    for (const auto& [key, files] : models) addGguf(key.first, key.second, files);
  }

  void addGguf(const QString& base, int parts, const QHash<int, QString>& files) const {
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
    const GgufName name = readGgufName(weights.front());
    ModelCandidate model{m_search.name({relativeFolder(), base, name.quantization}), m_search.program,
                         weights.front(), weights};
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
      if (!line.startsWith("model_path:") || !QDir::isAbsolutePath(file) || !isGgufName(file)) continue;
      if (QFileInfo(file).isFile())
        m_sink.candidate({m_search.name({relativeFolder(), {}, {}}), m_search.program, file, {file}});
      else
        leaveOut(path("model.yml"), CatalogWording::tr("names a file that is not there: %1").arg(file));
    }
  }

  const FolderSearch& m_search;
  const FinderSink& m_sink;
  const FolderContent* m_content = nullptr;
};

// A file as people know it; "model.gguf" is named by its folder, and a snapshot of the Hugging Face cache,
// whose folder is named by a commit, by its repository.
QString plainName(const QString& root, const ModelPlace& place) {
  if (!place.base.isEmpty() && place.base.compare(QLatin1String("model"), Qt::CaseInsensitive) != 0)
    return place.base;
  const QString folder = QDir::cleanPath(root + '/' + place.folder);
  if (folder.section('/', -2, -2) == QLatin1String("snapshots"))
    return QString::fromStdString(modelName(std::filesystem::path(QFile::encodeName(folder).toStdString())));
  return place.folder.isEmpty() ? QDir(root).dirName() : place.folder;
}

// publisher/model, and the quantization behind a colon as llama.cpp and Ollama write it.
QString repositoryName(const QString& root, const ModelPlace& place) {
  const QStringList folders = place.folder.split('/', Qt::SkipEmptyParts);
  if (folders.size() < 2) return plainName(root, place);
  const QString repository = folders[0] + '/' + folders[1];
  if (place.base.isEmpty()) return folders.size() == 2 ? repository : place.folder;
  return repository + ':' + (place.quantization.isEmpty() ? place.base : place.quantization);
}

// llama.cpp puts owner, repository and file into one name with "_" between. Where the owner ends stands in
// the names of its manifests: "manifest=owner=repository=tag.json".
NameModel llamaCppNames(const QString& root) {
  QHash<QString, QString> repositories;  // by the beginning of a file's name
  for (const QString& manifest : QDir(root).entryList({"manifest=*.json"}, QDir::Files)) {
    const QStringList parts = manifest.split('=');
    if (parts.size() == 4) repositories.insert(parts[1] + '_' + parts[2] + '_', parts[1] + '/' + parts[2]);
  }
  return [root, repositories](const ModelPlace& place) {
    for (auto at = repositories.begin(); at != repositories.end(); ++at)
      if (place.base.startsWith(at.key()))
        return at.value() + ':' +
               (place.quantization.isEmpty() ? place.base.mid(at.key().size()) : place.quantization);
    return plainName(root, place);
  };
}

NameModel namesOf(const ModelRoot& root) {
  switch (root.program) {
    case ModelProgram::kVitrine:
    case ModelProgram::kLmStudio:
      return [root](const ModelPlace& place) { return repositoryName(root.folder, place); };
    case ModelProgram::kLlamaCpp:
      return llamaCppNames(root.folder);
    default:
      return [root](const ModelPlace& place) { return plainName(root.folder, place); };
  }
}

}  // namespace

void findModelsBelow(const FolderSearch& search, int depth, int& entries, const FinderSink& sink) {
  FolderFinder finder(search, sink);
  walkFolders(
      search.root, depth, entries,
      {[&](const FolderContent& content) { return finder.look(content); },
       [&](const QString& path, const QString& reason) { finder.leaveOut(path, reason); }, sink.cancelled});
}

void findModels(const ModelRoot& root, int depth, int& entries, const FinderSink& sink) {
  if (root.program == ModelProgram::kHuggingFace)
    return findInHuggingFaceCache(root.folder, depth, entries, sink);
  if (root.program == ModelProgram::kOllama) return findInOllamaStore(root.folder, entries, sink);
  findModelsBelow({root.program, root.folder, namesOf(root)}, depth, entries, sink);
}

}  // namespace vitrine
