#include "scenarios/scenario.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "common/shipped_files.h"
#include "vitrine/files.h"
#include "vitrine/message_text.h"
#include "vitrine/trace.h"

namespace vitrine {
namespace {

ShippedFiles shippedScenarios() { return {"scenarios", ".json", "scenario"}; }

// visit(key, value) for each member; it returns false for an unknown key.
void readMembers(const Json& json, const std::string& what, const auto& visit) {
  if (!json.is_object()) throw UsageError(what + " must be a JSON object");
  for (const auto& [key, value] : json.items())
    if (!visit(key, value)) throw UsageError("unknown key \"" + forMessage(key, 60) + "\" in " + what);
}

// read(item) for each item; an error names its position.
void readList(const Json& json, const std::string& what, const auto& read) {
  if (!json.is_array()) throw UsageError("\"" + what + "\" must be a list");
  for (std::size_t i = 0; i < json.size(); ++i) {
    try {
      read(json[i]);
    } catch (const UsageError& error) {
      throw error.at(what + ", item " + std::to_string(i + 1) + ": ");
    }
  }
}

Command readCommand(const Json& json) {
  Command command;
  readMembers(json, "a command", [&](const std::string& key, const Json& value) {
    if (key == "step") command.step = wholeNumber(key, value);
    if (key == "cancel") command.cancel = stringValue(key, value);
    return key == "step" || key == "cancel";
  });
  if (!json.contains("step") || !json.contains("cancel"))
    throw UsageError("a command needs \"step\" and \"cancel\"");
  return command;
}

ExpectedEvent readExpected(const Json& json) {
  ExpectedEvent expected;
  readMembers(json, "what to look at", [&](const std::string& key, const Json& value) {
    const std::map<std::string, std::string*> texts = {{"words", &expected.words},
                                                       {"panel", &expected.panel},
                                                       {"event", &expected.event},
                                                       {"request", &expected.request}};
    if (const auto found = texts.find(key); found != texts.end()) {
      *found->second = stringValue(key, value);
      return true;
    }
    if (key != "with" || !value.is_object()) return false;
    for (const auto& [field, wanted] : value.items()) expected.with.emplace_back(field, wanted.dump());
    return true;
  });
  if (expected.words.empty() || expected.event.empty())
    throw UsageError("what to look at needs \"words\" and \"event\"");
  if (!isEventName(expected.event))
    throw UsageError("there is no event \"" + forMessage(expected.event, 60) + "\"");
  if (!expected.panel.empty() &&
      std::ranges::find(expectationPanels(), expected.panel) == expectationPanels().end())
    throw UsageError("\"panel\" must be one of " + listed(expectationPanels()) + ", not \"" +
                     forMessage(expected.panel, 60) + "\"");
  return expected;
}

ScenarioGroup readGroup(const std::string& name) {
  if (const auto group = fromName<ScenarioGroup>(name)) return *group;
  throw UsageError("\"group\" must be one of " + listed(Names<ScenarioGroup>::list) + ", not \"" +
                   forMessage(name, 60) + "\"");
}

// The texts of one language take the place of the scenario's own.
void readTexts(Scenario& scenario, const Json& json) {
  readMembers(json, "texts of a language", [&](const std::string& key, const Json& value) {
    if (key == "title") scenario.title = stringValue(key, value);
    if (key == "about") scenario.about = stringValue(key, value);
    if (key != "look_at") return key == "title" || key == "about";
    std::size_t place = 0;
    readList(value, key, [&](const Json& item) {
      if (place == scenario.expected.size())
        throw UsageError("a language has more words than there is to look at");
      scenario.expected[place++].words = stringValue(key, item);
    });
    return true;
  });
}

// Every language is read, so that a fault is told in any of them.
void readLanguages(Scenario& scenario, const Json& json, const std::string& language) {
  const Scenario own = scenario;
  readMembers(json, "\"in\"", [&](const std::string& key, const Json& value) {
    Scenario spoken = own;
    readTexts(spoken, value);
    if (key == language) scenario = std::move(spoken);
    return true;
  });
}

void readKey(Scenario& scenario, const std::filesystem::path& file, const std::string& key,
             const Json& value) {
  if (key == "title") {
    scenario.title = stringValue(key, value);
  } else if (key == "about") {
    scenario.about = stringValue(key, value);
  } else if (key == "group") {
    scenario.group = readGroup(stringValue(key, value));
  } else if (key == "order") {
    scenario.order = wholeNumber(key, value);
  } else if (key == "model") {
    scenario.engine.model = (file.parent_path() / stringValue(key, value)).string();
  } else if (key == "options") {
    readMembers(value, "\"options\"", [&](const std::string& option, const Json& given) {
      return takeEngineKey(scenario.engine, option, given);
    });
  } else if (key == "requests") {
    readList(value, key, [&](const Json& item) { scenario.requests.push_back(requestFromJson(item)); });
  } else if (key == "commands") {
    readList(value, key, [&](const Json& item) { scenario.commands.push_back(readCommand(item)); });
  } else if (key == "look_at") {
    readList(value, key, [&](const Json& item) { scenario.expected.push_back(readExpected(item)); });
  } else if (key != "in") {  // behind all others
    throw UsageError("unknown key \"" + forMessage(key, 60) + "\"");
  }
}

}  // namespace

void checkScenario(Scenario& scenario) {
  if (scenario.requests.empty()) throw UsageError("\"requests\" is missing or empty");
  std::set<std::string> names;
  for (std::size_t i = 0; i < scenario.requests.size(); ++i) {
    std::string& name = scenario.requests[i].arguments.request.name;
    if (name.empty()) name = "r" + std::to_string(i + 1);
    if (!names.insert(name).second) throw UsageError("the id \"" + forMessage(name, 60) + "\" is taken");
  }
  const auto check = [&](const std::string& name) {
    if (!names.contains(name)) throw UsageError("there is no request \"" + forMessage(name, 60) + "\"");
  };
  for (const Command& command : scenario.commands) check(command.cancel);
  for (const ExpectedEvent& expected : scenario.expected)
    if (!expected.request.empty()) check(expected.request);
}

Scenario readScenario(const std::string& nameOrFile, InputKind kind, const std::string& language) {
  const std::filesystem::path file = shippedScenarios().find(nameOrFile);
  const Json json = parseJsonFile(file, kind);
  Scenario scenario;
  scenario.name = scenario.title = file.stem().string();
  try {
    if (!json.is_object()) throw UsageError("a scenario must be a JSON object");
    for (const auto& [key, value] : json.items()) readKey(scenario, file, key, value);
    if (json.contains("in")) readLanguages(scenario, json["in"], language);
    checkScenario(scenario);
    scenario.engine.toOptions();
  } catch (const UsageError& error) {
    throw UsageError(file.string() + ": " + asKeys(error.what()), asKeys(error.hint()));
  }
  return scenario;
}

bool looksLikeScenario(std::string_view text) {
  try {
    const Json json = parseJson(text);
    return json.is_object() && json.contains("requests");
  } catch (const UsageError&) {
    return false;
  }
}

std::vector<std::string> shippedScenarioNames() {
  return shippedScenarios().inOrder([](const std::string& name) { return readScenario(name).order; });
}

}  // namespace vitrine
