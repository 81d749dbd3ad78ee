// The search of a made-up home: each program's layout, with what can be wrong in it, and the figures of what
// is found against the engine's own.
#include <unistd.h>

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "catalog/model_finder.h"
#include "catalog/model_name.h"
#include "catalog/model_reading.h"
#include "catalog/model_scan.h"
#include "catalog/model_scanner.h"
#include "catalog/small_file.h"
#include "support/gguf_bytes.h"
#include "vitrine/convert.h"
#include "vitrine/inspect.h"
#include "vitrine/random_model.h"

using namespace vitrine;

namespace {

struct Found {
  QMap<QString, FoundModel> models;  // by name
  QMap<QString, QString> leftOut;    // path and reason
  ScanReport report;
  QStringList names() const { return models.keys(); }
  // Opened by its path, each model has the name that it is listed by.
  bool haveTheirNames() const {
    return std::ranges::all_of(models,
                               [](const FoundModel& model) { return modelName(model.path) == model.name; });
  }
};

Found search(const ModelRoots& roots, const ScanLimits& limits = {}) {
  Found found;
  found.report = scanModels(roots, limits,
                            {[&](const FoundModel& model) { found.models.insert(model.name, model); },
                             [&](const LeftOut& passed) { found.leftOut.insert(passed.path, passed.reason); },
                             [](const ModelRoot&) {}, [] { return false; }});
  return found;
}

}  // namespace

class TestModelScan : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir m_made;  // a model as a folder and as a file, for all tests
  QByteArray m_gguf;
  std::unique_ptr<QTemporaryDir> m_home;

  QString at(const QString& path) const { return m_home->path() + '/' + path; }
  void write(const QString& path, const QByteArray& bytes) const {
    QVERIFY(QDir().mkpath(QFileInfo(at(path)).path()));
    QFile file(at(path));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
  }
  void link(const QString& target, const QString& path) const {
    QVERIFY(QDir().mkpath(QFileInfo(at(path)).path()));
    QVERIFY(QFile::link(target, at(path)));
  }
  void writeFolder(const QString& path) const {
    QVERIFY(QDir().mkpath(at(path)));
    for (const char* name : {"config.json", "model.safetensors"})
      QVERIFY(QFile::copy(m_made.path() + "/folder/" + name, at(path + '/' + name)));
  }
  ModelRoots root(ModelProgram program, const QString& path) const { return {{{program, at(path)}}}; }
  QByteArray manifest(const QByteArray& digest,
                      const char* type = "application/vnd.ollama.image.model") const {
    const QJsonObject params{{"mediaType", "application/vnd.ollama.image.params"}, {"digest", "sha256:0"}};
    const QJsonObject weights{{"mediaType", type}, {"digest", QString::fromLatin1(digest)}};
    return QJsonDocument(QJsonObject{{"schemaVersion", 2}, {"layers", QJsonArray{params, weights}}}).toJson();
  }

 private slots:
  void initTestCase() {
    const auto folder = std::filesystem::path((m_made.path() + "/folder").toStdString());
    makeRandomModel("tiny", folder);
    const QString file = m_made.path() + "/tiny.gguf";
    convertModel(folder, file.toStdString(), ConvertType::kQ80);
    QFile written(file);
    QVERIFY(written.open(QIODevice::ReadOnly));
    m_gguf = written.readAll();
  }
  void init() { m_home = std::make_unique<QTemporaryDir>(); }

  void aHuggingFaceCache() {
    const QString model = "hub/models--owner--a-model/", blobs = at(model + "blobs/");
    write(model + "blobs/one", m_gguf);
    write(model + "refs/main", "bbbb");
    link(blobs + "one", model + "snapshots/bbbb/m-Q8_0.gguf");
    link(blobs + "one", model + "snapshots/aaaa/m-Q8_0.gguf");  // of an older commit, the same content
    link(blobs + "gone", model + "snapshots/bbbb/m-Q4_0.gguf");
    writeFolder("hub/models--owner--b/snapshots/cccc");
    write("hub/models--owner--c/snapshots/dddd/model.safetensors", "x");
    write("hub/models--owner--c/snapshots/dddd/adapter_config.json", "{}");
    write("hub/models--owner--d/snapshots/eeee/config.json", "{}");
    write("hub/models--owner--d/snapshots/eeee/pytorch_model.bin", "x");
    write("hub/models--owner--d/snapshots/ffff/x-Q8_0.gguf", m_gguf);
    write("hub/datasets--owner--e/snapshots/eeee/x.gguf", m_gguf);
    const Found found = search(root(ModelProgram::kHuggingFace, "hub"));
    QCOMPARE(found.names(), (QStringList{"owner/a-model:Q8_0", "owner/b", "owner/d:Q8_0 (ffff)"}));
    QVERIFY(found.haveTheirNames());
    QVERIFY(found.models["owner/b"].opens && found.models["owner/b"].isFolder);
    QCOMPARE(found.models["owner/a-model:Q8_0"].path, at(model + "snapshots/bbbb/m-Q8_0.gguf"));
    QCOMPARE(found.report.models, 3);
    QCOMPARE(found.report.leftOut, 3);
    QVERIFY(found.leftOut[at(model + "snapshots/bbbb/m-Q4_0.gguf")].contains("not there"));
    QVERIFY(found.leftOut[at("hub/models--owner--c/snapshots/dddd")].contains("adapter"));
    QVERIFY(found.leftOut[at("hub/models--owner--d/snapshots/eeee")].contains("pytorch_model.bin"));
  }

  void anOllamaStore() {
    const QByteArray digest(64, 'a'), missing(64, 'b'), projector(64, 'c');
    const QString manifests = "ollama/manifests/registry.ollama.ai/";
    write("ollama/blobs/sha256-" + digest, m_gguf);
    write("ollama/blobs/sha256-" + projector,
          QByteArray::fromStdString(test::GgufBytes().text("general.architecture", "clip").bytes()));
    write(manifests + "library/qwen3/8b", manifest("sha256:" + digest));
    write(manifests + "library/qwen3/latest", manifest("sha256:" + digest));  // another name of the same
    write(manifests + "owner/gone/v1", manifest("sha256:" + missing));
    write(manifests + "library/eyes/1", manifest("sha256:" + projector));
    write(manifests + "library/broken/1", "{\"layers\": [");
    write(manifests + "library/upwards/1", manifest("sha256:../../../../etc/passwd"));
    write(manifests + "library/remote/1",
          manifest("sha256:" + digest, "application/vnd.ollama.image.license"));
    write(manifests + "library/tensors/1",
          manifest("sha256:" + digest, "application/vnd.ollama.image.tensor"));
    write(manifests + "stray", "{}");
    const Found found = search(root(ModelProgram::kOllama, "ollama"));
    QCOMPARE(found.names(), QStringList{"qwen3:8b"});
    QVERIFY(found.haveTheirNames());
    const FoundModel& model = found.models["qwen3:8b"];
    QCOMPARE(model.path, at("ollama/blobs/sha256-") + digest);
    QVERIFY2(model.opens, qPrintable(model.reason));
    QCOMPARE(model.bytes, m_gguf.size());
    const auto reason = [&](const QString& path) { return found.leftOut.value(at(manifests + path)); };
    QVERIFY(reason("owner/gone/v1").contains(QString::fromLatin1(missing)));
    QVERIFY(reason("library/broken/1").contains("broken"));
    QVERIFY(reason("library/upwards/1").contains("digest"));
    QVERIFY(reason("library/remote/1").contains("no weights"));
    QVERIFY(reason("library/tensors/1").contains("tensor"));
    QVERIFY(reason("stray").contains("manifest"));
    QVERIFY(found.leftOut[at("ollama/blobs/sha256-") + projector].contains("pictures"));
    QCOMPARE(found.report.leftOut, 7);
  }

  void ollamaNamesOfOtherPlaces() {
    const QByteArray digest(64, 'a'), other(64, 'b');
    write("ollama/blobs/sha256-" + digest, m_gguf);
    write("ollama/blobs/sha256-" + other, m_gguf);
    write("ollama/manifests/hf.co/owner/name/Q4_K_M", manifest("sha256:" + digest));
    write("ollama/manifests/registry.ollama.ai/owner/name/v1", manifest("sha256:" + other));
    QCOMPARE(search(root(ModelProgram::kOllama, "ollama")).names(),
             (QStringList{"hf.co/owner/name:Q4_K_M", "owner/name:v1"}));
  }

  // Ollama 0.40 keeps manifests in another folder too, and may have several for one model.
  void ollamaManifestsOfLaterVersions() {
    const QByteArray original(64, 'a'), converted(64, 'b'), child(64, 'c'), other(64, 'd'), third(64, 'e');
    for (const QByteArray& digest : {original, converted, third})
      write("ollama/blobs/sha256-" + digest, m_gguf);
    write("ollama/blobs/sha256-" + child, manifest("sha256:" + original));
    write("ollama/blobs/sha256-" + other, manifest("sha256:" + converted));
    const auto entry = [](const char* runner, const QByteArray& digest) {
      return QJsonObject{{"runner", runner}, {"digest", QString::fromLatin1(digest)}};
    };
    const auto list = [](const QJsonArray& entries) {
      return QJsonDocument(QJsonObject{{"manifests", entries}}).toJson();
    };
    write("ollama/manifests-v2/ollama.com/library/qwen3/8b",
          list({entry("llamacpp", "sha256:" + other), entry("ggml", "sha256:" + child)}));
    write("ollama/manifests-v2/hub.test%3A8080/owner/gone/1", list({entry("ggml", "../../x")}));
    write("ollama/manifests/registry.ollama.ai/library/qwen3/8b", manifest("sha256:" + converted));
    write("ollama/manifests/hub.test:8080/owner/m/1", manifest("sha256:" + third));
    const Found found = search(root(ModelProgram::kOllama, "ollama"));
    QCOMPARE(found.names(), (QStringList{"hub.test:8080/owner/m:1", "qwen3:8b"}));
    QVERIFY(found.haveTheirNames());
    QCOMPARE(found.models["qwen3:8b"].path, at("ollama/blobs/sha256-") + original);
    QCOMPARE(found.leftOut.keys(), QStringList{at("ollama/manifests-v2/hub.test%3A8080/owner/gone/1")});
  }

  void filesThatJanHasImported() {
    write("elsewhere/m.gguf", m_gguf);
    write("jan/author/imported/model.yml",
          "embedding: false\nmodel_path: " + at("elsewhere/m.gguf").toUtf8() + "\nname: x\n");
    write("jan/gone/model.yml", "model_path: /no/such/m.gguf\n");
    write("jan/plain/model.yml", "model_path: llamacpp/models/plain/model.gguf\n");
    write("jan/plain/model.gguf", m_gguf);
    const Found found = search(root(ModelProgram::kJan, "jan"));
    QCOMPARE(found.names(), (QStringList{"m", "plain"}));
    QVERIFY(found.haveTheirNames());
    QCOMPARE(found.models["m"].path, at("elsewhere/m.gguf"));
    QCOMPARE(found.leftOut.keys(), QStringList{at("jan/gone/model.yml")});
  }

  void foldersOfOtherPrograms() {
    write("lm-studio/models/publisher/repo/m-Q8_0.gguf", m_gguf);
    write("lm-studio/models/publisher/repo/mmproj-m-F16.gguf", "x");
    write("llama/manifest=ggml-org=a_b-GGUF=latest.json", "{}");
    write("llama/ggml-org_a_b-GGUF_a_b-Q8_0.gguf", m_gguf);
    write("llama/alone.gguf", m_gguf);
    write("llama/half.gguf.downloadInProgress", m_gguf);
    write("gpt4all/Model.Q8_0.gguf", m_gguf);
    write("gpt4all/incomplete-Other.gguf", m_gguf);
    write("llamacpp/models/author/id/model.gguf", m_gguf);
    writeFolder("mine/deep/er");
    const Found found = search({{{ModelProgram::kLmStudio, at("lm-studio/models")},
                                 {ModelProgram::kLlamaCpp, at("llama")},
                                 {ModelProgram::kGpt4All, at("gpt4all")},
                                 {ModelProgram::kJan, at("llamacpp/models")},
                                 {ModelProgram::kOwnFolder, at("mine")},
                                 {ModelProgram::kOwnFolder, at("not there")}}});
    QCOMPARE(found.names(), (QStringList{"Model.Q8_0", "alone", "author/id", "er", "ggml-org/a_b-GGUF:Q8_0",
                                         "publisher/repo:Q8_0"}));
    QVERIFY(found.haveTheirNames());
    for (const FoundModel& model : found.models) QVERIFY2(model.opens, qPrintable(model.reason));
    QCOMPARE(found.models["author/id"].program, ModelProgram::kJan);
    QCOMPARE(found.leftOut.keys(), (QStringList{at("gpt4all/incomplete-Other.gguf"),
                                                at("lm-studio/models/publisher/repo/mmproj-m-F16.gguf")}));
  }

  void partsAreOneModel() {
    write("x/m-Q8_0-00001-of-00003.gguf", m_gguf);
    write("x/m-Q8_0-00003-of-00003.gguf", m_gguf);
    write("x/n-Q8_0-00001-of-99999.gguf", m_gguf);
    const Found found = search(root(ModelProgram::kOwnFolder, "x"));
    QCOMPARE(found.names(), (QStringList{"m-Q8_0", "n-Q8_0"}));
    QVERIFY(found.haveTheirNames());
    const FoundModel& model = found.models["m-Q8_0"];
    QVERIFY(!model.opens);
    QVERIFY2(model.reason.contains("these are missing: 2."), qPrintable(model.reason));
    QCOMPARE(model.files, 2);
    QCOMPARE(model.bytes, 2 * m_gguf.size());
    QCOMPARE(model.path, at("x/m-Q8_0-00001-of-00003.gguf"));
  }

  void figuresAreTheEngines_data() {
    QTest::addColumn<bool>("isFolder");
    QTest::addColumn<bool>("isTied");
    QTest::newRow("a folder") << true << false;
    QTest::newRow("a folder whose embedding is its head") << true << true;
    QTest::newRow("a GGUF file") << false << false;
  }
  void figuresAreTheEngines() {
    QFETCH(bool, isFolder);
    QFETCH(bool, isTied);
    if (isFolder)
      writeFolder("x");
    else
      write("x/m.gguf", m_gguf);
    if (isTied) {
      QJsonObject config = QJsonDocument::fromJson(readSmallFile(at("x/config.json"))).object();
      config["tie_word_embeddings"] = true;
      write("x/config.json", QJsonDocument(config).toJson());
      QFile weights(at("x/model.safetensors"));
      QVERIFY(weights.open(QIODevice::ReadOnly));
      // A head of its own would win over the config: it becomes a part beside the decoder.
      write("x/model.safetensors", weights.readAll().replace("lm_head.weight", "v_head.weights"));
    }
    const Found found = search(root(ModelProgram::kOwnFolder, "x"));
    QCOMPARE(found.models.size(), 1);
    const FoundModel& model = found.models.first();
    const InspectedModel inspected = inspectModel(model.path.toStdString());
    QVERIFY(model.opens);
    QCOMPARE(model.name, isFolder ? "x" : "m");
    QCOMPARE(model.isFolder, isFolder);
    QCOMPARE(model.family.toStdString(), inspected.family);
    QCOMPARE(model.parameters, inspected.parameters);
    QCOMPARE(model.contextLength, inspected.contextLength);
    QCOMPARE(model.quantization, isFolder ? "BF16" : "Q8_0");
    QCOMPARE(model.bytesReadPerToken, inspected.bytesReadPerToken);
    QCOMPARE(model.cacheBytesPerToken, inspected.kvBytesPerToken);
    QCOMPARE(inspected.tiedEmbeddings, isTied);
    // The engine holds the rows of the embedding beside the head's panels.
    const qint64 twice = isTied ? qint64{2} * inspected.vocabularySize * inspected.hiddenSize : 0;
    QCOMPARE(model.weightBytes, inspected.bytes + twice);
    QVERIFY(model.bytes >= inspected.bytes);  // the files have headers
  }

  void whatCannotBeOpenedSaysWhy() {
    QByteArray gemma = m_gguf;
    const QByteArray family =
        QByteArray::fromStdString(inspectModel((m_made.path() + "/tiny.gguf").toStdString()).family);
    gemma.replace(family, QByteArray("gemma").leftJustified(family.size(), '9', true));
    write("x/other.gguf", gemma);
    write("x/cut.gguf", m_gguf.left(m_gguf.size() / 2));
    write("x/noise.gguf", QByteArray(5000, 'n'));
    write("x/empty.gguf", {});
    write(
        "x/adapter.gguf",
        QByteArray::fromStdString(
            test::GgufBytes().text("general.architecture", "llama").text("general.type", "adapter").bytes()));
    write("x/pointer.gguf", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n");
    writeFolder("x/shards");
    QVERIFY(QFile::rename(at("x/shards/model.safetensors"), at("x/shards/model-00001-of-00002.safetensors")));
    write("x/shards/model-00002-of-00002.safetensors", "n");
    writeFolder("y");
    write("y/config.json",
          R"({"model_type": "bert", "architectures": ["BertModel"], "max_position_embeddings": 512})");
    const Found found = search({{{ModelProgram::kOwnFolder, at("x")}, {ModelProgram::kOwnFolder, at("y")}}});
    QCOMPARE(found.names(), (QStringList{"cut", "empty", "noise", "other", "pointer", "shards", "y"}));
    for (const FoundModel& model : found.models) {
      QVERIFY(!model.opens);
      QVERIFY(!model.reason.isEmpty());
    }
    const FoundModel& other = found.models["other"];
    QVERIFY2(other.reason.contains("qwen3") && other.reason.contains("llama"), qPrintable(other.reason));
    QVERIFY(other.family.startsWith("gemma"));
    QVERIFY(other.contextLength > 0);
    const FoundModel& bert = found.models["y"];
    QVERIFY2(bert.reason.contains("BertModel") && bert.reason.contains("LlamaForCausalLM"),
             qPrintable(bert.reason));
    QCOMPARE(bert.family, "bert");
    QCOMPARE(bert.contextLength, 512);
    QVERIFY(found.leftOut[at("x/adapter.gguf")].contains("adapter"));
    QVERIFY(found.models["shards"].reason.contains("but no model.safetensors.index.json"));
    QVERIFY(found.models["pointer"].reason.contains("is a git-lfs pointer"));
    QVERIFY(found.models["pointer"].reason.contains("git lfs pull"));
  }

  // Of the Hugging Face cache, moved somewhere else: no commit is a name.
  void aRepositoryInAFolderOfOnesOwnHasItsName() {
    writeFolder("own/models--some--Tiny/snapshots/abc123");
    for (const char* place : {"own", "own/models--some--Tiny", "own/models--some--Tiny/snapshots"})
      QCOMPARE(search(root(ModelProgram::kOwnFolder, place)).names(), QStringList{"some/Tiny"});
  }

  void oneModelIsFoundOnce() {
    write("x/m.gguf", m_gguf);
    link(at("x/m.gguf"), "x/link.gguf");
    link(at("x"), "y/x");
    QCOMPARE(::link(qPrintable(at("x/m.gguf")), qPrintable(at("x/hard.gguf"))), 0);
    const Found found = search({{{ModelProgram::kLmStudio, at("x")},
                                 {ModelProgram::kOwnFolder, at("y")},
                                 {ModelProgram::kOwnFolder, m_home->path()}}});
    QCOMPARE(found.report.models, 1);
    QCOMPARE(found.models.first().program, ModelProgram::kLmStudio);
  }

  void loopsOfLinksEnd() {
    write("x/a/m.gguf", m_gguf);
    link(at("x"), "x/a/up");
    link(at("x/self"), "x/self");
    link(at("x/b"), "x/c");
    link(at("x/c"), "x/b");
    link(at("x/loop.gguf"), "x/loop.gguf");
    const Found found = search(root(ModelProgram::kOwnFolder, "x"));
    QCOMPARE(found.names(), QStringList{"m"});
    QVERIFY(!found.report.reachedLimit);
    QCOMPARE(found.leftOut.keys(), QStringList{at("x/loop.gguf")});  // nothing was too deep
  }

  void theSearchKeepsWithinItsBounds() {
    write("x/1/2/3/4/deep.gguf", m_gguf);
    for (int i = 0; i < 20; ++i) write("x/m" + QString::number(i) + ".gguf", "x");
    const ModelRoots roots = root(ModelProgram::kOwnFolder, "x");
    QVERIFY(search(roots).models.contains("deep"));
    const Found shallow = search(roots, {3});
    QVERIFY(!shallow.models.contains("deep"));
    QVERIFY(shallow.leftOut[at("x/1/2/3")].contains("deep"));
    QCOMPARE(search(roots, {8, 200'000, 5}).report.models, 5);
    QVERIFY(search(roots, {8, 200'000, 5}).report.reachedLimit);
    const Found few = search(roots, {8, 10});
    QVERIFY(few.report.reachedLimit && few.report.models <= 10);
    QVERIFY(few.leftOut.contains(at("x")));
  }

  void unreadableFoldersAreSaidAndPassed() {
    write("x/locked/m.gguf", m_gguf);
    write("x/open/n.gguf", m_gguf);
    for (const char* folder : {"", "x", "x/open"})
      QVERIFY(QFile::setPermissions(at(folder), QFile::Permissions(0x7755)));
    write("hub/models--a--b/snapshots/1/m.gguf", m_gguf);
    for (const char* folder : {"x/locked", "hub"}) QVERIFY(QFile::setPermissions(at(folder), {}));
    // Root reads everything: as root, the search runs as another user.
    const uid_t user = ::geteuid();
    if (user == 0 && ::seteuid(65534) != 0) QSKIP("root that cannot be another user");
    const Found found =
        search({{{ModelProgram::kHuggingFace, at("hub")}, {ModelProgram::kOwnFolder, at("x")}}});
    QVERIFY(user != 0 || ::seteuid(0) == 0);
    for (const char* folder : {"x/locked", "hub"})
      QVERIFY(QFile::setPermissions(at(folder), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QCOMPARE(found.names(), QStringList{"n"});
    QCOMPARE(found.leftOut.keys(), (QStringList{at("hub"), at("x/locked")}));
    for (const QString& reason : found.leftOut) QVERIFY(reason.contains("cannot be read"));
  }

  void aFileDeletedMeanwhileIsLeftOut() {
    write("x/m.gguf", m_gguf);
    ModelCandidate candidate;
    int entries = 100;
    findModels(
        {ModelProgram::kOwnFolder, at("x")}, 8, entries,
        {[&](const ModelCandidate& one) { candidate = one; }, [](const LeftOut&) {}, [] { return false; }});
    QVERIFY(QFile::remove(at("x/m.gguf")));
    const auto described = describeModel(candidate);
    QVERIFY(std::holds_alternative<LeftOut>(described));
    QVERIFY(std::get<LeftOut>(described).reason.contains("not there"));
  }

  void theSearchRunsBesideItsCaller() {
    for (int i = 0; i < 3; ++i) write("x/m" + QString::number(i) + ".gguf", m_gguf);
    write("x/mmproj.gguf", m_gguf);
    ModelScanner scanner;
    QStringList names;
    int passed = 0, entered = 0;
    ScanReport report;
    connect(&scanner, &ModelScanner::found, this, [&](const FoundModel& model) {
      QCOMPARE(QThread::currentThread(), scanner.thread());
      names.append(model.name);
    });
    connect(&scanner, &ModelScanner::leftOut, this, [&] { ++passed; });
    connect(&scanner, &ModelScanner::entered, this, [&] { ++entered; });
    connect(&scanner, &ModelScanner::finished, this, [&](const ScanReport& end) { report = end; });
    scanner.start(root(ModelProgram::kOwnFolder, "x"));
    QVERIFY(scanner.isRunning());
    QTRY_VERIFY_WITH_TIMEOUT(!scanner.isRunning(), 30000);
    QCOMPARE(names, (QStringList{"m0", "m1", "m2"}));
    QCOMPARE(passed, 1);
    QCOMPARE(entered, 1);
    QCOMPARE(report.models, 3);
    QVERIFY(!report.wasCancelled);
  }

  void aCancelledSearchSaysNothingMore() {
    for (int i = 0; i < 200; ++i) write("x/m" + QString::number(i) + ".gguf", "x");
    write("y/only.gguf", "y");
    ModelScanner scanner;
    QStringList names;
    int ends = 0;
    connect(&scanner, &ModelScanner::found, this, [&](const FoundModel& model) {
      names.append(model.name);
      if (names.size() == 1) scanner.cancel();
    });
    connect(&scanner, &ModelScanner::finished, this, [&] { ++ends; });
    scanner.start(root(ModelProgram::kOwnFolder, "x"));
    QTRY_VERIFY_WITH_TIMEOUT(!names.isEmpty(), 30000);
    QVERIFY(!scanner.isRunning());
    scanner.start(root(ModelProgram::kOwnFolder, "y"));
    QTRY_COMPARE_WITH_TIMEOUT(ends, 1, 30000);
    QCOMPARE(names.size(), 2);
    QCOMPARE(names.last(), "only");
    {
      ModelScanner gone;  // while it searches
      gone.start(root(ModelProgram::kOwnFolder, "x"));
    }
  }

  void aCancelledScanReportsIt() {
    for (int i = 0; i < 20; ++i) write("x/m" + QString::number(i) + ".gguf", "x");
    int found = 0;
    const ScanReport report = scanModels(root(ModelProgram::kOwnFolder, "x"), {},
                                         {[&](const FoundModel&) { ++found; }, [](const LeftOut&) {},
                                          [](const ModelRoot&) {}, [&] { return found == 3; }});
    QVERIFY(report.wasCancelled);
    QCOMPARE(report.models, 3);
  }
};

QTEST_GUILESS_MAIN(TestModelScan)
#include "tst_model_scan.moc"
