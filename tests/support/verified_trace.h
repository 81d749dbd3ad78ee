// verified(): lines that came over a wire, through the verifier of a trace's file.
#pragma once

#include <QTemporaryDir>
#include <fstream>
#include <string>
#include <vector>

#include "vitrine/trace.h"

namespace vitrine::test {

// Throws as verifyTrace().
inline TraceReport verified(const std::vector<std::string>& lines) {
  const QTemporaryDir folder;
  const std::string file = folder.filePath("t.vitrine").toStdString();
  {
    std::ofstream out(file);
    for (const std::string& line : lines) out << line << '\n';
  }
  return verifyTrace(file);
}

}  // namespace vitrine::test
