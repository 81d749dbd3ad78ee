#include "connect/model_list.h"

#include <nlohmann/json.hpp>

#include "common/json_files.h"
#include "vitrine/json_reader.h"

namespace vitrine::connect {
namespace {

constexpr std::size_t kMostModels = 1000;  // that are listed

EngineError noList(const std::string& what) {
  return {ErrorCode::kFileCorrupt, "the server tells no list of models: " + what,
          "Check that the address is that of an OpenAI-compatible server."};
}

// vLLM and SGLang tell "max_model_len", llama.cpp a "meta" with the context that a slot has, or was trained
// for.
int contextOf(const Json& model) {
  const auto at = [](const Json& object, const char* key) {
    const auto found = object.find(key);
    const bool isCount = found != object.end() && found->is_number_integer() && *found > 0 &&
                         *found <= std::numeric_limits<int>::max();
    return isCount ? found->get<int>() : 0;
  };
  if (const int told = at(model, "max_model_len"); told > 0) return told;
  const auto meta = model.find("meta");
  if (meta == model.end() || !meta->is_object()) return 0;
  if (const int told = at(*meta, "n_ctx"); told > 0) return told;
  return at(*meta, "n_ctx_train");
}

}  // namespace

ModelList modelListOf(std::string_view body) {
  const Json json = readJson<Json>(body, {}, [](const std::string& fault) { throw noList(fault); });
  const auto data = json.is_object() ? json.find("data") : json.end();
  if (data == json.end() || !data->is_array()) throw noList("there is no \"data\"");
  ModelList list;
  for (const Json& model : *data) {
    if (!model.is_object() || list.models.size() == kMostModels) continue;
    const auto id = model.find("id");
    if (id == model.end() || !id->is_string()) continue;
    list.models.push_back({id->get<std::string>(), contextOf(model)});
    const auto owner = model.find("owned_by");
    if (list.kind == ServerKind::kUnknown && owner != model.end() && owner->is_string())
      list.kind = kindOfOwner(owner->get_ref<const std::string&>());
  }
  if (list.models.empty())
    throw EngineError(ErrorCode::kUnavailable, "the server has no model", "Load one there.");
  return list;
}

}  // namespace vitrine::connect
