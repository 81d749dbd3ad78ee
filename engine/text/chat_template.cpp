#include "text/chat_template.h"

#include <algorithm>
#include <cctype>

namespace vitrine::chat_template {
namespace {

char unescaped(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    default:
      return c;
  }
}

// Reads the string that begins with the quote at `at` and moves past it.
std::string readString(std::string_view code, std::size_t& at) {
  const char quote = code[at++];
  std::string text;
  for (; at < code.size() && code[at] != quote; ++at) {
    if (code[at] == '\\' && at + 1 < code.size()) {
      text += unescaped(code[++at]);
    } else {
      text += code[at];
    }
  }
  ++at;
  return text;
}

void finishTerm(std::string& code, Expression& expression) {
  if (!code.empty()) expression.push_back({code, false});
  code.clear();
}

// A string directly between plus signs is a term; one inside brackets belongs to the code around it.
Expression parse(std::string_view source) {
  Expression expression;
  std::string code;
  int depth = 0;
  for (std::size_t at = 0; at < source.size();) {
    const char c = source[at];
    if (c == '\'' || c == '"') {
      std::string text = readString(source, at);
      if (depth == 0 && code.empty()) {
        expression.push_back({std::move(text), true});
      } else {
        code += "'" + text + "'";
      }
      continue;
    }
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == '+' && depth == 0) {
      finishTerm(code, expression);
    } else if (!std::isspace(static_cast<unsigned char>(c))) {
      code += c;
    }
    ++at;
  }
  finishTerm(code, expression);
  return expression;
}

// Where the tag that begins at `from` ends; quotes may hold the closing mark.
std::size_t endOfTag(std::string_view text, std::size_t from, std::string_view close) {
  for (std::size_t at = from; at < text.size();) {
    if (text[at] == '\'' || text[at] == '"') {
      readString(text, at);
    } else if (text.substr(at, close.size()) == close) {
      return at;
    } else {
      ++at;
    }
  }
  return text.size();
}

std::string_view withoutDashes(std::string_view inside) {
  if (!inside.empty() && inside.front() == '-') inside.remove_prefix(1);
  if (!inside.empty() && inside.back() == '-') inside.remove_suffix(1);
  return inside;
}

}  // namespace

std::vector<Expression> expressions(std::string_view chatTemplate) {
  std::vector<Expression> result;
  for (std::size_t at = 0; at + 1 < chatTemplate.size();) {
    const std::string_view open = chatTemplate.substr(at, 2);
    if (open == "{#") {
      const std::size_t end = chatTemplate.find("#}", at);
      at = end == std::string_view::npos ? chatTemplate.size() : end + 2;
      continue;
    }
    if (open != "{{" && open != "{%") {
      ++at;
      continue;
    }
    const std::size_t end = endOfTag(chatTemplate, at + 2, open == "{{" ? "}}" : "%}");
    std::string_view inside = withoutDashes(chatTemplate.substr(at + 2, end - at - 2));
    at = end + 2;
    if (open == "{%") {
      const std::size_t set = inside.find("set ");
      const std::size_t equals = inside.find('=');
      if (set == std::string_view::npos || equals == std::string_view::npos || set > equals) continue;
      inside.remove_prefix(equals + 1);
    }
    result.push_back(parse(inside));
  }
  return result;
}

bool isContent(const Term& term) {
  if (term.isString) return false;
  for (const std::string_view name : {"message['content']", "message.content", "content"}) {
    if (term.text.compare(0, name.size(), name) == 0) return true;
  }
  return false;
}

}  // namespace vitrine::chat_template
