#include "scenarios/scenario_text.h"

#include <nlohmann/json.hpp>

#include "common/argument_text.h"
#include "vitrine/output_file.h"

namespace vitrine {
namespace {

constexpr const char* kEnd = "END";  // of a here-document; no line of JSON is this word

Json toJson(const Command& command) { return {{"step", command.step}, {"cancel", command.cancel}}; }

Json toJson(const ExpectedEvent& expected) {
  Json json = {{"event", expected.event}};
  if (!expected.request.empty()) json["request"] = expected.request;
  for (const auto& [field, wanted] : expected.with) json["with"][field] = parseJson(wanted);
  if (!expected.panel.empty()) json["panel"] = expected.panel;
  json["words"] = expected.words;
  return json;
}

// One member of the file, an item a line.
void addList(std::string& text, const char* key, const auto& items, const auto& write) {
  if (items.empty()) return;
  text.append(",\n  \"").append(key).append("\": [");
  for (std::size_t i = 0; i < items.size(); ++i)
    text += std::string(i == 0 ? "" : ",") + "\n    " + oneLine(write(items[i]));
  text += "\n  ]";
}

}  // namespace

std::string scenarioToText(const Scenario& scenario) {
  std::string text = "{\n  \"title\": " + oneLine(scenario.title);
  const auto add = [&](const char* key, const Json& value) {
    text.append(",\n  \"").append(key).append("\": ").append(oneLine(value));
  };
  if (!scenario.about.empty()) add("about", scenario.about);
  if (scenario.group != ScenarioGroup::kOther) add("group", nameOf(scenario.group));
  if (scenario.order != 0) add("order", scenario.order);
  if (!scenario.engine.model.empty()) add("model", std::filesystem::absolute(scenario.engine.model).string());
  if (const Json options = engineKeysToJson(scenario.engine); !options.empty()) add("options", options);
  addList(text, "requests", scenario.requests, requestToJson);
  const auto plain = [](const auto& item) { return toJson(item); };
  addList(text, "commands", scenario.commands, plain);
  addList(text, "look_at", scenario.expected, plain);
  return text + "\n}\n";
}

void writeScenario(const Scenario& scenario, const std::filesystem::path& file) {
  OutputFile out(file);
  out.write(scenarioToText(scenario));
  out.finish();
}

std::string commandOf(const Scenario& scenario) {
  std::string command = "vitrine-cli run", document;
  if (scenario.commands.empty()) {
    for (const std::string& word : engineWords(scenario.engine)) command += ' ' + shellQuoted(word);
    for (const RequestLine& line : scenario.requests) document += oneLine(requestToJson(line)) + "\n";
    command += " --requests /dev/stdin";
  } else {
    document = scenarioToText(scenario);
    command += " --scenario /dev/stdin";
  }
  return command + " <<'" + kEnd + "'\n" + document + kEnd + "\n";
}

}  // namespace vitrine
