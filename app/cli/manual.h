// The options of every command as a manual page writes them, so that the page cannot tell another story than
// --help. packaging/man/vitrine-cli.1.in has the words around them.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace vitrine::cli {

// roff, man(7): a subsection a command; options of the group "Engine", which commands share, stand once at
// the end under a section of their own.
std::string manualOf(const CLI::App& program);

}  // namespace vitrine::cli
