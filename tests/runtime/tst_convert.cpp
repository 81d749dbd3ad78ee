// Models from a folder to a GGUF file and back: the same logits to the bit, the same ids, the same bytes; and
// into blocks.
#include "vitrine/convert.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "formats/quantize.h"
#include "models/checkpoint.h"
#include "models/decoder_harness.h"
#include "models/gguf_model.h"
#include "models/tensor_names.h"
#include "support/refusal.h"
#include "vitrine/chat_format.h"
#include "vitrine/files.h"
#include "vitrine/tokenizer.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;
namespace fs = std::filesystem;

namespace {

const fs::path kSource = VITRINE_SOURCE_DIR;
const fs::path kModels = kSource / "tests/golden/models";

std::vector<std::int32_t> prompt(int vocabulary) {
  std::vector<std::int32_t> tokens;
  for (int i = 0; i < 40; ++i) tokens.push_back((i * 29 + 3) % vocabulary);
  return tokens;
}

std::vector<std::vector<float>> logitsOf(const fs::path& model) {
  const ModelConfig config = loadModelConfig(model);
  return DecoderHarness(config, *openCheckpoint(model)).whole(prompt(config.vocabularySize));
}

bool sameTensors(const fs::path& a, const fs::path& b) {
  const ModelConfig config = loadModelConfig(a);
  const auto first = openCheckpoint(a), second = openCheckpoint(b);
  for (const TensorSpec& tensor : checkpointTensors(config)) {
    const auto get = [&](const WeightSource& source) {
      return tensor.rows == 0 ? source.get(tensor.name, {tensor.columns})
                              : source.get(tensor.name, {tensor.rows, tensor.columns});
    };
    const Tensor x = get(*first), y = get(*second);
    const auto bytes = static_cast<std::size_t>(tensor.elements()) * dtypeBytes(x.view().type());
    if (x.view().type() != y.view().type() || std::memcmp(x.view().data(), y.view().data(), bytes) != 0)
      return false;
  }
  return true;
}

}  // namespace

class TestConvert : public QObject {
  Q_OBJECT

  QTemporaryDir m_scratch;
  fs::path place(const std::string& name) const { return fs::path(m_scratch.path().toStdString()) / name; }

 private slots:
  // Our own formats in a file: each weight is the one that --weights makes of it.
  void ownFormats_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("bits");
    for (const char* name : {"llama", "qwen3", "llama-bf16-sharded"})
      for (const int bits : {8, 4}) QTest::addRow("%s int%d", name, bits) << QString(name) << bits;
  }
  void ownFormats() {
    QFETCH(QString, name);
    QFETCH(int, bits);
    const fs::path folder = kModels / name.toStdString(),
                   file = place(name.toStdString() + "-int" + std::to_string(bits) + ".gguf");
    convertModel(folder, file, bits == 8 ? ConvertType::kInt8 : ConvertType::kInt4);
    const auto source = openCheckpoint(folder), packed = openCheckpoint(file);
    int inGroups = 0;
    for (const TensorSpec& tensor : checkpointTensors(loadModelConfig(folder))) {
      if (tensor.rows == 0 || tensor.columns % 32 != 0) continue;
      const bool outer = tensor.name == kEmbeddingName || tensor.name == kHeadName;
      QCOMPARE(packed->storedType(tensor.name), bits == 8 || outer ? BlockType::kQ80 : BlockType::kQ40);
      std::vector<float> wanted(std::size_t(tensor.elements())), got = wanted;
      decodeBlocks(source->storedType(tensor.name), storedBytes(*source, tensor).data(), wanted);
      decodeBlocks(packed->storedType(tensor.name), storedBytes(*packed, tensor).data(), got);
      for (std::int64_t row = 0; row < tensor.rows; ++row)
        quantizeInPlace(
            std::span(wanted).subspan(std::size_t(row * tensor.columns), std::size_t(tensor.columns)),
            outer ? 8 : bits);
      QCOMPARE(got, wanted);
      ++inGroups;
    }
    QVERIFY(inGroups > 8);
    QVERIFY(!logitsOf(file).empty());
  }

  void thereAndBack_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"llama", "llama-attention-bias", "llama-bf16-sharded", "llama-f16",
                             "llama-linear", "llama-tied", "llama-yarn", "llama-yarn-mscale",
                             "llama-yarn-tuned", "llama3-rope", "mistral", "qwen2", "qwen2-sliding", "qwen3"})
      QTest::addRow("%s", name) << QString(name);
  }
  void thereAndBack() {
    QFETCH(QString, name);
    const fs::path folder = kModels / name.toStdString(), file = place(name.toStdString() + ".gguf"),
                   back = place(name.toStdString() + "-back");
    const ConvertReport report = convertModel(folder, file);
    QCOMPARE(report.tensors, std::int64_t(checkpointTensors(loadModelConfig(folder)).size()));
    const auto wanted = logitsOf(folder), there = logitsOf(file);
    double off = 0;
    for (std::size_t row = 0; row < wanted.size(); ++row)
      for (std::size_t i = 0; i < wanted[row].size(); ++i)
        off = std::max(off, double(std::abs(wanted[row][i] - there[row][i])));
    // A file's numbers for RoPE are float32, those of a config.json are not.
    QVERIFY2(off <= 1e-5, qPrintable(QString::number(off)));
    convertModel(file, back);
    QVERIFY(sameTensors(folder, back));
    QCOMPARE(logitsOf(back), there);
    QCOMPARE(loadModelConfig(back).eosTokens, loadModelConfig(folder).eosTokens);
    QVERIFY(!fs::exists(back / "tokenizer.json"));
  }

  // One rule for loading and converting: what is beside the decoder is left out and said, what could change
  // answers is refused.
  // Two kinds of rope that no golden model has: the same logits on both ways.
  void longRopeAndDynamic_data() {
    QTest::addColumn<QString>("kind");
    QTest::newRow("longrope") << "longrope";
    QTest::newRow("dynamic") << "dynamic";
  }
  void longRopeAndDynamic() {
    QFETCH(QString, kind);
    const std::string name = kind.toStdString();
    const fs::path folder = place(name), file = place(name + ".gguf"), back = place(name + "-back");
    fs::copy(kModels / "llama", folder);
    auto config = nlohmann::json::parse(readWholeFile(folder / "config.json", 1 << 20));
    const int pairs = loadModelConfig(folder).headDim / 2;
    nlohmann::json rope = {{"rope_type", name}, {"factor", 4.0}};
    if (name == "longrope") {
      rope = {{"rope_type", name}, {"original_max_position_embeddings", 32}};
      for (int i = 0; i < pairs; ++i) {
        rope["short_factor"].push_back(1 + 0.01 * i);
        rope["long_factor"].push_back(1 + 0.3 * i);
      }
    }
    config.erase("rope_parameters");
    config["rope_scaling"] = rope;
    std::ofstream(folder / "config.json") << config;
    QVERIFY(loadModelConfig(folder).rope.kind ==
            (name == "longrope" ? RopeKind::kLongRope : RopeKind::kDynamic));
    convertModel(folder, file, ConvertType::kSame);
    convertModel(file, back, ConvertType::kSame);
    const auto wanted = logitsOf(folder);
    QVERIFY(logitsOf(file) == wanted && logitsOf(back) == wanted);
    QCOMPARE(logitsOf(kModels / "llama") == wanted, name == "dynamic");
  }

  void extraTensors() {
    const fs::path folder = kModels / "llama", file = place("extra.gguf");
    convertModel(folder, file);
    const auto extended = [&](const char* name, const fs::path& out) {
      const GgufModel model(file);
      GgufWriter writer(out);
      for (const auto& [key, entry] : model.keys().header().keys)
        writer.raw(key, entry.type, model.keys().rawValue(entry));
      for (const auto& [tensor, at] : model.tensors())
        writer.tensor(tensor, at.tensor->type, at.tensor->shape);
      writer.tensor(name, BlockType::kF32, {8});
      writer.begin();
      for (const auto& [tensor, at] : model.tensors()) {
        std::vector<std::byte> bytes(at.tensor->bytes);
        at.file->read(*at.tensor, 0, bytes);
        writer.write(bytes);
      }
      writer.write(std::vector<std::byte>(32));
      writer.finish();
    };
    const fs::path head = place("head.gguf"), bias = place("bias.gguf");
    extended("mtp.fc.weight", head);
    extended("blk.1.attn_q.bias", bias);
    const ConvertReport report = convertModel(head, place("head"));
    QCOMPARE(report.ignored.first, std::vector<std::string>{"mtp.fc.weight"});
    QCOMPARE(report.ignored.model, std::string("head"));
    QVERIFY(report.ignored.draftHead);
    QCOMPARE(logitsOf(head), logitsOf(file));
    QCOMPARE(logitsOf(place("head")), logitsOf(file));
    VERIFY_REFUSED(convertModel(bias, place("bias")), "file_corrupt", "blk.1.attn_q.bias");
    VERIFY_REFUSED(logitsOf(bias), "file_corrupt", "blk.1.attn_q.bias");
  }

  void theBuiltInModelWithItsTokenizer() {
    const fs::path folder = kSource / "resources/model", file = place("builtin.gguf"),
                   back = place("builtin");
    convertModel(folder, file);
    convertModel(file, back);
    const auto wanted = loadTokenizer(folder);
    for (const fs::path& model : {file, back}) {
      const auto got = loadTokenizer(model);
      for (const char* text :
           {"What is a KV cache?", "  two  spaces\n\ttab", "caf\xC3\xA9 \xF0\x9F\x98\x80", ""})
        for (const bool special : {false, true})
          QCOMPARE(got->encode(text, special), wanted->encode(text, special));
      QCOMPARE(got->bosToken(), wanted->bosToken());
      QCOMPARE(got->eosToken(), wanted->eosToken());
      const Dialogue chat{{{ChatRole::kUser, "Hello"}}};
      QCOMPARE(ChatFormat::ofModel(model).render(chat).text, ChatFormat::ofModel(folder).render(chat).text);
    }
    QVERIFY(sameTensors(folder, back));
  }

  void byteLevelTokenizers() {
    for (const char* name : {"llama3", "qwen2", "gpt2"}) {
      const fs::path model = place(std::string("with-") + name), file = place(std::string(name) + "-t.gguf"),
                     back = place(std::string("back-") + name);
      // Any model whose vocabulary is large enough does.
      fs::create_directories(model);
      for (const auto& entry : fs::directory_iterator(kSource / "tests/golden/tokenizers" / name))
        fs::copy(entry.path(), model / entry.path().filename());
      for (const char* part : {"config.json", "model.safetensors"})
        fs::copy(kSource / "resources/model" / part, model / part);
      const auto wanted = loadTokenizer(model);
      QVERIFY(wanted->vocabularySize() <= loadModelConfig(model).vocabularySize);
      convertModel(model, file);
      convertModel(file, back);
      for (const fs::path& place : {file, back}) {
        const auto got = loadTokenizer(place);
        for (const char* text : {"Hello <|eot_id|> world's 1234", "<|im_start|>x\n\n y", "caf\xC3\xA9  z"})
          for (const bool special : {false, true})
            QCOMPARE(got->encode(text, special), wanted->encode(text, special));
      }
    }
  }

  void intoBlocks() {
    const fs::path folder = kModels / "qwen3";
    const auto wanted = logitsOf(folder);
    for (const auto& [type, most] : {std::pair(ConvertType::kQ80, 0.12), std::pair(ConvertType::kQ40, 2.5)}) {
      const fs::path file = place(std::string(nameOf(type)) + ".gguf");
      convertModel(folder, file, type);
      QCOMPARE(loadModelConfig(file).packedType, std::string(type == ConvertType::kQ80 ? "Q8_0" : "Q4_0"));
      double squares = 0, count = 0;
      const auto got = logitsOf(file);
      for (std::size_t row = 0; row < wanted.size(); ++row)
        for (std::size_t i = 0; i < wanted[row].size(); ++i, ++count)
          squares += std::pow(double(wanted[row][i] - got[row][i]), 2);
      const double root = std::sqrt(squares / count);
      QVERIFY2(root > 0 && root < most, qPrintable(QString::number(root)));
    }
    // Rows that are no whole blocks of 256 become float16.
    convertModel(folder, place("k.gguf"), ConvertType::kQ4K);
    QCOMPARE(loadModelConfig(place("k.gguf")).packedType, std::string("F16"));
    // A file in blocks becomes one in others, and its keys go along.
    convertModel(place("q8_0.gguf"), place("again.gguf"), ConvertType::kF32);
    QCOMPARE(logitsOf(place("again.gguf")).size(), wanted.size());
    QCOMPARE(GgufFile(place("again.gguf")).countOr("general.file_type", 9, 99), 0);
  }

  void refusals() {
    const fs::path folder = kModels / "qwen3";
    VERIFY_REFUSED(convertModel(folder, place("folder")), "invalid_argument", "is no GGUF file");
    convertModel(folder, place("r.gguf"));
    fs::create_directories(place("full/x"));
    VERIFY_REFUSED(convertModel(place("r.gguf"), place("full")), "invalid_argument", "is not empty");
    VERIFY_REFUSED(convertModel(place("r.gguf"), place("new"), ConvertType::kQ40), "unsupported",
                   "holds floats");
    VERIFY_REFUSED(
        convertModel(folder, place("c.gguf"), ConvertType::kSame, [](double, const char*) { return false; }),
        "cancelled", "");
    QVERIFY(!fs::exists(place("c.gguf")));
    // A bf16 weight that no float16 can hold.
    convertModel(kModels / "llama-bf16-sharded", place("wide.gguf"));
    const GgufModel wide(place("wide.gguf"));
    std::fstream bytes(place("wide.gguf"), std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(static_cast<std::streamoff>(wide.find("blk.1.ffn_up.weight")->tensor->offset + 64 * 2 * 3));
    bytes.write("\x00\x7f", 2);  // row 3
    bytes.close();
    VERIFY_REFUSED(convertModel(place("wide.gguf"), place("f16.gguf"), ConvertType::kF16), "invalid_argument",
                   "up_proj.weight holds a number in row 3 that F16 cannot hold");
    QVERIFY(!fs::exists(place("f16.gguf")));
    VERIFY_REFUSED(convertModel(folder, "/nowhere/at/all/x.gguf"), "io", "/nowhere");
  }
};

QTEST_APPLESS_MAIN(TestConvert)
#include "tst_convert.moc"
