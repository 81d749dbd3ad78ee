// What the path that a person gives as a model means: folders that lead to a model, and those that do not.
#include "vitrine/model_place.h"

#include <filesystem>
#include <fstream>

#include <QTemporaryDir>
#include <QTest>

#include "support/refusal.h"

using namespace vitrine;
using namespace vitrine::test;
namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  operator fs::path() const { return m_scratch.path().toStdString(); }
  fs::path operator/(const std::string& name) const { return fs::path(*this) / name; }
  void write(const std::string& name, const std::string& text = "x") const {
    fs::create_directories((*this / name).parent_path());
    std::ofstream(*this / name, std::ios::binary) << text;
  }

 private:
  QTemporaryDir m_scratch;
};

}  // namespace

class TestModelPlace : public QObject {
  Q_OBJECT

 private slots:
  void modelsAreThemselves() {
    const Folder folder;
    folder.write("m/config.json");
    folder.write("m/model.safetensors");
    folder.write("m/model.gguf");
    folder.write("other/note.txt");
    for (const char* name : {"m", "m/", "m/model.gguf", "other", "nowhere"})
      QCOMPARE(modelPlace(folder / name), folder / name);
  }

  void oneGgufFileIsTheModel() {
    const Folder folder;
    folder.write("g/tiny.gguf");
    folder.write("g/mmproj-tiny.gguf");
    folder.write("g/README.md");
    QCOMPARE(modelPlace(folder / "g"), folder / "g/tiny.gguf");
    folder.write("g/config.json", "{}");  // as people publish them, without safetensors
    QCOMPARE(modelPlace(folder / "g"), folder / "g/tiny.gguf");
    fs::remove(folder / "g/config.json");
    folder.write("g/other.gguf");
    VERIFY_REFUSED(modelPlace(folder / "g"), "invalid_argument",
                   "holds 2 GGUF files and no config.json: other.gguf, tiny.gguf");
    folder.write("parts/big-00001-of-00002.gguf");
    folder.write("parts/big-00002-of-00002.gguf");
    QCOMPARE(modelPlace(folder / "parts"), folder / "parts/big-00001-of-00002.gguf");
  }

  void aRepositoryOfTheHubIsItsSnapshot() {
    const Folder hub;
    const std::string repository = "models--some--Tiny";
    VERIFY_REFUSED((fs::create_directories(hub / (repository + "/snapshots")), modelPlace(hub / repository)),
                   "file_not_found", "has no snapshot");
    hub.write(repository + "/snapshots/abc123/config.json");
    QCOMPARE(modelPlace(hub / repository), hub / (repository + "/snapshots/abc123"));  // the only one
    hub.write(repository + "/snapshots/def456/config.json");
    VERIFY_REFUSED(modelPlace(hub / repository), "invalid_argument",
                   "several snapshots and no refs/main: abc123, def456");
    hub.write(repository + "/refs/main", "def456\n");
    QCOMPARE(modelPlace(hub / repository), hub / (repository + "/snapshots/def456"));
    hub.write(repository + "/refs/main", "999");
    VERIFY_REFUSED(modelPlace(hub / repository), "file_not_found", "lacks the snapshot 999");
    const std::string said = refusal([&] { modelPlace(hub / repository); });
    QVERIFY2(said.ends_with("hf download some/Tiny"), said.c_str());
    for (const char* name : {"../../..", ".", "", "a/b"}) {
      hub.write(repository + "/refs/main", name);
      VERIFY_REFUSED(modelPlace(hub / repository), "file_corrupt", "refs/main names no snapshot");
    }
    hub.write("models--a--file/snapshots/1/a.gguf");
    QCOMPARE(modelPlace(hub / "models--a--file"), hub / "models--a--file/snapshots/1/a.gguf");
  }

  void adaptersNameTheirBase() {
    const Folder folder;
    folder.write("lora/adapter_model.safetensors");
    folder.write("lora/adapter_config.json", R"({"peft_type":"LORA","base_model_name_or_path":"some/base"})");
    VERIFY_REFUSED(modelPlace(folder / "lora"), "unsupported",
                   "holds a LoRA adapter for some/base, and no model");
    folder.write("lora/adapter_config.json", R"({"peft_type":"IA3","base_model_name_or_path":null})");
    VERIFY_REFUSED(modelPlace(folder / "lora"), "unsupported",
                   "an adapter for a model that it does not name");
    folder.write("lora/adapter_config.json", "broken");
    VERIFY_REFUSED(modelPlace(folder / "lora"), "unsupported", "holds an adapter");
    folder.write("lora/config.json");  // merged, and the rest left there
    folder.write("lora/model.safetensors");
    QCOMPARE(modelPlace(folder / "lora"), folder / "lora");
  }
};

QTEST_APPLESS_MAIN(TestModelPlace)
#include "tst_model_place.moc"
