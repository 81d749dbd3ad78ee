#include "catalog/model_roots.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include "catalog/catalog_wording.h"
#include "catalog/small_file.h"

namespace vitrine {
namespace {

class Places {
 public:
  explicit Places(const QProcessEnvironment& environment)
      : m_environment(environment), m_home(environment.value("HOME")) {}

  QString home(const QString& below) const { return m_home.isEmpty() ? QString() : m_home + '/' + below; }
  QString cache(const QString& below) const { return inFolder("XDG_CACHE_HOME", ".cache", below); }
  QString config(const QString& below) const { return inFolder("XDG_CONFIG_HOME", ".config", below); }
  QString data(const QString& below) const { return inFolder("XDG_DATA_HOME", ".local/share", below); }
  // A variable's folder; "~" is the home.
  QString variable(const char* name) const {
    const QString value = m_environment.value(QLatin1String(name));
    if (value == "~") return m_home;
    return value.startsWith("~/") ? home(value.mid(2)) : value;
  }

  void add(ModelProgram program, const QString& folder) {
    // A relative path would depend on where this program was started.
    if (!QDir::isAbsolutePath(folder)) return;
    const ModelRoot root{program, QDir::cleanPath(folder)};
    if (!m_roots.folders.contains(root)) m_roots.folders.append(root);
  }
  ModelRoots take() { return std::move(m_roots); }

 private:
  QString inFolder(const char* name, const QString& usual, const QString& below) const {
    const QString folder = variable(name);
    return QDir::isAbsolutePath(folder) ? folder + '/' + below : home(usual + '/' + below);
  }

  const QProcessEnvironment& m_environment;
  const QString m_home;
  ModelRoots m_roots;
};

QString textInJson(const QString& path, const QString& key) {
  return QJsonDocument::fromJson(readSmallFile(path)).object().value(key).toString();
}

// huggingface_hub: the first that is set counts. The other folders are looked at too, for models from before.
void addHuggingFace(Places& places) {
  places.add(ModelProgram::kHuggingFace, places.variable("HF_HUB_CACHE"));
  places.add(ModelProgram::kHuggingFace, places.variable("HUGGINGFACE_HUB_CACHE"));
  const QString home = places.variable("HF_HOME");
  if (!home.isEmpty()) places.add(ModelProgram::kHuggingFace, home + "/hub");
  places.add(ModelProgram::kHuggingFace, places.cache("huggingface/hub"));
}

// The home of LM Studio stands in a file of its own; the folder of models may be another one.
void addLmStudio(Places& places) {
  const QString pointed = QFile::decodeName(readSmallFile(places.home(".lmstudio-home-pointer")).trimmed());
  for (const QString& home : {pointed, places.home(".lmstudio"), places.cache("lm-studio")}) {
    if (home.isEmpty()) continue;
    places.add(ModelProgram::kLmStudio, textInJson(home + "/settings.json", "downloadsFolder"));
    places.add(ModelProgram::kLmStudio, home + "/models");
  }
  places.add(ModelProgram::kLmStudio,
             textInJson(places.config("LM Studio/settings.json"), "downloadsFolder"));
}

void addOllama(Places& places) {
  places.add(ModelProgram::kOllama, places.variable("OLLAMA_MODELS"));
  places.add(ModelProgram::kOllama, places.home(".ollama/models"));
  // Where its services on Linux keep them.
  places.add(ModelProgram::kOllama, "/usr/share/ollama/.ollama/models");
  places.add(ModelProgram::kOllama, "/var/lib/ollama/models");
}

// GPT4All writes its settings with QSettings: "modelPath=/folder/", in its first section.
void addGpt4All(Places& places) {
  for (const QByteArray& line : readSmallFile(places.config("nomic.ai/GPT4All.ini")).split('\n'))
    if (line.startsWith("modelPath=")) {
      QByteArray folder = line.mid(line.indexOf('=') + 1).trimmed();
      if (folder.size() > 1 && folder.startsWith('"') && folder.endsWith('"'))
        folder = folder.mid(1, folder.size() - 2);
      places.add(ModelProgram::kGpt4All, QString::fromUtf8(folder));
    }
  places.add(ModelProgram::kGpt4All, places.data("nomic.ai/GPT4All"));
}

// Versions of Jan differ in the folder of its data, and in the place of models in it.
void addJan(Places& places) {
  for (const QString& data : {textInJson(places.data("Jan/settings.json"), "data_folder"),
                              textInJson(places.config("Jan/settings.json"), "data_folder"),
                              places.data("Jan/data"), places.config("Jan/data"), places.home("jan")}) {
    if (data.isEmpty()) continue;
    places.add(ModelProgram::kJan, data + "/llamacpp/models");
    places.add(ModelProgram::kJan, data + "/models");
  }
}

}  // namespace

QString programName(ModelProgram program) {
  switch (program) {
    case ModelProgram::kVitrine:
      return "Vitrine";
    case ModelProgram::kHuggingFace:
      return "Hugging Face";
    case ModelProgram::kLmStudio:
      return "LM Studio";
    case ModelProgram::kOllama:
      return "Ollama";
    case ModelProgram::kLlamaCpp:
      return "llama.cpp";
    case ModelProgram::kGpt4All:
      return "GPT4All";
    case ModelProgram::kJan:
      return "Jan";
    case ModelProgram::kOwnFolder:
      return CatalogWording::tr("A folder of yours");
  }
  return {};
}

QString ownModelsFolder(const QProcessEnvironment& environment) {
  return QDir::cleanPath(Places(environment).data("vitrine/models"));
}

ModelRoots defaultModelRoots(const QProcessEnvironment& environment, const QStringList& ownFolders) {
  Places places(environment);
  places.add(ModelProgram::kVitrine, ownModelsFolder(environment));
  addHuggingFace(places);
  addLmStudio(places);
  addOllama(places);
  places.add(ModelProgram::kLlamaCpp, places.variable("LLAMA_CACHE"));
  places.add(ModelProgram::kLlamaCpp, places.cache("llama.cpp"));
  addGpt4All(places);
  addJan(places);
  for (const QString& folder : ownFolders) places.add(ModelProgram::kOwnFolder, folder);
  return places.take();
}

}  // namespace vitrine
