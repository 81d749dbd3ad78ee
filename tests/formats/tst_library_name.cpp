// What models are called: in made-up stores of Ollama, LM Studio, Jan and llama.cpp, in the Hugging Face
// cache with its links, and in plain folders.
#include "vitrine/library_name.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <QTemporaryDir>
#include <QTest>

#include "vitrine/gguf_name.h"
#include "vitrine/ollama_manifest.h"
#include "vitrine/program_files.h"

using namespace vitrine;
namespace fs = std::filesystem;
using Fault = OllamaManifest::Fault;

namespace {

class Folder {
 public:
  fs::path operator/(const std::string& name) const {
    return fs::path(m_scratch.path().toStdString()) / name;
  }
  void write(const std::string& name, const std::string& text = "x") const {
    fs::create_directories((*this / name).parent_path());
    std::ofstream(*this / name, std::ios::binary) << text;
  }
  void link(const std::string& to, const std::string& name) const {
    fs::create_directories((*this / name).parent_path());
    fs::create_symlink(to, *this / name);
  }
  std::string nameOf(const std::string& path) const { return modelName(*this / path); }

 private:
  QTemporaryDir m_scratch;
};

std::string digest(char letter) { return std::string(64, letter); }
// moc reads no raw strings with quotes in them.
std::string json(std::string text) {
  std::ranges::replace(text, '\'', '"');
  return text;
}
std::string manifest(const std::string& blob, const std::string& type = "model") {
  return json(
      "{'layers':[{'mediaType':'application/vnd.ollama.image.params','digest':'sha256:0'},"
      "{'mediaType':'application/vnd.ollama.image." +
      type + "','digest':'" + blob + "'}]}");
}

}  // namespace

class TestLibraryName : public QObject {
  Q_OBJECT

 private slots:
  void theModelThatComesWithTheProgram() {
    QCOMPARE(modelName(dataFolder("model")), std::string("Built-in model"));
    QCOMPARE(modelName(dataFolder("model") / ""), std::string("Built-in model"));
    const Folder folder;
    fs::create_directory_symlink(dataFolder("model"), folder / "linked");
    QCOMPARE(folder.nameOf("linked"), std::string("Built-in model"));
    folder.write("model/config.json");
    QCOMPARE(folder.nameOf("model"), std::string("model"));
  }

  void aBlobOfOllama() {
    const Folder store;
    const std::string usual = "manifests/registry.ollama.ai/";
    for (const char blob : {'a', 'b', 'c', 'd', 'e', 'f'}) store.write("blobs/sha256-" + digest(blob));
    store.write(usual + "library/tiny/latest", manifest("sha256:" + digest('a')));
    store.write(usual + "library/tiny/later", manifest("sha256:" + digest('a')));
    store.write(usual + "owner/name/v1", manifest("sha256:" + digest('b')));
    store.write("manifests/hf.co/owner/name/Q4_K_M", manifest("sha256:" + digest('c')));
    store.write("manifests/hub.test%3a80/owner/m/1", manifest("sha256:" + digest('d')));
    store.write("manifests/.hidden/owner/m/1", manifest("sha256:" + digest('e')));
    store.write("manifests/stray", manifest("sha256:" + digest('e')));
    const auto nameOf = [&](char blob) { return store.nameOf("blobs/sha256-" + digest(blob)); };
    QCOMPARE(nameOf('a'), std::string("tiny:later"));  // the first by name
    QCOMPARE(nameOf('b'), std::string("owner/name:v1"));
    QCOMPARE(nameOf('c'), std::string("hf.co/owner/name:Q4_K_M"));
    QCOMPARE(nameOf('d'), std::string("hub.test:80/owner/m:1"));
    QCOMPARE(nameOf('e'), "sha256-" + digest('e'));  // no manifest says more
    store.link((store / ("blobs/sha256-" + digest('b'))).string(), "mine/own.gguf");
    QCOMPARE(store.nameOf("mine/own.gguf"), std::string("own"));
    // Since 0.40: further manifests in blobs, and the folder that counts first.
    store.write("blobs/sha256-" + digest('1'), manifest("sha256:" + digest('f')));
    store.write("blobs/sha256-" + digest('2'), manifest("sha256:" + digest('e')));
    store.write("manifests-v2/ollama.com/library/two/8b",
                json("{'manifests':[{'runner':'other','digest':'sha256:" + digest('2') +
                     "'},{'runner':'ggml','digest':'sha256:" + digest('1') + "'}]}"));
    QCOMPARE(nameOf('f'), std::string("two:8b"));
  }

  void aManifestSaysWhatIsWrongWithIt() {
    const Folder store;
    const std::string folder = "manifests/registry.ollama.ai/library/m/";
    const auto faultOf = [&](const std::string& text) {
      store.write(folder + "1", text);
      const OllamaManifest read = readOllamaManifest(store / "manifests", store / (folder + "1"));
      return read.weights.empty() ? read.fault : Fault::kNone;
    };
    QCOMPARE(faultOf(manifest("sha256:" + digest('a'))), Fault::kNone);
    for (const char* text : {"{'layers': [", "", "[]", "7", "{'layers': {}}", "{'manifests': []}",
                             "{'manifests': [{'digest': '../../x'}, 7]}"})
      QCOMPARE(faultOf(json(text)), Fault::kNoLayers);
    QCOMPARE(faultOf(json("{'layers': [7, {'mediaType': 7}]}")), Fault::kNoWeights);
    QCOMPARE(faultOf(manifest("sha256:" + digest('a'), "tensor")), Fault::kInTensors);
    for (const std::string& bad : {std::string("sha256:../../../etc/passwd"), "sha256:" + digest('G'),
                                   "sha256/" + digest('a'), "sha256:" + digest('a') + "a"})
      QCOMPARE(faultOf(manifest(bad)), Fault::kNoDigest);
    QCOMPARE(readOllamaManifest(store / "manifests", store / "manifests/stray").fault, Fault::kUnnamed);
  }

  void aSnapshotOfTheHuggingFaceCache() {
    const Folder hub;
    const std::string model = "models--acme--slow/", main = model + "snapshots/0123456789abcdef/";
    hub.write(model + "blobs/one");
    hub.write(model + "refs/main", "0123456789abcdef\n");
    for (const char* file : {"config.json", "model.safetensors"}) hub.link("../../blobs/one", main + file);
    hub.link("../../blobs/one", main + "sub/config.json");
    for (const char* path : {"", "snapshots", "snapshots/0123456789abcdef", "snapshots/0123456789abcdef/"})
      QCOMPARE(hub.nameOf(model + path), std::string("acme/slow"));
    QCOMPARE(hub.nameOf(main + "sub"), std::string("acme/slow/sub"));
    hub.write(model + "snapshots/fedcba9876543210/config.json");
    QCOMPARE(hub.nameOf(model + "snapshots/fedcba9876543210"), std::string("acme/slow (fedcba98)"));
    QCOMPARE(hub.nameOf(main), std::string("acme/slow"));
    fs::remove(hub / (model + "refs/main"));
    QCOMPARE(hub.nameOf(main), std::string("acme/slow (01234567)"));
  }

  void aGgufFileInTheCache() {
    const Folder hub;
    const std::string snapshot = "models--acme--slow-GGUF/snapshots/0123/";
    hub.write("models--acme--slow-GGUF/blobs/one");
    const auto file = [&](const std::string& name) {
      hub.link("../../blobs/one", snapshot + name);
      return snapshot + name;
    };
    const std::string eight = file("slow-Q8_0.gguf");
    QCOMPARE(hub.nameOf(eight), std::string("acme/slow-GGUF:Q8_0"));
    QCOMPARE(hub.nameOf("models--acme--slow-GGUF"), std::string("acme/slow-GGUF:Q8_0"));
    file("mmproj-Q8_0.gguf");
    QCOMPARE(hub.nameOf(eight), std::string("acme/slow-GGUF:Q8_0"));
    QCOMPARE(hub.nameOf(file("slow-q4_k_m-00001-of-00002.gguf")), std::string("acme/slow-GGUF:Q4_K_M"));
    file("slow-q4_k_m-00002-of-00002.gguf");
    QCOMPARE(hub.nameOf(snapshot + "slow-q4_k_m-00001-of-00002.gguf"), std::string("acme/slow-GGUF:Q4_K_M"));
    QCOMPARE(hub.nameOf(file("slow.gguf")), std::string("acme/slow-GGUF:slow"));
    QCOMPARE(hub.nameOf(file("model.gguf")), std::string("acme/slow-GGUF"));
    QCOMPARE(hub.nameOf(file("quick-Q8_0.gguf")), std::string("acme/slow-GGUF:quick-Q8_0"));
    QCOMPARE(hub.nameOf(eight), std::string("acme/slow-GGUF:slow-Q8_0"));
  }

  void whatProgramsKeepByTheirOwners() {
    const Folder home;
    for (const char* models :
         {".lmstudio/models/", ".cache/lm-studio/models/", "vitrine/models/", "Jan/data/llamacpp/models/"}) {
      home.write(std::string(models) + "acme/slow/slow-Q8_0.gguf");
      home.write(std::string(models) + "acme/slow/Q4_0/slow-Q4_0.gguf");
      home.write(std::string(models) + "acme/folder/config.json");
      home.write(std::string(models) + "acme/folder/model.safetensors");
      home.write(std::string(models) + "acme/one/model.gguf");
      home.write(std::string(models) + "alone.gguf");
      QCOMPARE(home.nameOf(std::string(models) + "acme/slow/slow-Q8_0.gguf"), std::string("acme/slow:Q8_0"));
      QCOMPARE(home.nameOf(std::string(models) + "acme/slow/Q4_0/slow-Q4_0.gguf"),
               std::string("acme/slow:Q4_0"));
      QCOMPARE(home.nameOf(std::string(models) + "acme/folder"), std::string("acme/folder"));
      QCOMPARE(home.nameOf(std::string(models) + "acme/one/model.gguf"), std::string("acme/one"));
      QCOMPARE(home.nameOf(std::string(models) + "alone.gguf"), std::string("alone"));
    }
    home.write("llama/manifest=ggml-org=a_b-GGUF=latest.json", "{}");
    home.write("llama/manifest=ggml-org.json", "{}");
    home.write("llama/ggml-org_a_b-GGUF_a_b-Q8_0.gguf");
    home.write("llama/ggml-org_a_b-GGUF_small.gguf");
    QCOMPARE(home.nameOf("llama/ggml-org_a_b-GGUF_a_b-Q8_0.gguf"), std::string("ggml-org/a_b-GGUF:Q8_0"));
    QCOMPARE(home.nameOf("llama/ggml-org_a_b-GGUF_small.gguf"), std::string("ggml-org/a_b-GGUF:small"));
  }

  void plainFilesAndFolders() {
    const Folder folder;
    folder.write("models/acme/slow/slow-Q8_0.gguf");  // of no program's layout
    folder.write("big/big-Q8_0-00001-of-00002.gguf");
    folder.write("big/big-Q8_0-00002-of-00002.gguf");
    folder.write("id/Model.GGUF");
    folder.write("odd/weights.bin");
    folder.write("hf/config.json");
    QCOMPARE(folder.nameOf("models/acme/slow/slow-Q8_0.gguf"), std::string("slow-Q8_0"));
    QCOMPARE(folder.nameOf("big/big-Q8_0-00001-of-00002.gguf"), std::string("big-Q8_0"));
    QCOMPARE(folder.nameOf("big"), std::string("big-Q8_0"));
    QCOMPARE(folder.nameOf("id/Model.GGUF"), std::string("id"));
    QCOMPARE(folder.nameOf("odd/weights.bin"), std::string("weights.bin"));
    QCOMPARE(folder.nameOf("hf/../hf/"), std::string("hf"));
    QCOMPARE(folder.nameOf("nowhere"), std::string("nowhere"));
    QCOMPARE(modelName("/"), std::string());
    QCOMPARE(modelName(""), std::string());
  }

  void namesOfGgufFiles_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("base");
    QTest::addColumn<QString>("quantization");
    const auto row = [](const char* file, const char* base, const char* quantization) {
      QTest::newRow(file) << QString(file) << QString(base) << QString(quantization);
    };
    row("a/b-Q4_K_M.gguf", "b-Q4_K_M", "Q4_K_M");
    row("b.q8_0.GGUF", "b.q8_0", "Q8_0");
    row("b-UD-Q4_K_XL.gguf", "b-UD-Q4_K_XL", "UD-Q4_K_XL");
    row("b-IQ4_XS.gguf", "b-IQ4_XS", "IQ4_XS");
    row("b-TQ1_0.gguf", "b-TQ1_0", "TQ1_0");
    row("b-MXFP4_MOE.gguf", "b-MXFP4_MOE", "MXFP4_MOE");
    row("b_bf16.gguf", "b_bf16", "BF16");
    row("Q8_0.gguf", "Q8_0", "Q8_0");
    row("b-Q8_0-00002-of-00011.gguf", "b-Q8_0", "Q8_0");
    row("bQ8_0.gguf", "bQ8_0", "");
    row("b-Q8_.gguf", "b-Q8_", "");
    row("b-Q4__K.gguf", "b-Q4__K", "");
    row("b-Q4K.gguf", "b-Q4K", "");
    row("b-Q4_K_M-v2.gguf", "b-Q4_K_M-v2", "");
    row(".gguf", "", "");
  }
  void namesOfGgufFiles() {
    QFETCH(QString, file);
    const GgufName name = readGgufName(file.toStdString());
    QVERIFY(isGgufName(file.toStdString()));
    QTEST(QString::fromStdString(name.base), "base");
    QTEST(QString::fromStdString(name.quantization), "quantization");
  }

  void partsAndPictures() {
    const GgufName part = readGgufName("m-00002-of-00011.gguf");
    QCOMPARE(part.part, 2);
    QCOMPARE(part.parts, 11);
    QCOMPARE(readGgufName("m-0002-of-00011.gguf").parts, 1);
    QVERIFY(readGgufName("mmproj-m-F16.gguf").isVision && readGgufName("m-MMProj.gguf").isVision);
    QVERIFY(!readGgufName("m.gguf").isVision);
    QVERIFY(!isGgufName("m.gguf.part") && !isGgufName("gguf") && !isGgufName(""));
  }
};

QTEST_APPLESS_MAIN(TestLibraryName)
#include "tst_library_name.moc"
