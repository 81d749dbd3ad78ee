// Good traces to spoil, and what verifyTrace() says of bytes.
#pragma once

#include <QTemporaryDir>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/event_log.h"
#include "support/scripted_machine.h"
#include "vitrine/trace.h"

namespace vitrine::test {

inline SchedulerOptions traceOptions() {
  SchedulerOptions tiny;
  tiny.blockSize = 4;
  tiny.numBlocks = 9;
  tiny.tokenBudget = 6;
  tiny.maxSequences = 4;
  return tiny;
}

inline std::string bytesOf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// The trace of a random run with forks, preemptions, hits and cancellations, over 128 steps long.
inline const std::string& goodTrace() {
  static const std::string bytes = [] {
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("good.vitrine").toStdString();
    TraceWriter writer(file);
    ScriptedMachine machine(traceOptions(), writer);
    runRandomly(machine, 5, 90, [] {});
    writer.finish();
    return bytesOf(file);
  }();
  return bytes;
}

// What verifyTrace() says of these bytes, without the file's name; empty when it is content.
inline std::string verdict(const std::string& bytes, TraceReport* report = nullptr) {
  QTemporaryDir folder;
  const std::filesystem::path file = folder.filePath("t.vitrine").toStdString();
  std::ofstream(file, std::ios::binary) << bytes;
  try {
    const TraceReport found = verifyTrace(file);
    if (report != nullptr) *report = found;
  } catch (const EngineError& error) {
    std::string what = error.what();
    if (const std::string name = file.string() + ": "; what.starts_with(name)) what.erase(0, name.size());
    return std::string(errorCodeName(error.code())) + ": " + what;
  }
  return "";
}

inline std::vector<std::string> linesOf(const std::string& bytes) {
  std::vector<std::string> lines;
  std::istringstream in(bytes);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

inline std::string joined(const std::vector<std::string>& lines) {
  std::string bytes;
  for (const std::string& line : lines) bytes += line + "\n";
  return bytes;
}

}  // namespace vitrine::test
