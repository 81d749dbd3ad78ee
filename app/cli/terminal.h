// The terminal of a chat: lines in, and Ctrl-C as a question instead of an end.
#pragma once

#include <string>

namespace vitrine::cli {

// Takes over Ctrl-C as long as it lives; one at a time.
class Terminal {
 public:
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  bool isInteractive() const { return m_interactive; }
  // One line without its end; false at the end of the input. Ctrl-C begins the line anew.
  bool readLine(const char* prompt, std::string& line) const;

  // Whether Ctrl-C was pressed since the last call.
  static bool wasInterrupted();

 private:
  bool m_interactive;
};

}  // namespace vitrine::cli
