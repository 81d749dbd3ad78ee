// Where programs keep models, from an environment and a home of the test's own.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "catalog/model_roots.h"

using namespace vitrine;

namespace {

void write(const QString& path, const QByteArray& text) {
  QVERIFY(QDir().mkpath(QFileInfo(path).path()));
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
}

QStringList foldersOf(const ModelRoots& roots, ModelProgram program) {
  QStringList folders;
  for (const ModelRoot& root : roots.folders)
    if (root.program == program) folders.append(root.folder);
  return folders;
}

}  // namespace

class TestModelRoots : public QObject {
  Q_OBJECT

 private slots:
  void aPlainHomeHasTheUsualPlaces() {
    QProcessEnvironment environment;
    environment.insert("HOME", "/no/home");
    const ModelRoots roots = defaultModelRoots(environment, {"/mine", "relative"});
    const auto folders = [&](ModelProgram program) { return foldersOf(roots, program); };
    QCOMPARE(folders(ModelProgram::kVitrine), QStringList{"/no/home/.local/share/vitrine/models"});
    QCOMPARE(folders(ModelProgram::kVitrine), QStringList{ownModelsFolder(environment)});
    QCOMPARE(folders(ModelProgram::kHuggingFace), QStringList{"/no/home/.cache/huggingface/hub"});
    QCOMPARE(folders(ModelProgram::kLmStudio),
             (QStringList{"/no/home/.lmstudio/models", "/no/home/.cache/lm-studio/models"}));
    QCOMPARE(folders(ModelProgram::kOllama),
             (QStringList{"/no/home/.ollama/models", "/usr/share/ollama/.ollama/models",
                          "/var/lib/ollama/models"}));
    QCOMPARE(folders(ModelProgram::kLlamaCpp), QStringList{"/no/home/.cache/llama.cpp"});
    QCOMPARE(folders(ModelProgram::kGpt4All), QStringList{"/no/home/.local/share/nomic.ai/GPT4All"});
    QCOMPARE(folders(ModelProgram::kJan),
             (QStringList{"/no/home/.local/share/Jan/data/llamacpp/models",
                          "/no/home/.local/share/Jan/data/models",
                          "/no/home/.config/Jan/data/llamacpp/models", "/no/home/.config/Jan/data/models",
                          "/no/home/jan/llamacpp/models", "/no/home/jan/models"}));
    QCOMPARE(folders(ModelProgram::kOwnFolder), QStringList{"/mine"});
    QCOMPARE(roots.folders.last().program, ModelProgram::kOwnFolder);
  }

  void variablesMoveThem() {
    QProcessEnvironment environment;
    environment.insert("HOME", "/no/home");
    environment.insert("XDG_CACHE_HOME", "/cache");
    environment.insert("XDG_DATA_HOME", "/data");
    environment.insert("XDG_CONFIG_HOME", "not absolute");
    environment.insert("HF_HOME", "~/hf/");
    environment.insert("HUGGINGFACE_HUB_CACHE", "/hub");
    environment.insert("OLLAMA_MODELS", "/ollama");
    environment.insert("LLAMA_CACHE", "/llama");
    const ModelRoots roots = defaultModelRoots(environment);
    QCOMPARE(foldersOf(roots, ModelProgram::kHuggingFace),
             (QStringList{"/hub", "/no/home/hf/hub", "/cache/huggingface/hub"}));
    QCOMPARE(foldersOf(roots, ModelProgram::kOllama).first(), "/ollama");
    QCOMPARE(foldersOf(roots, ModelProgram::kLlamaCpp), (QStringList{"/llama", "/cache/llama.cpp"}));
    QCOMPARE(foldersOf(roots, ModelProgram::kGpt4All), QStringList{"/data/nomic.ai/GPT4All"});
    QVERIFY(foldersOf(roots, ModelProgram::kJan).contains("/no/home/.config/Jan/data/models"));
  }

  void settingsOfTheProgramsMoveThem() {
    QTemporaryDir home;
    write(home.path() + "/.lmstudio-home-pointer", "/elsewhere/lm\n");
    write(home.path() + "/.lmstudio/settings.json", R"({"downloadsFolder": "/big/lm"})");
    write(home.path() + "/.config/nomic.ai/GPT4All.ini",
          "[General]\nthreadCount=4\nmodelPath=/big/gpt4all/\n");
    write(home.path() + "/.local/share/Jan/settings.json", R"({"data_folder": "/big/jan"})");
    QProcessEnvironment environment;
    environment.insert("HOME", home.path());
    const ModelRoots roots = defaultModelRoots(environment);
    const QStringList lmStudio = foldersOf(roots, ModelProgram::kLmStudio);
    QVERIFY(lmStudio.contains("/elsewhere/lm/models"));
    QVERIFY(lmStudio.contains("/big/lm"));
    QCOMPARE(foldersOf(roots, ModelProgram::kGpt4All).first(), "/big/gpt4all");
    QCOMPARE(foldersOf(roots, ModelProgram::kJan).first(), "/big/jan/llamacpp/models");
  }

  void brokenSettingsAndNoHomeAreNoTrouble() {
    QTemporaryDir home;
    write(home.path() + "/.lmstudio/settings.json", "{\"downloadsFolder\": 7");
    write(home.path() + "/.lmstudio-home-pointer", QByteArray(100, '\0'));
    write(home.path() + "/.config/nomic.ai/GPT4All.ini", "modelPath=\nmodelPath\n\xff\xfe");
    QProcessEnvironment environment;
    environment.insert("HOME", home.path());
    for (const ModelRoot& root : defaultModelRoots(environment).folders)
      QVERIFY(QDir::isAbsolutePath(root.folder));
    for (const ModelRoot& root : defaultModelRoots({}).folders)
      QVERIFY(root.program == ModelProgram::kOllama);
  }
};

QTEST_GUILESS_MAIN(TestModelRoots)
#include "tst_model_roots.moc"
