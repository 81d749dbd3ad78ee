// Standard output, checked: no answer is lost with exit 0.
//
// Commands write with print() and printText(), which never throw, since text also streams from inside an
// engine's step. A loop that writes calls requireOutput() in each round; main() calls finishOutput().
// Thread: one.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace vitrine::cli {

// The reader has closed the pipe (`| head`): the program ends without a message.
class ReaderGone : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Opens an unusable file in the place of a closed descriptor 0, 1 or 2. Otherwise a file opened later would
// get that number, and the answer. A write beyond a file's maximum size becomes an error, not a signal.
void guardStandardStreams();

__attribute__((format(printf, 1, 2))) void print(const char* format, ...);
void printText(std::string_view text);
void flushOutput();  // for text that streams

// Throws EngineError(kIo), or ReaderGone, when a part of the output is lost.
void requireOutput();
void finishOutput();  // the same, after the last write

// A whole file at once; see vitrine/output_file.h. Throws EngineError(kIo).
void writeFile(const std::string& path, std::string_view bytes);

}  // namespace vitrine::cli
