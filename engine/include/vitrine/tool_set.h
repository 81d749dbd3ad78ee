// ToolSet: the tools that a conversation offers to the model, read from OpenAI's JSON.
//
// Templates get the JSON itself (Dialogue::tools). This is what a reader of answers needs of it: the names,
// and the types of the parameters. Thread: immutable. Read next: tool_call.h.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

class ToolSet {
 public:
  ToolSet() = default;  // no tools
  // [{"type": "function", "function": {"name", "description", "parameters": a JSON schema}}, ...]; an empty
  // text: no tools. Throws EngineError(kInvalidArgument) naming the place.
  explicit ToolSet(const std::string& json);

  bool empty() const { return m_names.empty(); }
  const std::vector<std::string>& names() const { return m_names; }  // in the order of the JSON
  bool has(std::string_view tool) const { return m_tools.contains(tool); }
  // The JSON types that the schema allows for a parameter ("string", "integer"). Empty: it does not say.
  const std::vector<std::string>& typesOf(std::string_view tool, std::string_view parameter) const;

 private:
  using Types = std::vector<std::string>;
  using Parameters = std::map<std::string, Types, std::less<>>;

  std::vector<std::string> m_names;
  std::map<std::string, Parameters, std::less<>> m_tools;
};

}  // namespace vitrine
