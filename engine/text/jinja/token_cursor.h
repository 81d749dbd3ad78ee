// TokenCursor: where a parser stands among the tokens of a template.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/jinja/lexer.h"
#include "text/jinja/place.h"

namespace vitrine::jinja {

class TokenCursor {
 public:
  explicit TokenCursor(std::vector<Token> tokens) : m_tokens(std::move(tokens)) {}

  const Token& current() const { return m_tokens[m_at]; }
  const Token& next() const;  // the one behind it
  // Goes on by one, but not beyond the end.
  Token take();

  bool isName(std::string_view name) const { return current().isName(name); }
  bool isAnyName(std::initializer_list<std::string_view> names) const;
  bool isOperator(std::string_view sign) const { return current().isOperator(sign); }
  bool takeName(std::string_view name);
  bool takeOperator(std::string_view sign);
  void requireName(std::string_view name);
  void requireOperator(std::string_view sign);
  Token requireType(Token::Type type, const std::string& what);

  [[noreturn]] static void failAt(Place place, const std::string& problem);
  // `wanted` is missing here.
  [[noreturn]] void failHere(const std::string& wanted) const;

  // Counts the levels of the parser's own recursion while it lives. A bracket takes two of them.
  class Level {
   public:
    explicit Level(TokenCursor& cursor);
    ~Level() { --m_cursor.m_depth; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    static constexpr int kDeepest = 400;

    TokenCursor& m_cursor;
  };

 private:
  std::vector<Token> m_tokens;
  std::size_t m_at = 0;
  int m_depth = 0;
};

}  // namespace vitrine::jinja
