// The libraries of Vitrine: the name, version, licence and purpose of each. Thread: any.
#pragma once

#include <QString>
#include <vector>

namespace vitrine {

struct UsedLibrary {
  QString name;
  QString version;        // empty: it does not tell
  QString licence;        // its SPDX identifier
  QString use;            // what Vitrine uses it for
  bool optional = false;  // it is a module of its own, of vitrine-cli or of the build, and may be missing
};

// Versions are of the program's run where a library tells them, else of its build.
std::vector<UsedLibrary> builtWith();

}  // namespace vitrine
