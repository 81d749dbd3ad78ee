// The terminal of a chat: lines of input, and Ctrl-C as a state to ask for, which does not end the program.
#pragma once

#include <string>

namespace vitrine::cli {

// Handles Ctrl-C for its lifetime. One object at a time.
class Terminal {
 public:
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  bool isInteractive() const { return m_interactive; }
  // One line without its line end; false at the end of the input. Ctrl-C starts the line again.
  bool readLine(const char* prompt, std::string& line) const;

  // Whether Ctrl-C was pressed since the last call.
  static bool wasInterrupted();

 private:
  bool m_interactive;
};

}  // namespace vitrine::cli
