// Trials of request files and scenarios: keys of the tables with values that fit or do not, and broken lines.
#include <algorithm>

#include "common/arguments.h"
#include "trials/files.h"
#include "trials/trial.h"
#include "trials/values.h"

namespace vitrine::trials {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> requestKeys() {
  std::vector<std::string> keys = {"arrival_step", "id", "prompt", "token_ids"};
  forEachRequestArgument([&](const auto& info, const auto&) { keys.push_back(info.key); });
  return keys;
}

Json valueFor(Dice& dice, const std::string& key, bool tame) {
  if (!tame && dice.chance(20)) return anyJson(dice);
  if (key == "stop") return dice.chance(50) ? Json("e") : Json::array({"x", "the"});
  if (key == "id" || key == "prompt")
    return tame && key == "id" ? std::to_string(dice.below(1'000'000)) : anyText(dice);
  if (key == "chat" || key == "ignore_eos") return dice.chance(50);
  if (key == "early_stopping") return dice.chance(50) ? Json(dice.chance(50)) : Json("never");
  if (key == "token_ids") return Json::array({dice.below(300), dice.below(300), dice.below(400)});
  return Json::parse(tame || dice.chance(80) ? fittingNumber(dice, key) : "-1");
}

Json anyRequest(Dice& dice, const std::vector<std::string>& keys, bool tame) {
  Json request = {{"max_tokens", 1 + dice.below(5)}};
  if (tame || dice.chance(90)) request["token_ids"] = Json::array({1, 2, dice.below(200)});
  for (std::size_t count = dice.below(5); count > 0; --count) {
    const std::string& key = dice.oneOf(keys);
    if (tame && key == "chat") continue;
    request[key] = valueFor(dice, key, tame);
    if (key == "prompt") request.erase("token_ids");
    if (key == "token_ids") request.erase("prompt");
  }
  return request;
}

std::string written(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string lineOf(Dice& dice, const Json& request) {
  std::string line = written(request);
  switch (dice.below(25)) {
    case 0:
      line.resize(dice.below(line.size()));
      break;
    case 1:
      line[dice.below(line.size())] = static_cast<char>(dice.below(256));
      break;
    case 2:
      line.insert(1, "\"max_tokens\":2,");
      break;
    case 3:
      line.insert(1, written(anyText(dice)) + ":1,");
      break;
    case 4:
      line = std::string(dice.below(100'000), '[');
      break;
    case 5:
      for (std::size_t i = dice.below(5000); i > 0; --i) line.insert(1, "\"k" + std::to_string(i) + "\":0,");
      break;
    default:
      break;
  }
  return line;
}

}  // namespace

Trial randomRequests(Dice& dice, const std::filesystem::path& folder) {
  static const std::vector<std::string> kKeys = requestKeys();
  static const std::vector<std::string> kPolicies = {"fcfs", "priority", "deadline"};
  static const std::vector<std::string> kBatchings = {"continuous", "static", "sequential"};
  std::filesystem::create_directory(folder / "model");
  copyModel(dice, folder / "model");
  Trial trial;
  std::string lines;
  Json all = Json::array();
  const bool tame = dice.chance(60);  // fits by itself; the work is what is tried
  for (std::size_t count = 1 + dice.below(6); count > 0; --count) {
    const Json request = anyRequest(dice, kKeys, tame);
    lines += (tame ? written(request) : lineOf(dice, request)) + (dice.chance(95) ? "\n" : "\r\n\n");
    all.push_back(request);
  }
  if (dice.chance(70)) {
    writeBytes(folder / "requests.jsonl", lines);
    trial.arguments = {"run", "--requests", "requests.jsonl"};
  } else {
    Json scenario = {{"requests", std::move(all)}, {"options", {{"num_blocks", 40}}}};
    if (!tame && dice.chance(40)) scenario[dice.chance(50) ? "options" : "commands"] = anyJson(dice);
    if (!tame && dice.chance(40))
      scenario["commands"] = Json::array({{{"step", dice.below(9)}, {"cancel", "r1"}}});
    if (!tame && dice.chance(20)) scenario[anyText(dice)] = anyJson(dice);
    std::string text = scenario.dump(1, ' ', false, Json::error_handler_t::replace);
    if (!tame && dice.chance(10)) text.resize(dice.below(text.size()));
    writeBytes(folder / "scenario.json", text);
    trial.arguments = {"run", "--scenario", "scenario.json"};
  }
  trial.arguments.insert(trial.arguments.end(),
                         {"--model", "model", "--policy", dice.oneOf(kPolicies), "--batching",
                          dice.oneOf(kBatchings), "--num-blocks", dice.chance(50) ? "9" : "60"});
  if (dice.chance(60)) trial.arguments.push_back("--json");
  trial.story = "a sound model in model/";
  return trial;
}

}  // namespace vitrine::trials
