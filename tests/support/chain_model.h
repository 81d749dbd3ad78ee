// A model that says one text, whatever it is asked, or one of several texts by the end of its prompt: each
// token of a chain is followed by the next one. Its layer adds nothing, so the hidden state is the embedding
// of the last token, and the head knows its successor. Thread: any.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "vitrine/tokenizer.h"

namespace vitrine::test {

struct Chain {
  std::string promptEnd, answer;  // as in ChainModel
};

struct ChainModel {
  std::filesystem::path tokenizer;  // a folder with tokenizer.json, which is copied
  std::string chatTemplate;
  std::string promptEnd;  // how each prompt ends: its last token is the first of the chain
  std::string answer;
  std::string end;  // the token that ends it
  std::vector<Chain> others = {};
};

// False when a token stands twice in the chains.
inline bool write(const ChainModel& model, const std::filesystem::path& folder) {
  constexpr int kWidth = 64;
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(model.tokenizer / "tokenizer.json", folder / "tokenizer.json",
                             std::filesystem::copy_options::overwrite_existing);
  std::ofstream(folder / "tokenizer_config.json")
      << nlohmann::json({{"eos_token", model.end}, {"chat_template", model.chatTemplate}});
  const auto tokenizer = loadTokenizer(folder);
  const TokenId end = tokenizer->find(model.end).value_or(0);
  std::vector<Chain> said = {{model.promptEnd, model.answer}};
  said.insert(said.end(), model.others.begin(), model.others.end());
  std::map<TokenId, TokenId> next;
  for (const Chain& one : said) {
    TokenId token = tokenizer->encode(one.promptEnd, false).back();
    std::vector<TokenId> chain = tokenizer->encode(one.answer, false);
    chain.push_back(end);
    for (const TokenId following : chain) {
      if (token == end || !next.emplace(token, following).second) return false;
      token = following;
    }
  }

  const int vocabulary = tokenizer->vocabularySize();
  std::ofstream(folder / "config.json") << nlohmann::json({{"architectures", {"Qwen2ForCausalLM"}},
                                                           {"model_type", "qwen2"},
                                                           {"vocab_size", vocabulary},
                                                           {"hidden_size", kWidth},
                                                           {"intermediate_size", 16},
                                                           {"num_hidden_layers", 1},
                                                           {"num_attention_heads", 1},
                                                           {"num_key_value_heads", 1},
                                                           {"hidden_act", "silu"},
                                                           {"max_position_embeddings", 1024},
                                                           {"rms_norm_eps", 1e-5},
                                                           {"rope_theta", 10000.0},
                                                           {"tie_word_embeddings", false},
                                                           {"torch_dtype", "float32"},
                                                           {"bos_token_id", nullptr},
                                                           {"eos_token_id", end}});
  // Rows of +1 and -1 at random are nearly at right angles to each other.
  std::mt19937 random(7);
  std::vector<float> embedding(static_cast<std::size_t>(vocabulary) * kWidth), head(embedding.size());
  for (float& value : embedding) value = random() % 2 == 0 ? 1.0F : -1.0F;
  for (const auto& [token, following] : next)
    for (std::size_t x = 0; x < kWidth; ++x)
      head[static_cast<std::size_t>(following) * kWidth + x] +=
          embedding[static_cast<std::size_t>(token) * kWidth + x] / 4;

  nlohmann::json header;
  std::string bytes;
  const auto add = [&](const std::string& name, const std::vector<int>& shape,
                       const std::vector<float>& data) {
    const std::size_t begin = bytes.size();
    bytes.append(reinterpret_cast<const char*>(data.data()), data.size() * sizeof(float));
    header[name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {begin, bytes.size()}}};
  };
  const auto filled = [](int count, float value) {
    return std::vector<float>(static_cast<std::size_t>(count), value);
  };
  add("model.embed_tokens.weight", {vocabulary, kWidth}, embedding);
  add("lm_head.weight", {vocabulary, kWidth}, head);
  add("model.norm.weight", {kWidth}, filled(kWidth, 1));
  const std::string layer = "model.layers.0.";
  for (const char* norm : {"input_layernorm", "post_attention_layernorm"})
    add(layer + norm + ".weight", {kWidth}, filled(kWidth, 1));
  for (const char* name : {"q_proj", "k_proj", "v_proj"}) {
    add(layer + "self_attn." + name + ".weight", {kWidth, kWidth}, filled(kWidth * kWidth, 0));
    add(layer + "self_attn." + name + ".bias", {kWidth}, filled(kWidth, 0));
  }
  add(layer + "self_attn.o_proj.weight", {kWidth, kWidth}, filled(kWidth * kWidth, 0));
  for (const char* name : {"gate_proj", "up_proj"})
    add(layer + "mlp." + name + ".weight", {16, kWidth}, filled(16 * kWidth, 0));
  add(layer + "mlp.down_proj.weight", {kWidth, 16}, filled(16 * kWidth, 0));
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::ofstream file(folder / "model.safetensors", std::ios::binary);
  const std::uint64_t size = text.size();
  file.write(reinterpret_cast<const char*>(&size), sizeof size);
  file << text << bytes;
  return file.good();
}

}  // namespace vitrine::test
