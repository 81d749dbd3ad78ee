// TemplateError: what is wrong with a template, or with what it was given, and where.
// Thread: any.
#pragma once

#include <string>

#include "text/jinja/place.h"
#include "vitrine/error.h"

namespace vitrine::jinja {

// What happens while a template is read and rendered. Whatever may go wrong has one of these kinds.
enum class ErrorKind {
  kSyntax,   // the text is no template
  kFailed,   // the template does something that its values do not allow
  kLimit,    // it takes more steps, text or depth than the options allow
  kRefused,  // the template itself rejects its input: raise_exception(), in its own words
};

// what() begins with line and column; problem() is the sentence alone.
class TemplateError : public EngineError {
 public:
  TemplateError(ErrorKind kind, Place place, const std::string& problem)
      : EngineError(kind == ErrorKind::kSyntax ? ErrorCode::kFileCorrupt : ErrorCode::kInvalidArgument,
                    "line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ": " +
                        problem),
        m_kind(kind),
        m_place(place),
        m_problem(problem) {}

  ErrorKind kind() const { return m_kind; }
  int line() const { return static_cast<int>(m_place.line); }
  int column() const { return static_cast<int>(m_place.column); }
  const std::string& problem() const { return m_problem; }

 private:
  ErrorKind m_kind;
  Place m_place;
  std::string m_problem;
};

}  // namespace vitrine::jinja
