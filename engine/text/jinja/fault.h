// Fault: an operation that cannot be done, before anything says where in the template it stands. The
// interpreter adds the place and makes a TemplateError of it.
#pragma once

#include <string>
#include <utility>

#include "text/jinja/template_error.h"

namespace vitrine::jinja {

struct Fault {
  ErrorKind kind;
  std::string problem;
};

[[noreturn]] inline void fail(std::string problem) { throw Fault{ErrorKind::kFailed, std::move(problem)}; }
[[noreturn]] inline void failLimit(std::string problem) {
  throw Fault{ErrorKind::kLimit, std::move(problem)};
}

}  // namespace vitrine::jinja
