// A program for tests of histories: it is killed, or has no right to write.
//
//   history_victim stream FILE    streams an answer of numbered pieces and prints a line for each that is
//                                 shown: its number and the time in ns; never ends by itself
//   history_victim visit FILE     as a user without rights where it was started by root: opens the file, adds
//                                 a chat, and prints the trouble, whether chats are in memory, and the titles
#include <grp.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTimer>
#include <cstdio>

#include "history/history_files.h"

using namespace vitrine;

namespace {

int stream(ChatHistory& history, const QString& file) {
  if (!history.open(file).ok()) return 3;
  const std::vector<ChatSummary> chats = history.chats();
  const ChatId chat = chats.empty() ? history.createChat() : chats.front().id;
  const MessageId question = history.addMessage(chat, 0, MessageRole::kUser, "Count.");
  const MessageId answer = history.beginAnswer(chat, question, someProvenance());
  QElapsedTimer clock;
  clock.start();
  int number = 0;
  QTimer next;
  QObject::connect(&next, &QTimer::timeout, [&] {
    history.append(answer, {.text = QStringLiteral("%1 ").arg(number), .tokens = {{number, -0.5F}}});
    std::printf("%d %lld\n", number++, static_cast<long long>(clock.nsecsElapsed()));
    std::fflush(stdout);
  });
  next.start(5);
  return QCoreApplication::exec();
}

int visit(ChatHistory& history, const QString& file) {
  constexpr int kNobody = 65534;
  if (geteuid() == 0 && (setgroups(0, nullptr) != 0 || setgid(kNobody) != 0 || setuid(kNobody) != 0))
    return 3;
  const HistoryStatus status = history.open(file);
  smallChat(history, "A visitor's question", "Hello.");
  std::printf("%d %d %d\n", static_cast<int>(status.trouble), status.inMemory, status.keptChatsShown);
  for (const ChatSummary& chat : history.chats()) std::printf("%s\n", qPrintable(chat.title));
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  QCoreApplication application(count, arguments);
  if (count != 3) return 2;
  ChatHistory history;
  const QString file = QString::fromLocal8Bit(arguments[2]);
  return qstrcmp(arguments[1], "stream") == 0 ? stream(history, file) : visit(history, file);
}
