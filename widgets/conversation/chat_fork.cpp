#include "widgets/conversation/chat_fork.h"

#include <algorithm>

namespace vitrine {
namespace {

// Of an answer that is being computed nobody knows yet whether it is going to be the same.
bool isWritten(const ChatEntry& entry) { return !isOpen(entry.status); }

bool areSame(const ChatEntry& a, const ChatEntry& b, ForkBy by) {
  if (by == ForkBy::kMessages) return a.message != 0 && a.message == b.message;
  return a.role == b.role && isWritten(a) && isWritten(b) && a.text == b.text && a.thinking == b.thinking;
}

}  // namespace

ChatFork forkOf(const ChatModel& first, const ChatModel& second, ForkBy by) {
  const int rows = std::min(first.rowCount(), second.rowCount());
  ChatFork fork;
  while (fork.shared < rows && areSame(first.at(fork.shared), second.at(fork.shared), by)) ++fork.shared;
  fork.firstEnds = fork.shared == first.rowCount();
  fork.secondEnds = fork.shared == second.rowCount();
  return fork;
}

}  // namespace vitrine
