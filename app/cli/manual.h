// The options of every command in the format of a manual page, so that the page cannot differ from --help.
// packaging/man/vitrine-cli.1.in has the text around them.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace vitrine::cli {

// roff, man(7): a subsection for each command. The options of the group "Engine", which commands share,
// follow once in a section of their own.
std::string manualOf(const CLI::App& program);

}  // namespace vitrine::cli
