// Standard output, checked: no answer is lost with exit 0.
//
// Commands write with print() and printText(), which never throw, since text also streams from inside an
// engine's step. A loop that goes on writing asks requireOutput() in each round; main() calls finishOutput().
// Thread: one.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace vitrine::cli {

// The reader has gone away (`| head`): the program ends quietly.
class NobodyReads : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A descriptor 0, 1 or 2 that is closed is filled with one that cannot be used, so that no file opened later
// gets its number and the answer. A write beyond a file's greatest size becomes an error, not a signal.
void guardStandardStreams();

__attribute__((format(printf, 1, 2))) void print(const char* format, ...);
void printText(std::string_view text);
void flushOutput();  // what was printed is seen now: for text that streams

// Throws EngineError(kIo), or NobodyReads, when something of what was written is lost.
void requireOutput();
void finishOutput();  // requires it to the end

// A whole file at once; see vitrine/output_file.h. Throws EngineError(kIo).
void writeFile(const std::string& path, std::string_view bytes);

}  // namespace vitrine::cli
