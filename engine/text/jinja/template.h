// Template: a template in Jinja, parsed once and rendered often.
//
// It renders what `transformers` renders, to the byte, for the part of Jinja that chat templates use;
// README.md beside this file says which that is. The output is text with pieces: where each byte comes from,
// and what part of the template wrote it. Thread: immutable, so any number of threads may render one
// template.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/jinja/from_json.h"
#include "text/jinja/render_options.h"
#include "text/jinja/template_error.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

struct Program;

// A stretch of the output that has one mark.
struct Piece {
  std::size_t bytes = 0;
  bool fromInput = false;     // a value that the caller gave wrote it, else the template
  Origin origin = kNoOrigin;  // the number that the caller gave to that value
  Origin owner = kNoOrigin;   // the number of the innermost loop's item that has one: a message
  int line = 0, column = 0;   // in the template: the text or the output tag that wrote it

  bool operator==(const Piece&) const = default;
};

struct Rendered {
  std::string text;
  std::vector<Piece> pieces;  // cover the text
};

class Template {
 public:
  // Throws TemplateError(kSyntax).
  static Template parse(std::string_view text);

  // Throws TemplateError. What `variables` do not name is undefined.
  Rendered render(const Variables& variables, const RenderOptions& options = {}) const;

 private:
  explicit Template(std::shared_ptr<const Program> program) : m_program(std::move(program)) {}

  std::shared_ptr<const Program> m_program;
};

}  // namespace vitrine::jinja
