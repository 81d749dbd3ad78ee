// Vitrine's own JSON of chats: whole trees with settings, provenance, timings and tokens. What it writes,
// readChats() reads back as equal values, but for the ids.
//
//   {"format": "vitrine-chats", "version": 1, "chats": [
//     {"title", "title_given", "created_ms", "changed_ms", "pinned", "archived", "instructions", "stops",
//      "preset", "asking", "tools", "draft", "waiting", "shown": a message's place in the list,
//      "messages": [{"parent": its place, absent for a root; "role", "state", "created_ms", "text",
//        "thinking", "failure", "limit", "provenance": {"model", "fingerprint", "engine_options",
//        "compute_mode", "instruction_set", "seed", "sampling"}, "timings": {"queued_ns", "prefill_ns",
//        "first_token_ns", "decode_ns", "prompt_tokens", "cached_tokens", "output_tokens"}, "tokens": [ids],
//        "logprobs": [numbers or null]}]}]}
//
// A member with its default is left out. Thread: any. Read next: chat_import.h.
#pragma once

#include <QByteArray>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "chat_record.h"

namespace vitrine {

inline constexpr const char* kChatsFormat = "vitrine-chats";
inline constexpr int kChatsVersion = 1;

// Chats that were read with their tokens. Ends with a newline. Models and folders are named without their
// paths (vitrine/place_name.h).
QByteArray chatsToJson(const std::vector<ChatRecord>& chats);

// Engine options, as Provenance has them, as they are exported.
QString optionsWithNames(const QString& options);

// The chats of such a tree. Throws EngineError: kUnsupported for a newer version, kFileCorrupt for a message
// before its parent. Members of a wrong kind have their defaults.
std::vector<ChatRecord> chatsFromJson(const nlohmann::ordered_json& root);

}  // namespace vitrine
