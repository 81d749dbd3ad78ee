#include "catalog/ollama_store.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>

#include "catalog/catalog_wording.h"
#include "catalog/small_file.h"

namespace vitrine {
namespace {

// host/namespace/model/tag, the usual host and namespace left out.
QString nameOf(const QString& manifest) {
  QStringList parts = manifest.split('/');
  if (parts.size() != 4) return {};
  parts[0].replace("%3A", ":", Qt::CaseInsensitive);  // a port
  QString name = parts[2] + ':' + parts[3];
  const bool isUsualHost = parts[0] == "registry.ollama.ai" || parts[0] == "ollama.com";
  if (!isUsualHost || parts[1] != "library") name.prepend(parts[1] + '/');
  return isUsualHost ? name : parts[0] + '/' + name;
}

class OllamaStore {
 public:
  OllamaStore(const QString& root, const FinderSink& sink) : m_root(root), m_sink(sink) {}

  void readManifest(const QString& folder, const QString& path) {
    const QString name = nameOf(QDir(folder).relativeFilePath(path));
    if (name.isEmpty())
      return leaveOut(path, CatalogWording::tr("is no manifest of a model: its path names none"));
    if (m_names.contains(name)) return;  // an older manifest of the same model
    QJsonObject manifest = QJsonDocument::fromJson(readSmallFile(path)).object();
    if (manifest.contains("manifests")) manifest = chosenOf(manifest["manifests"].toArray());
    if (!manifest["layers"].isArray())
      return leaveOut(path, CatalogWording::tr("is a broken manifest: it lists no layers"));
    const QJsonArray layers = manifest["layers"].toArray();
    QStringList weights;
    bool isInTensors = false;
    for (const QJsonValue& layer : layers) {
      const QString type = layer["mediaType"].toString().section(';', 0, 0);
      if (type == "application/vnd.ollama.image.model") weights.append(layer["digest"].toString());
      isInTensors = isInTensors || type == "application/vnd.ollama.image.tensor";
    }
    if (weights.isEmpty())
      return leaveOut(
          path, isInTensors ? CatalogWording::tr("keeps each tensor in a file of its own, which is not read")
                            : CatalogWording::tr("has no weights on this computer"));
    add(name, path, weights.front());
  }

  void leaveOut(const QString& path, const QString& reason) const {
    m_sink.leftOut({ModelProgram::kOllama, path, reason});
  }

 private:
  // The one with the GGUF file as it was published, else the first.
  QJsonObject chosenOf(const QJsonArray& manifests) const {
    QString digest = manifests[0]["digest"].toString();
    for (const QJsonValue& one : manifests)
      if (one["runner"].toString() == "ggml") digest = one["digest"].toString();
    return QJsonDocument::fromJson(readSmallFile(blobOf(digest))).object();
  }

  // Empty for what is no digest.
  QString blobOf(QString digest) const {
    static const QRegularExpression form(QStringLiteral("^sha256[:-][0-9a-f]{64}$"));
    return form.match(digest).hasMatch() ? m_root + "/blobs/" + digest.replace(':', '-') : QString();
  }

  void add(const QString& name, const QString& manifest, const QString& digest) {
    const QString blob = blobOf(digest);
    if (blob.isEmpty())
      return leaveOut(manifest, CatalogWording::tr("is a broken manifest: a digest in it is none"));
    if (!QFileInfo(blob).isFile())
      return leaveOut(manifest, CatalogWording::tr("names weights that are not there: %1").arg(blob));
    m_names.insert(name);
    m_sink.candidate({name, ModelProgram::kOllama, blob, {blob}});
  }

  QSet<QString> m_names;
  const QString m_root;
  const FinderSink& m_sink;
};

}  // namespace

void findInOllamaStore(const QString& root, int& entries, const FinderSink& sink) {
  constexpr int kDepth = 4;  // host, namespace, model
  OllamaStore store(root, sink);
  for (const QString& folder : {root + "/manifests-v2", root + "/manifests"})
    walkFolders(
        folder, kDepth, entries,
        {[&](const FolderContent& content) {
           for (const QString& file : content.files) {
             if (sink.cancelled()) return false;
             store.readManifest(folder, content.folder + '/' + file);
           }
           return true;
         },
         [&](const QString& path, const QString& reason) { store.leaveOut(path, reason); }, sink.cancelled});
}

}  // namespace vitrine
