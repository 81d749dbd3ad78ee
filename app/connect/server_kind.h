// ServerKind: which program serves an OpenAI-compatible API, and which fields its chats take beside OpenAI's
// own. A strict server refuses a field that it does not know, so that none gets one that is not in this
// table.
//
// Sources: vLLM's and SGLang's protocol.py, llama.cpp's tools/server/README.md, Ollama's docs/openai.md, and
// app/server/README.md. Thread: values. Read next: chat_body.h, model_list.h.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace vitrine::connect {

enum class ServerKind : std::uint8_t { kUnknown, kVllm, kSglang, kLlamaCpp, kOllama, kVitrine };

struct ServerTraits {
  ServerKind kind = ServerKind::kUnknown;
  const char* name = "";
  const char* ownedBy = "";         // of its models in /v1/models
  bool topK = false, minP = false;  // "top_k", "min_p"
  bool typicalP = false;            // "typical_p"
  const char* repetition = "";      // the field of the repetition penalty; empty: there is none
  bool templateOptions = false;     // "chat_template_kwargs", with "enable_thinking"
  bool structured = false;          // "structured_outputs"
  const char* grammar = "";         // without it: the fields of a grammar in GBNF, of a regular expression
  const char* regex = "";
};

inline constexpr std::array<ServerTraits, 6> kServerTraits = {{
    {.kind = ServerKind::kUnknown, .name = "OpenAI-compatible server"},
    {.kind = ServerKind::kVllm,
     .name = "vLLM",
     .ownedBy = "vllm",
     .topK = true,
     .minP = true,
     .repetition = "repetition_penalty",
     .templateOptions = true,
     .structured = true},
    {.kind = ServerKind::kSglang,
     .name = "SGLang",
     .ownedBy = "sglang",
     .topK = true,
     .minP = true,
     .repetition = "repetition_penalty",
     .templateOptions = true,
     .regex = "regex"},
    {.kind = ServerKind::kLlamaCpp,
     .name = "llama.cpp",
     .ownedBy = "llamacpp",
     .topK = true,
     .minP = true,
     .typicalP = true,
     .repetition = "repeat_penalty",
     .templateOptions = true,
     .grammar = "grammar"},
    {.kind = ServerKind::kOllama, .name = "Ollama", .ownedBy = "library"},
    {.kind = ServerKind::kVitrine,
     .name = "Vitrine",
     .ownedBy = "vitrine",
     .topK = true,
     .minP = true,
     .typicalP = true,
     .repetition = "repetition_penalty",
     .structured = true},
}};

constexpr const ServerTraits& traitsOf(ServerKind kind) {
  return kServerTraits[static_cast<std::size_t>(kind)];
}

constexpr ServerKind kindOfOwner(std::string_view owner) {
  for (const ServerTraits& traits : kServerTraits)
    if (traits.kind != ServerKind::kUnknown && owner == traits.ownedBy) return traits.kind;
  return ServerKind::kUnknown;
}

}  // namespace vitrine::connect
