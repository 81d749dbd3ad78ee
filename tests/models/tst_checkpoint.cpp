// Model directories: single files, shards with an index, and everything that can be wrong with them on the
// way into a decoder.
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>

#include "models/checkpoint.h"
#include "models/decoder_harness.h"
#include "models/random_weights.h"
#include "models/safetensors_writer.h"
#include "models/tensor_check.h"
#include "models/tensor_names.h"

#include <QTemporaryDir>
#include <QTest>

#include "models/safetensors_bytes.h"
#include "support/allocations.h"
#include "support/forwarding_backend.h"
#include "support/refusal.h"

using namespace vitrine;
using namespace vitrine::test;
namespace fs = std::filesystem;

namespace {

int freshMemories = 0;  // what was asked for in the way that tensors are

bool countFresh(std::size_t, NewForm form) {
  if (form == NewForm::kNothrow) ++freshMemories;
  return true;
}

ModelConfig tinyConfig() {
  ModelConfig config;
  config.family = "llama";
  config.layers = 2;
  config.hiddenSize = 16;
  config.intermediateSize = 24;
  config.heads = 2;
  config.kvHeads = 1;
  config.headDim = 8;
  config.vocabularySize = 50;
  config.contextLength = config.rope.originalContextLength = 64;
  config.layerSlides.assign(config.layers, false);
  return config;
}

// A checkpoint as a test wants it: the tensors of a config, less some, plus some.
struct Plan {
  ModelConfig config = tinyConfig();
  std::vector<TensorSpec> tensors = checkpointTensors(config);

  void remove(const std::string& name) {
    std::erase_if(tensors, [&](const TensorSpec& tensor) { return tensor.name == name; });
  }
  void write(const fs::path& file, std::size_t first = 0, std::size_t end = SIZE_MAX) const {
    const std::vector<TensorSpec> part(tensors.begin() + first,
                                       tensors.begin() + std::min(end, tensors.size()));
    std::vector<SafetensorsSpec> specs;
    for (const TensorSpec& tensor : part) {
      specs.push_back({tensor.name, config.storedType, {tensor.columns}});
      if (tensor.rows > 0) specs.back().shape.insert(specs.back().shape.begin(), tensor.rows);
    }
    SafetensorsWriter writer(file, specs);
    for (const TensorSpec& tensor : part) {
      std::vector<float> values(tensor.elements());
      fillRandomWeights(tensor, config, 3, 0, values);
      writer.write(std::as_bytes(std::span(values)));
    }
    writer.finish();
  }
};

std::string loadError(const fs::path& directory, const ModelConfig& config) {
  return refusal([&] {
    const auto weights = openCheckpoint(directory);
    DecoderHarness(config, *weights);
  });
}

void verifySays(const std::string& said, const std::string& code, const std::string& word) {
  QVERIFY2(said.starts_with(code + ": "), said.c_str());
  QVERIFY2(said.find(word) < said.find(kBeforeHint), said.c_str());
}

class Directory {
 public:
  operator fs::path() const { return path(); }
  fs::path path() const { return m_scratch.path().toStdString(); }
  fs::path operator/(const char* name) const { return path() / name; }

 private:
  QTemporaryDir m_scratch;
};

constexpr const char* kSingle = "model.safetensors";
constexpr const char* kIndex = "model.safetensors.index.json";

// a.safetensors and b.safetensors, and an index that names them; `edit` may spoil its text.
void writeShards(const Directory& directory, const Plan& plan, const std::string& from = {},
                 const std::string& to = {}) {
  const std::size_t half = plan.tensors.size() / 2;
  plan.write(directory / "a.safetensors", 0, half);
  plan.write(directory / "b.safetensors", half);
  std::string index = R"({"metadata":{},"weight_map":{)";
  for (std::size_t i = 0; i < plan.tensors.size(); ++i)
    index += std::string(i == 0 ? "" : ",") + "\"" + plan.tensors[i].name + "\":\"" + (i < half ? "a" : "b") +
             ".safetensors\"";
  index += "}}";
  if (!from.empty()) index.replace(index.find(from), from.size(), to);
  writeFile(directory / kIndex, index);
}

}  // namespace

class TestCheckpoint : public QObject {
  Q_OBJECT

 private slots:
  void shardsEqualOneFileEqualMemory() {
    const Plan plan;
    const Directory single, sharded;
    plan.write(single / kSingle);
    writeShards(sharded, plan);
    const std::vector<std::int32_t> tokens = {3, 1, 4, 1, 5, 9, 2, 6};
    const auto wanted = DecoderHarness(plan.config, RandomWeights(plan.config, 3)).whole(tokens);
    QVERIFY(DecoderHarness(plan.config, *openCheckpoint(single)).whole(tokens) == wanted);
    QVERIFY(DecoderHarness(plan.config, *openCheckpoint(sharded)).whole(tokens) == wanted);
  }

  void bytesThatLieAskewAreReadAll() {
    // A header of a length no multiple of anything, and an odd tensor before the one that matters.
    for (int padding = 0; padding < 8; ++padding) {
      const Directory directory;
      const std::string header = "{" + entry("odd", "U8", "[3]", "[0,3]") + "," +
                                 entry("w", "F32", "[2]", "[3,11]") + "," +
                                 entry("h", "BF16", "[2]", "[11,15]") + "}" + std::string(padding, ' ');
      std::string file = safetensors(header, 15);
      const float values[] = {1.5f, -2.25f};
      file.replace(file.size() - 12, 8, reinterpret_cast<const char*>(values), 8);
      writeFile(directory / kSingle, file);
      const auto source = openCheckpoint(directory);
      const Tensor tensor = source->get("w", {2});
      const TensorView& view = tensor.view();
      QCOMPARE(reinterpret_cast<std::uintptr_t>(view.data()) % 4, std::uintptr_t{0});
      QCOMPARE(view.f32()[0], 1.5f);
      QCOMPARE(view.f32()[1], -2.25f);
      QCOMPARE(reinterpret_cast<std::uintptr_t>(source->get("h", {2}).view().data()) % 2, std::uintptr_t{0});
    }
  }

  // Reading a model faults in the pages of a few tensors, not those of the whole file.
  void theMemoryOfATensorServesTheNext() {
    const Plan plan;
    const Directory directory;
    plan.write(directory / kSingle);
    auto source = openCheckpoint(directory);
    allocationRule = countFresh;
    freshMemories = 0;
    Tensor large = source->get("lm_head.weight", {50, 16});
    const Tensor beside = source->get("model.norm.weight", {16});
    QCOMPARE(freshMemories, 2);
    QVERIFY(beside.view().data() != large.view().data());
    large = {};
    large = source->get("model.embed_tokens.weight", {50, 16});
    large = {};
    const Tensor small = source->get("model.layers.0.mlp.gate_proj.weight", {24, 16});
    QCOMPARE(freshMemories, 2);
    const float first = small.view().f32()[0];
    source.reset();
    QCOMPARE(small.view().f32()[0], first);
  }

  void nothingThere() {
    const Directory directory;
    VERIFY_REFUSED(openCheckpoint(directory), "file_not_found", "model.safetensors");
    writeFile(directory / "pytorch_model.bin", "x");
    VERIFY_REFUSED(openCheckpoint(directory), "unsupported", "pytorch_model.bin");
    writeFile(directory / "config.json", "{}");
    for (const char* name : {"a.gguf", "b.gguf"}) writeFile(directory / name, "x");
    VERIFY_REFUSED(openCheckpoint(directory), "invalid_argument", "holds 2 GGUF files (a.gguf, ...)");
    writeFile(directory / "all.safetensors", "x");
    VERIFY_REFUSED(openCheckpoint(directory), "file_not_found", "holds all.safetensors, but neither");
    writeFile(directory / "adapter_config.json",
              R"({"peft_type":"LORA","base_model_name_or_path":"some/base"})");
    VERIFY_REFUSED(openCheckpoint(directory), "unsupported", "a LoRA adapter for some/base");
    fs::remove(directory / "adapter_config.json");
    fs::remove(directory / "all.safetensors");
    writeFile(directory / kSingle, "");
    VERIFY_REFUSED(openCheckpoint(directory), "file_unreadable", "is empty");
    fs::remove(directory / kSingle);
    fs::create_directory(directory / kSingle);
    VERIFY_REFUSED(openCheckpoint(directory), "file_unreadable", "is a folder, not a file");
    fs::remove(directory / kSingle);
    QCOMPARE(::mkfifo((directory / kSingle).c_str(), 0600), 0);
    VERIFY_REFUSED(openCheckpoint(directory), "file_unreadable", "is a pipe, not a file");
    fs::remove(directory / kSingle);
    fs::create_symlink(kSingle, directory / kSingle);
    VERIFY_REFUSED(openCheckpoint(directory), "file_unreadable", "is a symbolic link loop");
  }

  void missingTensors() {
    for (const TensorSpec& tensor : checkpointTensors(tinyConfig())) {
      Plan plan;
      plan.remove(tensor.name);
      const Directory directory;
      plan.write(directory / kSingle);
      verifySays(loadError(directory, plan.config), "file_corrupt", tensor.name);
    }
  }

  void headAndTies() {
    Plan untied;
    untied.remove("lm_head.weight");
    const Directory directory;
    untied.write(directory / kSingle);
    verifySays(loadError(directory, untied.config), "file_corrupt", "lm_head.weight");
    ModelConfig tied = untied.config;
    tied.tiedEmbeddings = true;
    const auto without = DecoderHarness(tied, *openCheckpoint(directory)).whole({1, 2, 3});
    Plan both;  // the config has the last word here; ModelFiles compares the two (own_head.h)
    const Directory other;
    both.write(other / kSingle);
    QVERIFY(DecoderHarness(tied, *openCheckpoint(other)).whole({1, 2, 3}) == without);
    QVERIFY(DecoderHarness(both.config, *openCheckpoint(other)).whole({1, 2, 3}) != without);
  }

  void extraTensors() {
    Plan plan;
    plan.tensors.push_back({"model.layers.0.self_attn.rotary_emb.inv_freq", 0, 4});
    plan.tensors.push_back({"model.layers.0.self_attn.masked_bias", 0, 1});
    const Directory directory;
    plan.write(directory / kSingle);
    QVERIFY(checkTensors(plan.config, *openCheckpoint(directory)) == IgnoredTensors());
    const auto wanted = DecoderHarness(plan.config, *openCheckpoint(directory)).whole({1, 2, 3});
    // Beside the decoder: they change nothing, and are counted.
    plan.tensors.push_back({"model.layers.2.input_layernorm.weight", 0, 16});
    plan.tensors.push_back({"model.vision_tower.patch_embed.weight", 4, 4});
    plan.tensors.push_back({"visual.merger.weight", 4, 4});
    plan.tensors.push_back({"score.weight", 0, 16});
    plan.write(directory / kSingle);
    IgnoredTensors ignored = checkTensors(plan.config, *openCheckpoint(directory));
    QCOMPARE(ignored.count, 4);
    QCOMPARE(ignored.first,
             (std::vector<std::string>{"model.layers.2.input_layernorm.weight",
                                       "model.vision_tower.patch_embed.weight", "score.weight"}));
    QVERIFY(!ignored.draftHead);
    QVERIFY(DecoderHarness(plan.config, *openCheckpoint(directory)).whole({1, 2, 3}) == wanted);
  }

  void aDraftHeadIsKnownAsOne() {
    for (const char* name : {"mtp.fc.weight", "model.mtp.layers.0.weight", "nextn.weight",
                             "model.layers.2.eh_proj.weight", "model.layers.2.shared_head.norm.weight"}) {
      Plan plan;
      plan.tensors.push_back({name, 0, 16});
      const Directory directory;
      plan.write(directory / kSingle);
      const IgnoredTensors ignored = checkTensors(plan.config, *openCheckpoint(directory));
      QCOMPARE(ignored.count, 1);
      QVERIFY2(ignored.draftHead, name);
    }
  }

  // A tensor that could change the answers, or of a part that is not known.
  void tensorsThatMatterAreRefused() {
    for (const char* name :
         {"model.layers.0.self_attn.q_proj.bias", "model.layers.1.self_attn.q_norm.weight",
          "model.layers.0.mlp.experts.0.up_proj.weight", "model.layers.1.mtp.weight", "model.norm.bias",
          "model.embed_positions.weight", "lm_head.bias", "extra.weight", "alone", "model.layers.x.weight"}) {
      Plan plan;
      plan.tensors.push_back({name, 0, 16});
      const Directory directory;
      plan.write(directory / kSingle);
      const std::string said = loadError(directory, plan.config);
      verifySays(said, "file_corrupt", name);
      QVERIFY2(said.find("config.json and the weights do not belong together") != std::string::npos,
               said.c_str());
    }
    Plan many;
    for (int i = 0; i < 50; ++i) many.tensors.push_back({"extra." + std::to_string(i), 0, 1});
    const Directory directory;
    many.write(directory / kSingle);
    verifySays(loadError(directory, many.config), "file_corrupt", "and 47 more");
  }

  void shapesAndTypesThatDiffer() {
    const Plan plan;
    const Directory directory;
    plan.write(directory / kSingle);
    ModelConfig config = plan.config;
    config.intermediateSize = 25;
    const std::string said = loadError(directory, config);
    verifySays(said, "file_corrupt", "model.layers.0.mlp.gate_proj.weight");
    verifySays(said, "file_corrupt", "[24, 16]");
    verifySays(said, "file_corrupt", "[25, 16]");
    writeFile(directory / kSingle, safetensors("{" + entry("w", "I64", "[2]", "[0,16]") + "}", 16));
    const auto source = openCheckpoint(directory);
    VERIFY_REFUSED(source->get("w", {2}), "file_corrupt", "I64");
    VERIFY_REFUSED(source->get("w", {2, 1}), "file_corrupt", "[2, 1]");
    VERIFY_REFUSED(source->get("v", {2}), "file_corrupt", "tensor v is missing");
  }

  void truncatedFile() {
    const Plan plan;
    const Directory directory;
    plan.write(directory / kSingle);
    const auto whole = fs::file_size(directory / kSingle);
    for (const auto size :
         {whole - 1, whole / 2, std::uintmax_t{100}, std::uintmax_t{8}, std::uintmax_t{1}}) {
      fs::resize_file(directory / kSingle, size);
      verifySays(loadError(directory, plan.config), "file_corrupt", "model.safetensors");
    }
  }

  void fileThatShrinksWhileOpen() {
    const Plan plan;
    const Directory directory;
    plan.write(directory / kSingle);
    const auto source = openCheckpoint(directory);
    const Tensor kept = source->get("model.norm.weight", {16});
    const std::vector<float> values(kept.view().f32(), kept.view().f32() + 16);
    fs::resize_file(directory / kSingle, 4096);
    const std::string said = refusal([&] { source->get("model.norm.weight", {16}); });
    verifySays(said, "file_corrupt", "became shorter");
    verifySays(said, "file_corrupt", "tensor model.norm.weight");
    fs::resize_file(directory / kSingle, 0);
    // What was given is no page of the file that is gone.
    QVERIFY(std::equal(values.begin(), values.end(), kept.view().f32()));
  }

  void fileThatIsWrittenToWhileOpen() {
    const Plan plan;
    const Directory directory;
    plan.write(directory / kSingle);
    const auto source = openCheckpoint(directory);
    source->get("model.norm.weight", {16});
    const auto size = fs::file_size(directory / kSingle);
    fs::last_write_time(directory / kSingle, fs::file_time_type::clock::now() + std::chrono::seconds(1));
    QCOMPARE(fs::file_size(directory / kSingle), size);
    VERIFY_REFUSED(source->get("model.norm.weight", {16}), "file_corrupt", "was written to");
  }

  // The file is cut while a backend packs what it was given; it then reads on, and only the next tensor
  // fails.
  void fileThatShrinksWhileATensorIsPacked() {
    class Cutting final : public ForwardingBackend {
     public:
      Cutting(std::unique_ptr<Backend> inner, fs::path file)
          : ForwardingBackend(std::move(inner)), m_file(std::move(file)) {}
      int packed = 0;
      std::unique_ptr<LinearWeight> packLinear(std::span<const TensorView> parts,
                                               WeightFormat format) override {
        fs::resize_file(m_file, 0);
        auto weight = ForwardingBackend::packLinear(parts, format);
        ++packed;
        return weight;
      }

     private:
      const fs::path m_file;
    };
    const Plan plan;
    const Directory directory;
    plan.write(directory / kSingle);
    const auto source = openCheckpoint(directory);
    Cutting backend(makeCpuBackend(1), directory / kSingle);
    const std::string said = refusal([&] { Decoder(backend, plan.config, *source, DType::kF32); });
    verifySays(said, "file_corrupt", "became shorter");
    QCOMPARE(backend.packed, 1);
  }

  void indexFaults_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("word");
    const auto add = [](const char* name, const char* from, const char* to, const char* code,
                        const char* word) { QTest::newRow(name) << from << to << code << word; };
    add("shard missing", "a.safetensors", "c.safetensors", "file_not_found", "c.safetensors");
    add("parent folder", "a.safetensors", "../a.safetensors", "file_corrupt", "../a.safetensors");
    add("absolute path", "a.safetensors", "/etc/passwd", "file_corrupt", "/etc/passwd");
    add("sub-folder", "a.safetensors", "sub/a.safetensors", "file_corrupt", "sub/a.safetensors");
    add("backslash", "a.safetensors", "..\\\\a.safetensors", "file_corrupt", "no plain file name");
    add("dots", "\"a.safetensors\"", "\"..\"", "file_corrupt", "no plain file name");
    add("empty", "\"a.safetensors\"", "\"\"", "file_corrupt", "no plain file name");
    add("a NUL within", "a.safetensors", "a\\u0000.safetensors", "file_corrupt", "no plain file name");
    add("a number", "\"a.safetensors\"", "3", "file_corrupt", "model.embed_tokens.weight");
    add("wrong shard", "\"model.embed_tokens.weight\":\"a.safetensors\"",
        "\"model.embed_tokens.weight\":\"b.safetensors\"", "file_corrupt", "model.embed_tokens.weight");
    add("tensor in no shard", "\"model.embed_tokens.weight\":",
        "\"model.ghost\":\"a.safetensors\",\"model.embed_tokens.weight\":", "file_corrupt", "model.ghost");
    add("no map", "weight_map", "weight_mop", "file_corrupt", "weight_map");
    add("no JSON", "}}", "}", "file_corrupt", kIndex);
    add("map of lists", "\"weight_map\":{", "\"weight_map\":[], \"x\":{", "file_corrupt", "weight_map");
  }
  void indexFaults() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, code);
    QFETCH(QString, word);
    const Directory directory;
    writeShards(directory, Plan(), from.toStdString(), to.toStdString());
    VERIFY_REFUSED(openCheckpoint(directory), code.toStdString(), word.toStdString());
  }

  void aTensorInTwoShards() {
    const Plan plan;
    const Directory directory;
    writeShards(directory, plan);
    plan.write(directory / "b.safetensors", plan.tensors.size() / 2 - 1);  // one that a.safetensors has too
    VERIFY_REFUSED(openCheckpoint(directory), "file_corrupt", plan.tensors[plan.tensors.size() / 2 - 1].name);
    VERIFY_REFUSED(openCheckpoint(directory), "file_corrupt", "a.safetensors");
  }

  void aWholeFileWinsOverAnIndex() {
    const Plan plan;
    const Directory directory;
    plan.write(directory / kSingle);
    writeFile(directory / kIndex, "broken");
    QCOMPARE(openCheckpoint(directory)->names().size(), plan.tensors.size());
  }

  void shardsWithoutTheirIndex() {
    const Directory directory;
    writeShards(directory, Plan());
    fs::remove(directory / kIndex);
    const std::string said = refusal([&] { openCheckpoint(directory); });
    verifySays(said, "file_not_found",
               "holds 2 safetensors files (a.safetensors, ...), but no " + std::string(kIndex));
    QVERIFY2(said.ends_with("Download model.safetensors.index.json into the folder."), said.c_str());
  }

  // A small model.safetensors beside shards is read, as in transformers; what it lacks, the index knows.
  void aStrayFileBesideAnIndex() {
    const Plan plan;
    const Directory directory;
    writeShards(directory, plan);
    Plan stray;
    stray.remove("lm_head.weight");
    const auto saysWhere = [&](const std::string& said, const char* tensor) {
      verifySays(said, "file_corrupt", tensor);
      QVERIFY2(said.find(std::string(kIndex) + " beside it names shards that hold the tensor") !=
                   std::string::npos,
               said.c_str());
    };
    stray.write(directory / kSingle);
    saysWhere(loadError(directory, plan.config), "lm_head.weight");
    stray.remove("model.norm.weight");
    stray.write(directory / kSingle);
    saysWhere(refusal([&] { openCheckpoint(directory)->require("model.norm.weight", {16}); }),
              "model.norm.weight");
    writeFile(directory / kIndex, "broken");
    const std::string said = loadError(directory, plan.config);
    QVERIFY2(said.find(kIndex) == std::string::npos, said.c_str());
  }

  // As where a decoder was saved alone, or as a part of a model that sees.
  void namesWithOtherPrefixes() {
    const Plan plain;
    const Directory wanted;
    plain.write(wanted / kSingle);
    const auto logits = DecoderHarness(plain.config, *openCheckpoint(wanted)).whole({1, 2, 3});
    for (const std::string prefix : {"", "model.language_model.", "language_model.model."}) {
      Plan plan;
      std::map<std::string, TensorSpec> original;
      for (TensorSpec& tensor : plan.tensors) {
        const std::string before = tensor.name;
        if (before.starts_with("model."))
          tensor.name = prefix + before.substr(6);
        else if (prefix == "language_model.model.")
          tensor.name = "language_model." + before;
        original[tensor.name] = {before, tensor.rows, tensor.columns};
      }
      const Directory directory;
      std::vector<SafetensorsSpec> specs;
      for (const auto& [name, tensor] : original)
        specs.push_back({name, plan.config.storedType, tensor.shape()});
      SafetensorsWriter writer(directory / kSingle, specs);
      for (const auto& [name, tensor] : original) {
        std::vector<float> values(tensor.elements());
        fillRandomWeights(tensor, plan.config, 3, 0, values);
        writer.write(std::as_bytes(std::span(values)));
      }
      writer.finish();
      const auto source = openCheckpoint(directory);
      QVERIFY(DecoderHarness(plan.config, *source).whole({1, 2, 3}) == logits);
      QCOMPARE(source->nameInFile("model.norm.weight"), prefix + "norm.weight");
      QVERIFY(checkTensors(plan.config, *source) == IgnoredTensors());
    }
  }
};

QTEST_APPLESS_MAIN(TestCheckpoint)
#include "tst_checkpoint.moc"
