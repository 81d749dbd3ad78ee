// config.json in all its spellings, and what is refused. Defaults are transformers 5.17's.
#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "models/model_config.h"
#include "models/random_weights.h"
#include "vitrine/error.h"

#include <QTemporaryDir>
#include <QTest>

#include "models/config_text.h"
#include "support/refusal.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

std::vector<bool> slides(std::initializer_list<bool> layers) { return layers; }

}  // namespace

class TestModelConfig : public QObject {
  Q_OBJECT

 private slots:
  void readsTheFamilies() {
    const ModelConfig llama = parse(base());
    QCOMPARE(llama.family, std::string("llama"));
    QCOMPARE(llama.layers, 3);
    QCOMPARE(llama.hiddenSize, 64);
    QCOMPARE(llama.intermediateSize, 112);
    QCOMPARE(llama.heads, 4);
    QCOMPARE(llama.kvHeads, 2);
    QCOMPARE(llama.headDim, 16);
    QCOMPARE(llama.vocabularySize, 320);
    QCOMPARE(llama.contextLength, 256);
    QCOMPARE(llama.rmsNormEps, 1e-6f);
    QCOMPARE(llama.storedType, DType::kF32);
    QVERIFY(!llama.attentionBias && !llama.outputBias && !llama.mlpBias && !llama.qkNorm &&
            !llama.tiedEmbeddings);

    const ModelConfig qwen2 = parse(base("qwen2"));
    QVERIFY(qwen2.attentionBias && !qwen2.outputBias && !qwen2.qkNorm);
    const ModelConfig qwen3 = parse(base("qwen3"));
    QVERIFY(!qwen3.attentionBias && !qwen3.outputBias && qwen3.qkNorm);
    QCOMPARE(qwen3.headDim, 128);  // not mentioned: not 64 / 4
    QCOMPARE(parse(base("mistral")).family, std::string("mistral"));
  }

  void recognisesByEitherName() {
    QCOMPARE(without("qwen3", "architectures").family, std::string("qwen3"));
    QCOMPARE(without("qwen3", "model_type").family, std::string("qwen3"));
    json contradiction = base("qwen3");
    contradiction["model_type"] = "llama";
    VERIFY_REFUSED(parse(contradiction), "file_corrupt", "model_type");
  }

  void readsBiasFlags() {
    const ModelConfig llama = with("llama", {{"attention_bias", true}, {"mlp_bias", true}});
    QVERIFY(llama.attentionBias && llama.outputBias && llama.mlpBias);
    const ModelConfig qwen3 = with("qwen3", {{"attention_bias", true}});
    QVERIFY(qwen3.attentionBias && qwen3.outputBias && !qwen3.mlpBias);
    const ModelConfig qwen2 = with("qwen2", {{"attention_bias", false}});  // not a field of Qwen2's
    QVERIFY(qwen2.attentionBias && !qwen2.outputBias);
  }

  void derivesHeads() {
    QCOMPARE(with("llama", {{"head_dim", 32}}).headDim, 32);
    QCOMPARE(with("llama", {{"head_dim", nullptr}}).headDim, 16);
    QCOMPARE(with("qwen3", {{"head_dim", 48}}).headDim, 48);
    QCOMPARE(with("mistral", {{"head_dim", nullptr}}).headDim, 16);
    QCOMPARE(with("qwen2", {{"head_dim", nullptr}}).headDim, 16);
    VERIFY_REFUSED(with("qwen3", {{"head_dim", nullptr}}), "file_corrupt", "head_dim is null");
    QCOMPARE(without("llama", "num_key_value_heads").kvHeads, 4);
    QCOMPARE(with("qwen2", {{"num_key_value_heads", nullptr}}).kvHeads, 4);
    json mistral = base("mistral");
    mistral.erase("num_key_value_heads");
    mistral["num_attention_heads"] = 16;
    QCOMPARE(parse(mistral).kvHeads, 8);  // as transformers
    // head_dim stands apart, so the hidden size need not divide.
    QCOMPARE(with("qwen3", {{"num_attention_heads", 6}, {"head_dim", 128}}).headDim, 128);
    VERIFY_REFUSED(with("llama", {{"num_attention_heads", 6}}), "file_corrupt", "num_attention_heads");
  }

  void readsTheRecommendedExitLayer() {
    const auto recommending = [](const json& layer) {
      return with("llama", {{"vitrine", {{"recommended_exit_layer", layer}}}}).recommendedExitLayer;
    };
    QCOMPARE(parse(base("llama")).recommendedExitLayer, 0);
    QCOMPARE(recommending(2), 2);
    VERIFY_REFUSED(recommending(3), "file_corrupt", "recommended_exit_layer");  // there are three
    VERIFY_REFUSED(recommending(-1), "file_corrupt", "recommended_exit_layer");
    VERIFY_REFUSED(recommending("two"), "file_corrupt", "recommended_exit_layer");
    VERIFY_REFUSED(with("llama", {{"vitrine", 5}}), "file_corrupt", "vitrine");
  }

  void readsQwenWindows() {
    for (const char* family : {"qwen2", "qwen3"}) {
      QCOMPARE(with(family, {{"sliding_window", 4096}}).slidingWindow,
               0);  // switched off, whatever the number
      QCOMPARE(with(family, {{"use_sliding_window", false}, {"sliding_window", 9}}).slidingWindow, 0);
      const json on = {{"use_sliding_window", true}, {"sliding_window", 16}, {"max_window_layers", 1}};
      const ModelConfig partly = with(family, on);
      QCOMPARE(partly.slidingWindow, 16);
      QVERIFY(partly.layerSlides == slides({false, true, true}));
      QCOMPARE(with(family, {{"use_sliding_window", true}}).slidingWindow, 0);  // 28 full layers first
      QCOMPARE(with(family, {{"use_sliding_window", true}, {"max_window_layers", 0}}).slidingWindow, 4096);
      json typed = on;
      typed["layer_types"] = {"sliding_attention", "full_attention", "sliding_attention"};
      QVERIFY(with(family, typed).layerSlides == slides({true, false, true}));
      typed["layer_types"] = {"sliding_attention"};
      VERIFY_REFUSED(with(family, typed), "file_corrupt", "layer_types");
      typed["layer_types"] = {"full_attention", "linear_attention", "full_attention"};
      VERIFY_REFUSED(with(family, typed), "unsupported", "linear_attention");
      VERIFY_REFUSED(with(family, {{"use_sliding_window", true}, {"max_window_layers", nullptr}}),
                     "file_corrupt", "max_window_layers is null");
      typed = {{"use_sliding_window", true}, {"sliding_window", nullptr}, {"max_window_layers", 0}};
      QCOMPARE(with(family, typed).slidingWindow, 0);
      typed["layer_types"] = {"sliding_attention", "full_attention", "full_attention"};
      VERIFY_REFUSED(with(family, typed), "file_corrupt", "sliding_window");
      // Transformers has no mask for a sliding layer then, and raises.
      for (const json& off : {json(nullptr), json(false)}) {
        typed = {{"sliding_window", 8},
                 {"layer_types", {"full_attention", "sliding_attention", "full_attention"}}};
        if (!off.is_null()) typed["use_sliding_window"] = off;
        VERIFY_REFUSED(with(family, typed), "unsupported",
                       "layer_types names sliding_attention for layer 1, but use_sliding_window is false");
        typed["layer_types"] = {"full_attention", "full_attention", "full_attention"};
        QCOMPARE(with(family, typed).slidingWindow, 0);
      }
    }
  }

  void refusesMlxWeightsByName() {
    const json bits = {{"group_size", 64}, {"bits", 4}};
    for (const json& config : {json{{"quantization", bits}, {"quantization_config", bits}},
                               json{{"quantization", bits}}, json{{"quantization_config", bits}}}) {
      VERIFY_REFUSED(with("llama", config), "unsupported", "MLX 4-bit weights");
      const std::string said = refusal([&] { with("llama", config); });
      QVERIFY2(said.find("float32, bf16 or f16 files, or a GGUF file") != std::string::npos, said.c_str());
    }
    VERIFY_REFUSED(with("llama", {{"quantization_config", {{"quant_method", "awq"}, {"bits", 4}}}}),
                   "unsupported", "awq");
  }

  // A decoder that was saved without its head, as embedding models are.
  void readsADecoderByItself() {
    for (const auto& [family, name] : {std::pair{"llama", "LlamaModel"},
                                       {"mistral", "MistralModel"},
                                       {"qwen2", "Qwen2Model"},
                                       {"qwen3", "Qwen3Model"}})
      QCOMPARE(with(family, {{"architectures", {name}}}).family, std::string(family));
  }

  void readsMistralWindow() {
    const ModelConfig sliding = with("mistral", {{"sliding_window", 48}});
    QCOMPARE(sliding.slidingWindow, 48);
    QVERIFY(sliding.layerSlides == slides({true, true, true}));
    const ModelConfig none = with("mistral", {{"sliding_window", nullptr}});
    QCOMPARE(none.slidingWindow, 0);
    QVERIFY(none.layerSlides == slides({false, false, false}));
    QCOMPARE(parse(base("mistral")).slidingWindow, 4096);
    VERIFY_REFUSED(with("mistral", {{"sliding_window", 0}}), "file_corrupt", "sliding_window");
    QCOMPARE(with("llama", {{"sliding_window", 16}}).slidingWindow, 0);  // Llama has none
  }

  void refusesOtherModelsByName() {
    for (const char* name :
         {"GPT2LMHeadModel", "GemmaForCausalLM", "Qwen2MoeForCausalLM", "LlamaForSequenceClassification"}) {
      VERIFY_REFUSED(with("llama", {{"architectures", {name}}}), "unsupported", name);
      const std::string said = refusal([&] { with("llama", {{"architectures", {name}}}); });
      for (const char* known :
           {"LlamaForCausalLM", "Qwen2ForCausalLM", "Qwen3ForCausalLM", "MistralForCausalLM"})
        QVERIFY2(said.find(known) != std::string::npos, said.c_str());
    }
    VERIFY_REFUSED(with("llama", {{"architectures", nullptr}, {"model_type", "phi3"}}), "unsupported",
                   "phi3");
    VERIFY_REFUSED(with("llama", {{"architectures", nullptr}, {"model_type", nullptr}}), "unsupported",
                   "architectures");
    VERIFY_REFUSED(with("llama", {{"hidden_act", "gelu"}}), "unsupported", "gelu");
    VERIFY_REFUSED(with("llama", {{"dtype", "float8_e4m3fn"}}), "unsupported", "float8_e4m3fn");
    VERIFY_REFUSED(with("llama", {{"quantization_config", {{"quant_method", "gptq"}}}}), "unsupported",
                   "gptq");
  }

  void refusesAbsurdValues_data() {
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("value");
    for (const char* field :
         {"vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads",
          "num_key_value_heads", "head_dim", "max_position_embeddings"})
      for (const char* value : {"0", "-1", "4294967296", "9223372036854775807", "1e300",
                                "123456789012345678901234567890", "2.5", "\"64\"", "[]", "{}", "true"})
        QTest::addRow("%s %s", field, value) << field << value;
    for (const char* field :
         {"vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads"})
      QTest::addRow("%s null", field) << field << "null";
    // Transformers has no default for null here: it is left out, or it is a value.
    for (const char* field : {"max_position_embeddings", "hidden_act", "rms_norm_eps", "rope_theta"})
      QTest::addRow("%s null", field) << field << "null";
    QTest::newRow("heads not in groups") << "num_key_value_heads"
                                         << "3";
    QTest::newRow("more kv heads than heads") << "num_key_value_heads"
                                              << "8";
    QTest::newRow("odd head") << "head_dim"
                              << "15";
    for (const char* value : {"0", "-1e-5", "\"x\"", "1e300"})
      QTest::addRow("rms_norm_eps %s", value) << "rms_norm_eps" << value;
    QTest::newRow("eos text") << "eos_token_id"
                              << "\"2\"";
    QTest::newRow("eos list of texts") << "eos_token_id"
                                       << "[2, \"x\"]";
    QTest::newRow("tied number") << "tie_word_embeddings"
                                 << "1";
    QTest::newRow("model_type number") << "model_type"
                                       << "4";
    QTest::newRow("architectures text") << "architectures"
                                        << "\"LlamaForCausalLM\"";
    QTest::newRow("architectures of numbers") << "architectures"
                                              << "[1]";
  }
  void refusesAbsurdValues() {
    QFETCH(QString, field);
    QFETCH(QString, value);
    json config = base();
    config[field.toStdString()] = "HERE";
    std::string text = config.dump();
    text.replace(text.find("\"HERE\""), 6, value.toStdString());
    VERIFY_REFUSED(parseModelConfig(text, "some/config.json"), "file_corrupt",
                   "some/config.json: " + field.toStdString());
  }

  void refusesWhatIsNoConfig() {
    const auto text = [](const std::string& bytes) { return parseModelConfig(bytes, "c.json"); };
    for (const char* bytes :
         {"", "{", "[]", "3", "null", "{\"a\":1,}", "\xff\xfe", "{\"\xc3\": 1}", "nonsense"})
      VERIFY_REFUSED(text(bytes), "file_corrupt", "c.json");
    VERIFY_REFUSED(text("{\"a\":" + std::string(100, '[') + std::string(100, ']') + "}"), "file_corrupt",
                   "nested");
    VERIFY_REFUSED(text("{\"hidden_size\":1,\"hidden_size\":2}"), "file_corrupt", "hidden_size");
    VERIFY_REFUSED(text(std::string(1'000'000, '[')), "file_corrupt", "nested");
  }

  void readsTypesAndTies() {
    QCOMPARE(with("llama", {{"torch_dtype", "bfloat16"}}).storedType, DType::kBf16);
    QCOMPARE(with("llama", {{"dtype", "float16"}}).storedType, DType::kF16);
    QCOMPARE(with("llama", {{"dtype", "float32"}, {"torch_dtype", "bfloat16"}}).storedType, DType::kF32);
    for (const char* family : {"llama", "qwen2", "qwen3", "mistral"}) {
      QCOMPARE(with(family, {{"tie_word_embeddings", true}}).tiedEmbeddings, true);
      QCOMPARE(parse(base(family)).tiedEmbeddings, false);
    }
  }

  void readsEndTokens() {
    using Ids = std::vector<std::int32_t>;
    QCOMPARE(with("llama", {{"eos_token_id", 7}}).eosTokens, Ids{7});
    QCOMPARE(with("llama", {{"eos_token_id", {7, 9, 7}}}).eosTokens, (Ids{7, 9}));
    QCOMPARE(with("llama", {{"eos_token_id", nullptr}}).eosTokens, Ids{});
    QCOMPARE(parse(base("llama")).eosTokens, Ids{2});
    QCOMPARE(parse(base("mistral")).eosTokens, Ids{2});
    QCOMPARE(parse(base("qwen2")).eosTokens, Ids{});
    QCOMPARE(with("llama", {{"eos_token_id", {-1, 5, 320, 99999999999}}}).eosTokens, Ids{5});
  }

  void readsDirectories() {
    QTemporaryDir scratch;
    const std::filesystem::path directory = scratch.path().toStdString();
    VERIFY_REFUSED(loadModelConfig(directory / "nowhere"), "file_not_found", "nowhere");
    VERIFY_REFUSED(loadModelConfig(directory), "file_not_found", "config.json");
    json config = base();
    config["eos_token_id"] = 5;
    std::ofstream(directory / "config.json") << config.dump();
    QCOMPARE(loadModelConfig(directory).eosTokens, std::vector<std::int32_t>{5});
    std::ofstream(directory / "generation_config.json") << R"({"eos_token_id": [6, 5], "temperature": 0.6})";
    QCOMPARE(loadModelConfig(directory).eosTokens, (std::vector<std::int32_t>{5, 6}));
    std::ofstream(directory / "generation_config.json") << "{";
    VERIFY_REFUSED(loadModelConfig(directory), "file_corrupt", "generation_config.json");
    for (const char* name : {"generation_config.json", "config.json"}) {
      std::filesystem::remove(directory / name);
      QCOMPARE(::mkfifo((directory / name).c_str(), 0600), 0);
      VERIFY_REFUSED(loadModelConfig(directory), "file_unreadable",
                     std::string(name) + " is a pipe, not a file");
      std::filesystem::remove(directory / name);
      std::filesystem::create_symlink(name, directory / name);
      VERIFY_REFUSED(loadModelConfig(directory), "file_unreadable",
                     std::string(name) + " is a symbolic link loop");
      std::filesystem::remove(directory / name);
      if (std::string_view(name) != "config.json") std::ofstream(directory / name) << "{}";
    }
    std::filesystem::create_directory_symlink("loop", directory / "loop");
    VERIFY_REFUSED(loadModelConfig(directory / "loop"), "file_unreadable", "is a symbolic link loop");
    std::filesystem::create_directory(directory / "config.json");
    VERIFY_REFUSED(loadModelConfig(directory), "file_unreadable", "config.json");
    VERIFY_REFUSED(loadModelConfig(directory / "generation_config.json"), "file_corrupt",
                   "does not begin with GGUF");
  }

  void countsParameters() {
    ModelConfig config = parse(base());
    const std::int64_t layer = 64 * 64 * 2 + 64 * 32 * 2 + 64 * 112 * 3 + 2 * 64;
    QCOMPARE(config.parameters(), 2 * 320 * 64 + 3 * layer + 64);
    config.tiedEmbeddings = true;
    QCOMPARE(config.parameters(), 320 * 64 + 3 * layer + 64);
    // The largest config that is not refused still counts within 64 bits, bytes included.
    const std::int64_t width = 1 << 20;
    const ModelConfig huge = with("llama", {{"vocab_size", 1 << 24},
                                            {"hidden_size", width},
                                            {"intermediate_size", width},
                                            {"num_hidden_layers", 4096},
                                            {"num_attention_heads", 4096},
                                            {"num_key_value_heads", 4096},
                                            {"head_dim", 4096},
                                            {"attention_bias", true},
                                            {"mlp_bias", true}});
    QVERIFY(huge.parameters() > 0);
    const long double exact =
        2.0L * (1 << 24) * width + 4096.0L * (4.0L * 4096 * 4096 * width + 3.0L * width * width);
    QVERIFY(exact * 4 < static_cast<long double>(std::numeric_limits<std::int64_t>::max()));
    QVERIFY(std::abs(static_cast<long double>(huge.parameters()) / exact - 1) < 1e-3L);
  }
};

QTEST_APPLESS_MAIN(TestModelConfig)
#include "tst_model_config.moc"
