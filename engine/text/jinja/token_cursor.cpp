#include "text/jinja/token_cursor.h"

#include <algorithm>

#include "text/jinja/template_error.h"

namespace vitrine::jinja {
namespace {

std::string described(const Token& token) {
  switch (token.type) {
    case Token::Type::kText:
      return "text";
    case Token::Type::kVariableBegin:
      return "'{{'";
    case Token::Type::kVariableEnd:
      return "'}}'";
    case Token::Type::kBlockBegin:
      return "'{%'";
    case Token::Type::kBlockEnd:
      return "'%}'";
    case Token::Type::kString:
      return "a text in quotation marks";
    case Token::Type::kInteger:
    case Token::Type::kReal:
      return "a number";
    case Token::Type::kEnd:
      return "the end of the template";
    default:
      return "'" + token.text + "'";
  }
}

}  // namespace

const Token& TokenCursor::next() const { return m_tokens[std::min(m_at + 1, m_tokens.size() - 1)]; }

Token TokenCursor::take() {
  Token token = m_tokens[m_at];
  if (token.type != Token::Type::kEnd) ++m_at;
  return token;
}

bool TokenCursor::isAnyName(std::initializer_list<std::string_view> names) const {
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return isName(name); });
}

bool TokenCursor::takeName(std::string_view name) {
  if (!isName(name)) return false;
  ++m_at;
  return true;
}

bool TokenCursor::takeOperator(std::string_view sign) {
  if (!isOperator(sign)) return false;
  ++m_at;
  return true;
}

void TokenCursor::requireName(std::string_view name) {
  if (!takeName(name)) failHere("'" + std::string(name) + "'");
}

void TokenCursor::requireOperator(std::string_view sign) {
  if (!takeOperator(sign)) failHere("'" + std::string(sign) + "'");
}

Token TokenCursor::requireType(Token::Type type, const std::string& what) {
  if (current().type != type) failHere(what);
  return take();
}

void TokenCursor::failAt(Place place, const std::string& problem) {
  throw TemplateError(ErrorKind::kSyntax, place, problem);
}

void TokenCursor::failHere(const std::string& wanted) const {
  failAt(current().place, wanted + " is missing before " + described(current()) + ".");
}

TokenCursor::Level::Level(TokenCursor& cursor) : m_cursor(cursor) {
  if (++cursor.m_depth > kDeepest) failAt(cursor.current().place, "The template is nested too deep.");
}

}  // namespace vitrine::jinja
