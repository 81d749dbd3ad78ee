#include "vitrine/prompt_template.h"

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "text/gguf_tokenizer.h"
#include "text/jinja/template.h"
#include "text/template_files.h"
#include "text/tokenizer_config.h"
#include "vitrine/error.h"
#include "vitrine/files.h"
#include "vitrine/json_reader.h"
#include "vitrine/model_place.h"

namespace vitrine {
namespace {

using Json = nlohmann::ordered_json;
using jinja::Mark;
using jinja::Value;

[[noreturn]] void refuse(const std::string& what, const std::string& problem) {
  throw EngineError(
      ErrorCode::kInvalidArgument, "the " + what + " " + problem,
      "Write the messages and tools as OpenAI's API has them: [{\"role\": \"user\", \"content\": "
      "\"Hi\"}].");
}

Json parsed(const std::string& what, const std::string& text, Json::value_t kind, const char* kindName) {
  const Json document = readJson<Json>(text, {.keepsDigits = true}, [&](const std::string& fault) {
    refuse(what, "cannot be read: " + fault);
  });
  if (document.type() != kind) refuse(what, std::string("should be ") + kindName);
  return document;
}

// Its role is not a person's words: the template writes it into its own marks.
Value messageValue(const Json& message, jinja::Origin place) {
  const Mark words = Mark::ofInput(place), name{.origin = place};
  jinja::Mapping mapping(words);
  for (const auto& [key, value] : message.items()) {
    const bool isRole = key == "role" && value.is_string();
    mapping.set(jinja::fromJson(key), jinja::fromJson(value, isRole ? name : words));
  }
  return Value::mapping(std::move(mapping));
}

Json parsedMessages(const std::string& text) {
  Json messages = parsed("messages", text, Json::value_t::array, "an array");
  for (const Json& message : messages)
    if (!message.is_object() || !message.contains("role"))
      refuse("messages", "should be objects with a \"role\"");
  return messages;
}

Value messageValues(const Json& messages) {
  jinja::Values values;
  for (const Json& message : messages)
    values.push_back(messageValue(message, static_cast<jinja::Origin>(values.size())));
  return Value::list(std::move(values));
}

std::vector<std::string> rolesOf(const Json& messages) {
  std::vector<std::string> roles;
  for (const Json& message : messages) {
    const Json& role = message["role"];
    roles.push_back(role.is_string() ? role.get<std::string>() : "");
  }
  return roles;
}

std::shared_ptr<const jinja::Template> parse(const std::string& text) {
  return std::make_shared<const jinja::Template>(jinja::Template::parse(text));
}

// What transformers' class for a lone tokenizer.model calls them where no file does.
void addUnnamed(PromptTemplate::Names& names) {
  for (const std::pair<const char*, const char*>& usual :
       {std::pair{"bos_token", "<s>"}, {"eos_token", "</s>"}, {"unk_token", "<unk>"}}) {
    const auto isNamed = [&](const auto& one) { return one.first == usual.first; };
    if (std::none_of(names.begin(), names.end(), isNamed)) names.emplace_back(usual.first, usual.second);
  }
}

PromptTemplate::Names namesOf(const std::filesystem::path& folder) {
  PromptTemplate::Names names = readTokenizerConfig(folder).names;
  if (!isThere(folder / "tokenizer.json") && isThere(folder / "tokenizer.model")) addUnnamed(names);
  return names;
}
PromptTemplate::Names namesOf(const GgufFile& file) { return readGgufTokenNames(file); }

template <typename Model>
std::optional<PromptTemplate> templateOf(const Model& model) {
  const auto found = readTemplateText(model);
  if (!found) return std::nullopt;
  PromptTemplate made(found->text, namesOf(model), found->forTools);
  made.setPlace(found->place);
  return made;
}

}  // namespace

TemplateDate TemplateDate::today() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return {local.tm_year + 1900, local.tm_mon + 1, local.tm_mday};
}

std::vector<TextRange> PromptText::written() const {
  std::vector<TextRange> ranges;
  for (const PromptPart& part : parts) {
    if (!part.written) continue;
    if (!ranges.empty() && ranges.back().end == part.range.begin)
      ranges.back().end = part.range.end;
    else
      ranges.push_back(part.range);
  }
  return ranges;
}

TemplateRefusal::TemplateRefusal(const std::string& words, int line)
    : EngineError(ErrorCode::kInvalidArgument, words,
                  "The model's chat template says so, in its line " + std::to_string(line) +
                      ": it takes no such conversation.") {}

PromptTemplate::PromptTemplate(const std::string& text, Names names, const std::string& textForTools)
    : m_text(text),
      m_template(parse(text)),
      m_templateForTools(textForTools.empty() ? m_template : parse(textForTools)),
      m_names(std::move(names)) {}

std::optional<PromptTemplate> PromptTemplate::ofModel(const std::filesystem::path& model) {
  const std::filesystem::path place = modelPlace(model);
  return isModelFile(place) ? templateOf(GgufFile(place)) : templateOf(place);
}
std::optional<PromptTemplate> PromptTemplate::ofModel(const GgufFile& file) { return templateOf(file); }

PromptTemplate PromptTemplate::ofModel(const std::filesystem::path& model, const std::string& text) {
  const std::filesystem::path place = modelPlace(model);
  return PromptTemplate(text, isModelFile(place) ? namesOf(GgufFile(place)) : namesOf(place));
}

PromptText PromptTemplate::render(const Conversation& conversation) const {
  jinja::Variables variables;
  for (const auto& [name, text] : m_names) variables.emplace_back(name, Value::string(text));
  const Json messages = parsedMessages(conversation.messages);
  variables.emplace_back("messages", messageValues(messages));
  const bool hasTools = !conversation.tools.empty();
  variables.emplace_back("tools", hasTools ? jinja::fromJson(parsed("tools", conversation.tools,
                                                                    Json::value_t::array, "an array"),
                                                             Mark::ofInput())
                                           : Value::none());
  variables.emplace_back("documents", Value::none());
  variables.emplace_back("add_generation_prompt", Value::boolean(conversation.addGenerationPrompt));
  if (!conversation.variables.empty()) {
    const Json given = parsed("variables", conversation.variables, Json::value_t::object, "an object");
    for (const auto& [name, value] : given.items())
      variables.emplace_back(name, jinja::fromJson(value, Mark::ofInput()));
  }
  jinja::RenderOptions options;
  options.now.year = conversation.date.year;
  options.now.month = conversation.date.month;
  options.now.day = conversation.date.day;

  PromptText prompt;
  prompt.roles = rolesOf(messages);
  try {
    jinja::Rendered rendered = (hasTools ? m_templateForTools : m_template)->render(variables, options);
    prompt.text = std::move(rendered.text);
    std::size_t begin = 0;
    for (const jinja::Piece& piece : rendered.pieces) {
      const std::size_t end = begin + piece.bytes;
      const jinja::Origin message = piece.origin != jinja::kNoOrigin ? piece.origin : piece.owner;
      prompt.parts.push_back({{begin, end}, message, piece.fromInput, piece.line, piece.column});
      begin = end;
    }
  } catch (const jinja::TemplateError& error) {
    if (error.kind() != jinja::ErrorKind::kRefused) throw;
    throw TemplateRefusal(error.problem(), error.line());
  }
  return prompt;
}

}  // namespace vitrine
