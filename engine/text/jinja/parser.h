// The parser: a template's text as a syntax tree.
#pragma once

#include <string_view>

#include "text/jinja/syntax.h"

namespace vitrine::jinja {

// Throws TemplateError(kSyntax).
Program parseProgram(std::string_view source);

}  // namespace vitrine::jinja
