// Folders that a model comes in, opened as every command and the window open them: logits against those of
// transformers for the same weights, and the names and notes that a model gets.
#include "runtime/model_files.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "models/decoder_harness.h"
#include "support/event_log.h"
#include "support/golden.h"
#include "support/refusal.h"
#include "support/tiny_engine.h"
#include "vitrine/files.h"
#include "vitrine/inspect.h"
#include "vitrine/model_place.h"

#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;
namespace fs = std::filesystem;
using json = nlohmann::json;

namespace {

fs::path goldenFolder(const std::string& name) {
  return fs::path(VITRINE_SOURCE_DIR) / "tests/golden/models" / name;
}

void writeText(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

// A copy of a golden model's config and weights. `config` may change the one; `header` the other's, where the
// bytes of data may grow.
using Edit = std::function<void(json&)>;
using HeaderEdit = std::function<void(json&, std::string& data)>;
void copyModel(const std::string& golden, const fs::path& to, const Edit& config,
               const HeaderEdit& header = {}) {
  fs::create_directories(to);
  json described = json::parse(readWholeFile(goldenFolder(golden) / "config.json", 1 << 20));
  config(described);
  writeText(to / "config.json", described.dump());
  const std::string bytes = readWholeFile(goldenFolder(golden) / "model.safetensors", 64 << 20);
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  json entries = json::parse(bytes.substr(8, length));
  std::string data = bytes.substr(8 + length);
  if (header) header(entries, data);
  const std::string text = entries.dump();
  length = text.size();
  writeText(to / "model.safetensors",
            std::string(reinterpret_cast<const char*>(&length), sizeof length) + text + data);
}

// How far the logits of a model are from those of a golden; both in whole.
double awayFrom(const std::string& golden, const fs::path& model) {
  const Golden expected = Golden::load(goldenFolder(golden) / "expected.safetensors");
  const auto& ids = expected.integers("input_ids").values;
  const ModelFiles files(model);
  const auto logits = DecoderHarness(files.config(), *files.weights()).whole({ids.begin(), ids.end()});
  const auto& wanted = expected.floats("logits").values;
  double largest = 0;
  std::size_t at = 0;
  for (const auto& row : logits)
    for (const float value : row) largest = std::max(largest, std::abs(double{value} - wanted.at(at++)));
  return at == wanted.size() && !std::isnan(largest) ? largest : INFINITY;
}
double toleranceOf(const std::string& golden) {
  return Golden::load(goldenFolder(golden) / "expected.safetensors").tolerance();
}

void tie(json& config) { config["tie_word_embeddings"] = true; }
void keep(json&) {}

}  // namespace

class TestModelFiles : public QObject {
  Q_OBJECT

  QTemporaryDir m_scratch;
  fs::path at(const char* name) const { return fs::path(m_scratch.path().toStdString()) / name; }

 private slots:
  // config.json ties, the weights have another head: transformers 5 takes that one and says so.
  void aHeadOfItsOwnIsUsedAndSaid() {
    copyModel("llama", at("own"), tie);
    QVERIFY(awayFrom("llama", at("own")) <= toleranceOf("llama"));
    EventLog log;
    const auto engine = Engine::load(at("own"), tinyOptions(), log);
    const auto& notes = engine->description().ignoredTensors;
    QCOMPARE(notes.size(), std::size_t{1});
    QVERIFY(notes[0].tieIgnored && notes[0].count == 0);
    QCOMPARE(notes[0].model, std::string("own"));
    QVERIFY(!inspectSizes(at("own")).tiedEmbeddings);
  }

  // Of a head that is the embedding there is one, and no word; one row that differs makes it another.
  void aHeadThatIsTheEmbeddingIsTied() {
    const auto repeat = [](bool changed) {
      return [changed](json& entries, std::string& data) {
        json head = entries.at("model.embed_tokens.weight");
        const auto begin = head["data_offsets"][0].get<std::size_t>(),
                   end = head["data_offsets"][1].get<std::size_t>();
        head["data_offsets"] = {data.size(), data.size() + end - begin};
        entries["lm_head.weight"] = head;
        data += data.substr(begin, end - begin);
        if (changed) data.back() = static_cast<char>(data.back() ^ 1);
      };
    };
    copyModel("llama-tied", at("same"), keep, repeat(false));
    QVERIFY(awayFrom("llama-tied", at("same")) <= toleranceOf("llama-tied"));
    QVERIFY(ModelFiles(at("same")).config().tiedEmbeddings);
    QVERIFY(inspectSizes(at("same")).tiedEmbeddings);
    copyModel("llama-tied", at("other"), keep, repeat(true));
    QVERIFY(ModelFiles(at("other")).config().tieIgnored);
    QVERIFY(!ModelFiles(at("other")).config().tiedEmbeddings);
  }

  // Saved without its head, and as a part of a model that sees.
  void namesWithoutAndWithMoreBeforeThem() {
    for (const std::string prefix : {"", "model.language_model."}) {
      const fs::path folder = at(prefix.empty() ? "bare" : "seeing");
      copyModel("llama-tied", folder, keep, [&](json& entries, std::string&) {
        json renamed;
        for (const auto& [name, entry] : entries.items())
          renamed[name.starts_with("model.") ? prefix + name.substr(6) : name] = entry;
        entries = renamed;
      });
      QVERIFY(awayFrom("llama-tied", folder) <= toleranceOf("llama-tied"));
      QCOMPARE(inspectSizes(folder).tensors.front().name, prefix + "embed_tokens.weight");
    }
  }

  void aModelWithoutAHeadIsRefusedAsOne() {
    copyModel("llama", at("headless"), keep, [](json& entries, std::string& data) {
      // The head's bytes become those of a tensor that no decoder minds.
      entries["score.weight"] = entries.at("lm_head.weight");
      entries.erase("lm_head.weight");
      static_cast<void>(data);
    });
    EventLog log;
    const std::string said = refusal([&] { Engine::load(at("headless"), tinyOptions(), log); });
    QVERIFY2(
        said.find("lacks lm_head.weight") != said.npos && said.find("only makes embeddings") != said.npos,
        said.c_str());
  }

  void aRepositoryOfTheHubHasItsName() {
    const fs::path repository = at("models--some--Tiny");
    copyModel("llama", repository / "snapshots/abc123", keep);
    fs::create_directories(repository / "refs");
    writeText(repository / "refs/main", "abc123");
    QVERIFY(awayFrom("llama", repository) <= toleranceOf("llama"));
    EventLog log;
    for (const fs::path& path : {repository, repository / "snapshots/abc123"}) {
      QCOMPARE(Engine::load(path, tinyOptions(), log)->description().model.name, std::string("some/Tiny"));
      QCOMPARE(inspectModel(path).name, std::string("some/Tiny"));
    }
  }

  // A clone without git-lfs, file by file.
  void pointersBesideTheWeightsAreNamed() {
    for (const char* name : {"config.json", "generation_config.json", "tokenizer.json",
                             "tokenizer_config.json", "model.safetensors"}) {
      const fs::path folder = at("clone");
      fs::remove_all(folder);
      copyModel("llama", folder, keep);
      writeText(folder / name, "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n");
      if (std::string(name) == "tokenizer_config.json") writeText(folder / "tokenizer.json", "{}");
      EventLog log;
      VERIFY_REFUSED(Engine::load(folder, tinyOptions(), log), "file_corrupt",
                     std::string(name) + " is a git-lfs pointer");
    }
  }

  void aFolderWithOneGgufFileIsThatModel() {
    fs::create_directories(at("single"));
    fs::copy_file(fs::path(VITRINE_SOURCE_DIR) / "tests/golden/gguf/qwen2.gguf", at("single") / "tiny.gguf");
    EventLog log;
    QCOMPARE(Engine::load(at("single"), tinyOptions(), log)->description().model.name, std::string("tiny"));
    QCOMPARE(inspectModel(at("single")).container, std::string("GGUF"));
  }
};

QTEST_APPLESS_MAIN(TestModelFiles)
#include "tst_model_files.moc"
