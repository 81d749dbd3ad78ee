#include "catalog/ollama_store.h"

#include <QFile>
#include <QFileInfo>
#include <QSet>
#include <string>

#include "catalog/catalog_wording.h"
#include "vitrine/ollama_manifest.h"

namespace vitrine {
namespace {

std::string inBytes(const QString& path) { return QFile::encodeName(path).toStdString(); }

class OllamaStore {
 public:
  explicit OllamaStore(const FinderSink& sink) : m_sink(sink) {}

  void readManifest(const QString& folder, const QString& path) {
    const OllamaManifest manifest = readOllamaManifest(inBytes(folder), inBytes(path));
    const QString name = QString::fromStdString(manifest.name);
    if (m_names.contains(name)) return;  // an older manifest of the same model
    if (manifest.fault != OllamaManifest::Fault::kNone) return leaveOut(path, reasonOf(manifest.fault));
    const QString blob = QFile::decodeName(manifest.weights.c_str());
    if (!QFileInfo(blob).isFile())
      return leaveOut(path, CatalogWording::tr("names weights that are not there: %1").arg(blob));
    m_names.insert(name);
    m_sink.candidate({name, ModelProgram::kOllama, blob, {blob}});
  }

  void leaveOut(const QString& path, const QString& reason) const {
    m_sink.leftOut({ModelProgram::kOllama, path, reason});
  }

 private:
  static QString reasonOf(OllamaManifest::Fault fault) {
    switch (fault) {
      case OllamaManifest::Fault::kNone:
        break;
      case OllamaManifest::Fault::kUnnamed:
        return CatalogWording::tr("is no manifest of a model: its path names none");
      case OllamaManifest::Fault::kNoLayers:
        return CatalogWording::tr("is a broken manifest: it lists no layers");
      case OllamaManifest::Fault::kInTensors:
        return CatalogWording::tr("keeps each tensor in a file of its own, which is not read");
      case OllamaManifest::Fault::kNoWeights:
        return CatalogWording::tr("has no weights on this computer");
      case OllamaManifest::Fault::kNoDigest:
        return CatalogWording::tr("is a broken manifest: a digest in it is none");
    }
    return {};
  }

  QSet<QString> m_names;
  const FinderSink& m_sink;
};

}  // namespace

void findInOllamaStore(const QString& root, int& entries, const FinderSink& sink) {
  OllamaStore store(sink);
  for (const char* manifests : kOllamaManifests) {
    const QString folder = root + '/' + QLatin1String(manifests);
    walkFolders(
        folder, kOllamaDepth, entries,
        {[&](const FolderContent& content) {
           for (const QString& file : content.files) {
             if (sink.cancelled()) return false;
             store.readManifest(folder, content.folder + '/' + file);
           }
           return true;
         },
         [&](const QString& path, const QString& reason) { store.leaveOut(path, reason); }, sink.cancelled});
  }
}

}  // namespace vitrine
