// GGUF models against others' arithmetic: files that gguf-py wrote with logits in float64 beside them
// (tests/golden/gguf), and every type of block in every family against plain loops over the decoded weights.
#include <cmath>
#include <filesystem>
#include <fstream>

#include "models/checkpoint.h"
#include "models/decoder_harness.h"
#include "models/gguf_of.h"
#include "models/tensor_check.h"
#include "support/golden.h"
#include "support/naive_model.h"
#include "support/refusal.h"

#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;
namespace fs = std::filesystem;

namespace {

const fs::path kGoldens = fs::path(VITRINE_SOURCE_DIR) / "tests/golden/gguf";
constexpr const char* kNames[] = {"llama3-rope", "llama-linear", "llama-yarn", "llama-yarn-tuned",
                                  "qwen2",       "qwen3",        "mistral"};

template <typename Row, typename Value>
double difference(const std::vector<Row>& got, const std::vector<Value>& wanted) {
  std::size_t at = 0;
  double largest = 0;
  for (const Row& row : got)
    for (const auto value : row) {
      if (at == wanted.size() || std::isnan(value)) return INFINITY;
      largest = std::max(largest, std::abs(double(value) - double(wanted[at++])));
    }
  return at == wanted.size() ? largest : INFINITY;
}

struct Loaded {
  ModelConfig config;
  std::unique_ptr<WeightSource> weights;
};

Loaded load(std::string_view bytes) {
  auto model = modelIn(bytes);
  const ModelConfig config = readGgufConfig(*model);
  return {config, openGgufWeights(std::move(model), config)};
}

std::vector<std::int32_t> prompt(int count, int vocabulary) {
  std::vector<std::int32_t> tokens;
  for (int i = 0; i < count; ++i) tokens.push_back((i * 37 + 11) % vocabulary);
  return tokens;
}

// A small file with one change: most of its tensors in float32.
std::string changed(const std::function<void(GgufBytes&)>& change) {
  GgufBytes file = ggufKeys(ggufTestConfig("llama"));
  change(file);
  addTensors(
      file, ggufTestConfig("llama"), [](const std::string&) { return BlockType::kQ40; }, 1);
  return file.bytes();
}

void loadWhole(const std::string& bytes) {
  const Loaded loaded = load(bytes);
  DecoderHarness(loaded.config, *loaded.weights);
}

}  // namespace

class TestGgufModels : public QObject {
  Q_OBJECT

 private slots:
  void goldenLogits_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : kNames) QTest::addRow("%s", name) << QString(name);
  }
  void goldenLogits() {
    QFETCH(QString, name);
    const fs::path file = kGoldens / (name.toStdString() + ".gguf");
    const Golden golden = Golden::load(kGoldens / (name.toStdString() + ".safetensors"));
    const ModelConfig config = loadModelConfig(file);
    QCOMPARE(config.packedType, golden.metadata().at("type"));
    const auto& ids = golden.integers("input_ids").values;
    const std::vector<std::int32_t> tokens(ids.begin(), ids.end());
    DecoderHarness harness(config, *openCheckpoint(file));
    const double off = difference(harness.whole(tokens), golden.floats("logits").values);
    qInfo("logits %.1e away", off);
    QVERIFY(off <= golden.tolerance());
  }

  // The folder that a golden file was made of reads as the same model.
  void configsOfTheFolders() {
    for (const char* name : kNames) {
      const ModelConfig file = loadModelConfig(kGoldens / (std::string(name) + ".gguf"));
      const ModelConfig folder = loadModelConfig(kGoldens.parent_path() / "models" / name);
      QCOMPARE(file.family, folder.family);
      QCOMPARE(file.parameters(), folder.parameters());
      QCOMPARE(file.contextLength, folder.contextLength);
      QCOMPARE(file.slidingWindow, folder.slidingWindow);
      QCOMPARE(file.layerSlides, folder.layerSlides);
      QCOMPARE(file.tiedEmbeddings, folder.tiedEmbeddings);
      QCOMPARE(file.eosTokens, folder.eosTokens);
      QCOMPARE(file.rmsNormEps, folder.rmsNormEps);
    }
  }

  void everyTypeInEveryFamily_data() {
    QTest::addColumn<QString>("family");
    QTest::addColumn<int>("type");
    for (const char* family : {"llama", "mistral", "qwen2", "qwen3"})
      for (int type = 0; type < kBlockTypes; ++type)
        QTest::addRow("%s %s", family, blockTypeInfo(BlockType(type)).name) << QString(family) << type;
  }
  void everyTypeInEveryFamily() {
    QFETCH(QString, family);
    QFETCH(int, type);
    const std::string bytes =
        ggufOf(ggufTestConfig(family.toStdString()), [&](const std::string&) { return BlockType(type); });
    const Loaded loaded = load(bytes);
    QCOMPARE(loaded.config.family, family.toStdString());
    const auto tokens = prompt(14, loaded.config.vocabularySize);
    DecoderHarness harness(loaded.config, *loaded.weights);
    const auto logits = harness.whole(tokens);
    std::vector<double> wanted;
    double widest = 0;
    for (const auto& row : runNaive(loaded.config, *loaded.weights, tokens).logits)
      for (const double value : row) {
        wanted.push_back(value);
        widest = std::max(widest, std::abs(value));
      }
    QVERIFY(widest > 0.5);  // logits that say something
    const double off = difference(logits, wanted);
    qInfo("%.1e away, the widest logit is %.1f", off, widest);
    QVERIFY2(off <= 1e-4, qPrintable(QString::number(off)));
  }

  // As quantizers write files: a type for most, a wider one for some, floats for the rest; and the law holds.
  void typesMixedInOneFile_data() {
    QTest::addColumn<int>("most");
    QTest::addColumn<int>("values");
    QTest::addColumn<int>("up");
    QTest::addColumn<int>("down");
    QTest::addColumn<int>("table");
    const auto row = [](const char* name, BlockType most, BlockType values, BlockType up, BlockType down,
                        BlockType table) {
      QTest::newRow(name) << int(most) << int(values) << int(up) << int(down) << int(table);
    };
    using enum BlockType;
    row("Q4_K_M", kQ4K, kQ6K, kF16, kQ4K, kQ5K);
    row("Q2_K", kQ2K, kQ4K, kQ2K, kQ3K, kQ2K);
    row("Q2_K_S", kQ2K, kQ4K, kQ2K, kQ2K, kQ2K);
    row("Q3_K_S", kQ3K, kQ3K, kQ3K, kQ3K, kQ3K);
    row("Q3_K_M", kQ3K, kQ5K, kQ3K, kQ4K, kQ3K);
    row("IQ4_XS", kIq4Xs, kQ5K, kIq4Xs, kIq4Nl, kIq4Xs);
  }
  void typesMixedInOneFile() {
    QFETCH(int, most);
    QFETCH(int, values);
    QFETCH(int, up);
    QFETCH(int, down);
    QFETCH(int, table);
    const std::string bytes = ggufOf(ggufTestConfig("llama"), [&](const std::string& name) {
      const auto is = [&](const char* part) { return name.find(part) != std::string::npos; };
      if (name == kHeadName) return BlockType::kQ6K;
      return BlockType(is("v_proj")             ? values
                       : is("up_proj")          ? up
                       : is("down_proj")        ? down
                       : name == kEmbeddingName ? table
                                                : most);
    });
    const Loaded loaded = load(bytes);
    QCOMPARE(loaded.config.packedType, std::string(blockTypeInfo(BlockType(most)).name));
    const auto tokens = prompt(23, loaded.config.vocabularySize);
    DecoderHarness harness(loaded.config, *loaded.weights);
    const auto whole = harness.whole(tokens);
    std::vector<double> wanted;
    for (const auto& row : runNaive(loaded.config, *loaded.weights, tokens).logits)
      wanted.insert(wanted.end(), row.begin(), row.end());
    QVERIFY(difference(whole, wanted) <= 1e-4);
    DecoderHarness other(loaded.config, *loaded.weights, DType::kF32, 64, 16, 2);
    std::size_t at = 0;
    for (const std::size_t count : {1, 7, 2, 13}) {
      const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(at);
      const std::vector<std::int32_t> part(begin, begin + static_cast<std::ptrdiff_t>(count));
      for (const auto& row : other.forward({{part, static_cast<int>(at), {5, 2}}}))
        QCOMPARE(row, whole[at++]);
    }
  }

  // The context decides which factors turn, so a token's values follow from the tokens before it alone.
  void longRope_data() {
    QTest::addColumn<int>("original");
    QTest::newRow("long") << 16;
    QTest::newRow("short") << 128;
  }
  void longRope() {
    QFETCH(int, original);
    const std::string bytes = changed([&](GgufBytes& f) {
      f.text("llama.rope.scaling.type", "longrope");
      f.number("llama.rope.scaling.original_context_length", std::uint32_t(original));
      f.real("llama.rope.scaling.attn_factor", 1.2f);
      std::string shorter, longer;
      for (int i = 0; i < 32; ++i) shorter += raw(1 + 0.02f * float(i)), longer += raw(1 + 0.5f * float(i));
      f.tensor("rope_factors_short.weight", {32}, 0, shorter);
      f.tensor("rope_factors_long.weight", {32}, 0, longer);
    });
    const Loaded loaded = load(bytes);
    const RopeConfig& rope = loaded.config.rope;
    QCOMPARE(rope.kind, RopeKind::kLongRope);
    QCOMPARE(rope.takesLong, original == 16);
    QCOMPARE(rope.longFactors[2], 2.0f);
    QCOMPARE(rope.shortFactors[5], 1.1f);
    QVERIFY(checkTensors(loaded.config, *loaded.weights).first.empty());
    const auto tokens = prompt(23, loaded.config.vocabularySize);
    DecoderHarness harness(loaded.config, *loaded.weights);
    const auto whole = harness.whole(tokens);
    std::vector<double> wanted;
    for (const auto& row : runNaive(loaded.config, *loaded.weights, tokens).logits)
      wanted.insert(wanted.end(), row.begin(), row.end());
    QVERIFY(difference(whole, wanted) <= 1e-4);
    DecoderHarness other(loaded.config, *loaded.weights, DType::kF32, 64, 16, 2);
    const std::vector<std::int32_t> first(tokens.begin(), tokens.begin() + 9),
        rest(tokens.begin() + 9, tokens.end());
    std::size_t at = 0;
    for (const auto& row : other.forward({{first, 0, {5, 2}}})) QCOMPARE(row, whole[at++]);
    for (const auto& row : other.forward({{rest, 9, {5, 2}}})) QCOMPARE(row, whole[at++]);
  }

  // Every other tensor in a part of its own.
  void aSplitModel() {
    QTemporaryDir scratch;
    const fs::path folder = scratch.path().toStdString();
    const std::string bytes =
        ggufOf(ggufTestConfig("qwen3"), [](const std::string&) { return BlockType::kQ51; });
    const auto whole = modelIn(bytes);
    GgufBytes parts[] = {ggufKeys(ggufTestConfig("qwen3")), GgufBytes()};
    std::size_t turn = 0;
    for (const auto& [name, place] : whole->tensors()) {
      std::string data(place.tensor->bytes, '\0');
      place.file->read(*place.tensor, 0, std::as_writable_bytes(std::span(data)));
      const std::vector<std::uint64_t> shape(place.tensor->shape.begin(), place.tensor->shape.end());
      parts[turn++ % 2].tensor(name, shape, blockTypeInfo(place.tensor->type).id, data);
    }
    for (std::uint16_t i = 0; i < 2; ++i) {
      parts[i].key("split.no", GgufType::kUint16, raw(i));
      parts[i].key("split.count", GgufType::kUint16, raw(std::uint16_t{2}));
      const std::string name = "m-0000" + std::to_string(i + 1) + "-of-00002.gguf";
      std::ofstream(folder / name, std::ios::binary) << parts[i].bytes();
    }
    const fs::path first = folder / "m-00001-of-00002.gguf";
    const ModelConfig config = loadModelConfig(first);
    const auto tokens = prompt(9, config.vocabularySize);
    const Loaded together = load(bytes);
    QCOMPARE(DecoderHarness(config, *openCheckpoint(first)).whole(tokens),
             DecoderHarness(together.config, *together.weights).whole(tokens));
    // A part that holds what another holds, too.
    parts[1].tensor("output_norm.weight", {256}, 0, std::string(1024, '\0'));
    parts[1].tensor("token_embd.weight", {1, 32}, 8, std::string(34, '\0'));
    std::ofstream(folder / "m-00002-of-00002.gguf", std::ios::binary) << parts[1].bytes();
    VERIFY_REFUSED(loadModelConfig(first), "file_corrupt", "");
  }

  void requantizedOnDemand() {
    const std::string bytes =
        ggufOf(ggufTestConfig("qwen2"), [](const std::string&) { return BlockType::kQ80; });
    const Loaded loaded = load(bytes);
    const auto backend = makeCpuBackend(1);
    const Decoder decoder(*backend, loaded.config, *loaded.weights,
                          WeightStorage(DType::kF32, Quantization::kInt4));
    const Decoder packed(*backend, loaded.config, *loaded.weights, WeightStorage(DType::kF32));
    QVERIFY(decoder.weightBytes() > 0 && packed.weightBytes() < std::int64_t(bytes.size() * 105 / 100));
  }

  void refusals() {
    const auto with = [](const std::function<void(GgufBytes&)>& change) { loadWhole(changed(change)); };
    with([](GgufBytes&) {});
    VERIFY_REFUSED(with([](GgufBytes& f) { f.number("llama.expert_count", 8); }), "unsupported",
                   "key llama.expert_count is above 0");
    VERIFY_REFUSED(with([](GgufBytes& f) { f.number("llama.rope.dimension_count", 32); }), "unsupported",
                   "key llama.rope.dimension_count is not the width of a head");
    VERIFY_REFUSED(with([](GgufBytes& f) { f.text("llama.rope.scaling.type", "dynamic"); }), "unsupported",
                   "key llama.rope.scaling.type is dynamic");
    VERIFY_REFUSED(with([](GgufBytes& f) { f.text("llama.rope.scaling.type", "longrope"); }), "file_corrupt",
                   "tensor rope_factors_short.weight is missing");
    VERIFY_REFUSED(with([](GgufBytes& f) { f.tensor("rope_freqs.weight", {2}, 0, std::string(8, 'x')); }),
                   "file_corrupt", "tensor rope_freqs.weight is not 32 floats");
    VERIFY_REFUSED(with([](GgufBytes& f) { f.tensor("blk.0.odd.weight", {2}, 0, std::string(8, 'x')); }),
                   "file_corrupt", "blk.0.odd.weight");
    GgufBytes unknown;
    unknown.text("general.architecture", "gptneox");
    VERIFY_REFUSED(loadWhole(unknown.bytes()), "unsupported",
                   "key general.architecture is gptneox, which this engine does not know");
    QVERIFY(refusal([&] {
              loadWhole(unknown.bytes());
            }).ends_with("Read are llama (Llama, Mistral), qwen2 and qwen3."));
    GgufBytes bare = ggufKeys(ggufTestConfig("qwen3"));
    VERIFY_REFUSED(loadWhole(bare.bytes()), "file_corrupt", "tensor token_embd.weight is missing");
    bare.tensor("token_embd.weight", {96, 64}, 8, std::string(96 * 68, '\0'));
    VERIFY_REFUSED(loadWhole(bare.bytes()), "file_corrupt",
                   "has the shape [96, 64], but the keys ask for [96, 256]");
  }

  // As for a folder (tst_checkpoint); errors name the tensor and what describes it as a GGUF file has them.
  void extraTensors() {
    const auto extra = [](const char* name) {
      return changed([&](GgufBytes& f) { f.tensor(name, {64}, 0, std::string(256, 'x')); });
    };
    for (const char* name :
         {"blk.2.attn_norm.weight", "blk.2.nextn.eh_proj.weight", "mtp.fc.weight", "v.blk.0.ln1.weight"}) {
      const std::string bytes = extra(name);
      const Loaded loaded = load(bytes);
      const IgnoredTensors ignored = checkTensors(loaded.config, *loaded.weights);
      QCOMPARE(ignored.first, std::vector<std::string>{name});
      QCOMPARE(ignored.draftHead,
               std::string(name).find("nextn") != std::string::npos || std::string(name)[0] == 'm');
    }
    for (const char* name : {"blk.1.attn_q.bias", "blk.0.ffn_up_exps.weight", "token_embd_norm.weight",
                             "output_norm.bias", "extra.weight"}) {
      const std::string bytes = extra(name), said = refusal([&] { loadWhole(bytes); });
      QVERIFY2(said.starts_with("file_corrupt: ") && said.find(name) != std::string::npos, said.c_str());
      QVERIFY2(said.find("The file's keys and the weights") != std::string::npos, said.c_str());
      QVERIFY2(said.find("config.json") == std::string::npos, said.c_str());
    }
    const std::string twice = extra("model.norm.weight");
    VERIFY_REFUSED(load(twice), "file_corrupt", "stands there under two names");
  }

  // What the format does not define is not assumed (engine/README.md has the table).
  void keysThatAreMissing() {
    ModelConfig config = ggufTestConfig("qwen3");
    config.slidingWindow = 5;
    const auto tensors = [&](GgufBytes file) {
      addTensors(
          file, config, [](const std::string&) { return BlockType::kQ40; }, 1);
      return file.bytes();
    };
    VERIFY_REFUSED(loadWhole(tensors(ggufKeys(config))), "file_corrupt",
                   "key qwen3.attention.sliding_window_pattern is missing");
    for (const char* kind : {"linear", "yarn"})
      VERIFY_REFUSED(loadWhole(changed([&](GgufBytes& f) { f.text("llama.rope.scaling.type", kind); })),
                     "file_corrupt", "key llama.rope.scaling.factor is missing");
    // Keys may be wider than embedding_length / head_count; values are not for that.
    config.slidingWindow = 0;
    std::string narrow = tensors(ggufKeys(config));
    const std::string values = "qwen3.attention.value_length";
    narrow.replace(narrow.find(values), values.size(), "qwen3.attention.value_lengtj");
    VERIFY_REFUSED(loadWhole(narrow), "file_corrupt",
                   "key " + values + " is missing, so values have the width 64, but keys have 128");
    std::string bytes = changed([](GgufBytes&) {});
    const std::string name = "llama.attention.layer_norm_rms_epsilon";
    bytes.replace(bytes.find(name), name.size(), "llama.attention.layer_norm_rms_epsilom");
    VERIFY_REFUSED(loadWhole(bytes), "file_corrupt", "key " + name + " is missing");
  }

  // A llama tokenizer ends with token 2 when the file does not say it; no other kind has such a token.
  void theEndOfALlamaFileThatDoesNotNameIt() {
    const auto ends = [](const std::string& kind, bool named) {
      return load(changed([&](GgufBytes& f) {
               f.text("tokenizer.ggml.model", kind);
               f.number("tokenizer.ggml.eot_token_id", std::uint32_t{7});
               if (named) f.number("tokenizer.ggml.eos_token_id", std::uint32_t{5});
             }))
          .config.eosTokens;
    };
    QCOMPARE(ends("llama", false), (std::vector<std::int32_t>{2, 7}));
    QCOMPARE(ends("llama", true), (std::vector<std::int32_t>{5, 7}));
    QCOMPARE(ends("gpt2", false), std::vector<std::int32_t>{7});
  }

  void aDamagedScaleIsNamed() {
    std::string bytes = ggufOf(ggufTestConfig("llama"), [](const std::string&) { return BlockType::kQ80; });
    std::size_t at = 0;
    {
      const auto model = modelIn(bytes);
      at = model->find("blk.1.ffn_down.weight")->tensor->offset + 34 * 5;
    }
    bytes[at] = 0, bytes[at + 1] = 0x7c;  // infinite
    VERIFY_REFUSED(loadWhole(bytes), "file_corrupt",
                   "mlp.down_proj.weight has a scale that is not a finite number");
  }

  // Rows are read a panel at a time, and the message counts from the tensor's beginning.
  void aFloatThatIsNoNumberIsNamedWithItsPlace() {
    for (const BlockType type : {BlockType::kF32, BlockType::kF16, BlockType::kBf16}) {
      std::string bytes = ggufOf(ggufTestConfig("llama"), [&](const std::string&) { return type; });
      constexpr std::size_t kElement = 77 * 256 + 3;
      const std::size_t each = std::size_t(blockTypeInfo(type).bytes);
      std::size_t at = 0;
      {
        const auto model = modelIn(bytes);
        at = model->find("blk.1.ffn_down.weight")->tensor->offset + kElement * each;
      }
      std::fill_n(bytes.begin() + std::ptrdiff_t(at), each, char(0xff));
      VERIFY_REFUSED(loadWhole(bytes), "file_corrupt", "mlp.down_proj.weight holds ");
      VERIFY_REFUSED(loadWhole(bytes), "file_corrupt", "nan (element 19715 of 65536), which is not a finite");
    }
  }

  void namesOfTensors() {
    QCOMPARE(checkpointName("blk.12.attn_q_norm.weight"),
             std::string("model.layers.12.self_attn.q_norm.weight"));
    QCOMPARE(ggufTensorName("model.layers.0.mlp.up_proj.bias"), std::string("blk.0.ffn_up.bias"));
    QCOMPARE(ggufTensorName(kHeadName), std::string("output.weight"));
    for (const char* other :
         {"blk.x.attn_q.weight", "blk.01.attn_q.weight", "blk.1.attn_q", "blk..attn_q.weight",
          "blk.1.attn_qkv.weight", "attn_q.weight", "blk.99999999999.attn_q.weight"})
      QCOMPARE(checkpointName(other), std::string());
  }
};

QTEST_APPLESS_MAIN(TestGgufModels)
#include "tst_gguf_models.moc"
