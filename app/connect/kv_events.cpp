#include "connect/kv_events.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "vitrine/error.h"
#include "vitrine/message_text.h"

namespace vitrine::connect {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kDepth =
    16;  // a batch, its events, an event, its extra keys, a block's, one of them, ...
constexpr std::size_t kMostValues = std::size_t{4} << 20;  // of a batch: token ids nearly all

EngineError contradiction(const std::string& what) {
  return {ErrorCode::kFileCorrupt, "the server's KV events are none: " + what,
          "Name the address at which vLLM or SGLang publishes its KV events."};
}

// Builds a tree from what nlohmann's parser finds in msgpack (its SAX interface). The parser calls itself for
// each list and map, which ends at kDepth. A length that is only claimed reserves nothing here, and nothing
// in the parser, which reads strings and bytes one by one.
class Builder {
 public:
  explicit Builder(Json& root) : m_root(root) {}
  const std::string& fault() const { return m_fault; }

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(Json::number_integer_t value) { return put(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return put(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  bool binary(Json::binary_t& value) { return put(std::move(value)); }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    m_member = &(*m_open.back())[name];
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception& error) {
    m_fault = jsonComplaint(error.what());
    return false;
  }

 private:
  Json* place(Json value) {
    if (++m_values > kMostValues) {
      m_fault = "more than " + std::to_string(kMostValues) + " values";
      return nullptr;
    }
    Json* const parent = m_open.empty() ? nullptr : m_open.back();
    if (parent != nullptr && parent->is_array()) {
      parent->push_back(std::move(value));
      return &parent->back();
    }
    Json& target = parent == nullptr ? m_root : *m_member;
    target = std::move(value);
    return &target;
  }
  template <typename Value>
  bool put(Value&& value) {
    return place(Json(std::forward<Value>(value))) != nullptr;
  }
  bool open(Json empty) {
    if (m_open.size() >= kDepth) {
      m_fault = "nested deeper than " + std::to_string(kDepth);
      return false;
    }
    m_open.push_back(place(std::move(empty)));
    return m_open.back() != nullptr;
  }
  bool close() {
    m_open.pop_back();
    return true;
  }

  Json& m_root;
  std::vector<Json*> m_open;  // the lists and maps around the present place
  Json* m_member = nullptr;   // of the innermost map: the value of the last key
  std::size_t m_values = 0;
  std::string m_fault;
};

Json treeOf(std::string_view payload) {
  Json root;
  Builder builder(root);
  if (!Json::sax_parse(payload.begin(), payload.end(), &builder, Json::input_format_t::msgpack))
    throw contradiction(builder.fault());
  return root;
}

// The fields of a batch or an event, in either form.
class Fields {
 public:
  explicit Fields(const Json& tree) : m_tree(tree) {
    if (!tree.is_array() && !tree.is_object()) throw contradiction("a value stands for a list or a map");
  }
  // Of the older form's list, and of the newer form's map. Null where it is left out.
  const Json& at(std::size_t index, const char* name) const {
    static const Json none;
    if (m_tree.is_array()) return index < m_tree.size() ? m_tree[index] : none;
    const auto found = m_tree.find(name);
    return found == m_tree.end() ? none : *found;
  }

 private:
  const Json& m_tree;
};

const Json::array_t& listAt(const Fields& fields, std::size_t index, const char* name) {
  const auto* const list = fields.at(index, name).get_ptr<const Json::array_t*>();
  if (list == nullptr) throw contradiction(std::string(name) + " is no list");
  return *list;
}

// `none` may stand for a number that is left out.
int numberOf(const Json& value, const char* name, std::optional<int> none = std::nullopt) {
  if (value.is_null() && none) return *none;
  constexpr int kMost = std::numeric_limits<int>::max();
  if (value.is_number_unsigned() && value.get<std::uint64_t>() <= kMost) return value.get<int>();
  if (value.is_number_integer() && !value.is_number_unsigned() && value.get<std::int64_t>() >= 0 &&
      value.get<std::int64_t>() <= kMost)
    return value.get<int>();
  throw contradiction(std::string(name) + " is no number from 0 to " + std::to_string(kMost));
}

std::string textOf(const Json& value, const char* name) {
  if (value.is_null()) return {};
  if (!value.is_string()) throw contradiction(std::string(name) + " is no text");
  return value.get<std::string>();
}

KvHash hashOf(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number_integer()) return static_cast<std::uint64_t>(value.get<std::int64_t>());
  if (!value.is_binary() || value.get_binary().size() < sizeof(KvHash))
    throw contradiction("a block's hash is neither a number nor the bytes of one");
  KvHash hash = 0;
  for (std::size_t i = 0; i < sizeof hash; ++i) hash = hash << 8 | value.get_binary()[i];
  return hash;
}

std::vector<KvHash> hashesOf(const Fields& event) {
  std::vector<KvHash> hashes;
  for (const Json& hash : listAt(event, 1, "block_hashes")) hashes.push_back(hashOf(hash));
  return hashes;
}

KvStored storedOf(const Fields& event) {
  KvStored stored;
  stored.hashes = hashesOf(event);
  if (const Json& parent = event.at(2, "parent_block_hash"); !parent.is_null())
    stored.parent = hashOf(parent);
  const Json::array_t& tokens = listAt(event, 3, "token_ids");
  stored.tokenIds.reserve(tokens.size());
  for (const Json& token : tokens) stored.tokenIds.push_back(numberOf(token, "a token"));
  stored.blockSize = numberOf(event.at(4, "block_size"), "block_size");
  stored.medium = textOf(event.at(6, "medium"), "medium");
  stored.loraName = textOf(event.at(7, "lora_name"), "lora_name");
  if (const Json& number = event.at(5, "lora_id"); stored.loraName.empty() && !number.is_null())
    stored.loraName = std::to_string(numberOf(number, "lora_id"));
  stored.group = numberOf(event.at(9, "group_idx"), "group_idx", 0);
  return stored;
}

KvRemoved removedOf(const Fields& event) {
  return {hashesOf(event), textOf(event.at(2, "medium"), "medium"),
          numberOf(event.at(3, "group_idx"), "group_idx", 0)};
}

void addEvent(const Json& tree, KvEventBatch& batch) {
  const Fields event(tree);
  const std::string type = textOf(event.at(0, "type"), "an event's type");
  if (type.empty()) throw contradiction("an event has no type");
  if (type == "BlockStored")
    batch.events.emplace_back(storedOf(event));
  else if (type == "BlockRemoved")
    batch.events.emplace_back(removedOf(event));
  else if (type == "AllBlocksCleared")
    batch.events.emplace_back(KvCleared());
  else
    ++batch.unknown;
}

}  // namespace

KvEventBatch readKvEvents(std::string_view payload) {
  const Json tree = treeOf(payload);
  const Fields fields(tree);
  KvEventBatch batch;
  const Json& time = fields.at(0, "ts");
  if (!time.is_number() || !std::isfinite(time.get<double>())) throw contradiction("a batch has no time");
  batch.time = time.get<double>();
  for (const Json& event : listAt(fields, 1, "events")) addEvent(event, batch);
  if (const Json& rank = fields.at(2, "data_parallel_rank"); !rank.is_null())
    batch.rank = numberOf(rank, "data_parallel_rank");
  return batch;
}

}  // namespace vitrine::connect
