#include "text/jinja/template.h"

#include "text/jinja/interpreter.h"
#include "text/jinja/parser.h"
#include "text/jinja/syntax.h"

namespace vitrine::jinja {

Template Template::parse(std::string_view text) {
  return Template(std::make_shared<const Program>(parseProgram(text)));
}

Rendered Template::render(const Variables& variables, const RenderOptions& options) const {
  const MarkedText output = Interpreter(*m_program, variables, options).run();
  Rendered rendered{output.text(), {}};
  rendered.pieces.reserve(output.runs().size());
  std::size_t begin = 0;
  for (const auto& [end, mark] : output.runs()) {
    rendered.pieces.push_back({.bytes = end - begin,
                               .fromInput = mark.fromInput,
                               .origin = mark.origin,
                               .owner = mark.owner,
                               .line = static_cast<int>(mark.place.line),
                               .column = static_cast<int>(mark.place.column)});
    begin = end;
  }
  return rendered;
}

}  // namespace vitrine::jinja
