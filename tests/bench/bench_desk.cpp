// What a person waits for with many chats: the window with its list, a search as one types, a chat that is
// opened. Builds 10,000 messages in 500 chats in a folder of its own. Prints milliseconds.
//
//   QT_QPA_PLATFORM=offscreen build/dev/bin/bench_desk
#include <QApplication>
#include <QElapsedTimer>
#include <QListView>
#include <QSettings>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <random>

#include "chats.h"
#include "desk/chat_list_view.h"
#include "main_window.h"

using namespace vitrine;

namespace {

QString sentence(std::mt19937& random, int words) {
  static const QStringList kWords = {"cache",  "token", "block", "fox",    "lighthouse", "batch",
                                     "prefix", "layer", "the",   "of",     "a",          "in",
                                     "queue",  "draft", "beam",  "evicts", "reads"};
  QStringList text;
  for (int i = 0; i < words; ++i) {
    text << kWords[static_cast<int>(random() % kWords.size())];
    if (i % 60 == 59) text.back() += QStringLiteral("\n\n");
  }
  return text.join(u' ');
}

ChatRecord chat(std::mt19937& random, int messages, int words) {
  ChatRecord record;
  record.summary.title = sentence(random, 4);
  for (int i = 1; i <= messages; ++i) {
    MessageRecord message;
    message.id = i;
    message.parent = i - 1;
    message.role = i % 2 == 1 ? MessageRole::kUser : MessageRole::kAssistant;
    message.text = sentence(random, words);
    record.messages.push_back(message);
  }
  record.shownLeaf = messages;
  return record;
}

double since(const QElapsedTimer& timer) { return static_cast<double>(timer.nsecsElapsed()) / 1e6; }

// Until nothing is left to do.
void settle() {
  for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
}

double openChat(MainWindow& window, ChatId id) {
  QElapsedTimer timer;
  timer.start();
  window.chats().desk().open(id);
  settle();
  return since(timer);
}

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  const QTemporaryDir folder;
  QSettings::setDefaultFormat(QSettings::IniFormat);
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
  const QString file = folder.filePath("chats.db");
  std::mt19937 random(1);
  std::vector<ChatId> special;
  {
    Desk desk;
    desk.keepIn(file);
    std::vector<ChatRecord> chats;
    for (int i = 0; i < 497; ++i) chats.push_back(chat(random, 18, 40));
    desk.history().insert(chats);
    special = desk.history().insert({chat(random, 1000, 40), chat(random, 20, 40), chat(random, 2, 18000)});
  }
  QElapsedTimer timer;
  timer.start();
  MainWindow window;
  window.keepChatsIn(file);
  window.resize(1366, 768);
  window.show();
  window.showPerspective(Perspective::kChat);
  settle();
  std::printf("window with %d rows of chats     %7.1f\n", window.chats().list().list()->model()->rowCount(),
              since(timer));
  std::vector<double> searches;
  for (const char* word : {"lighthouse", "evicts blo", "prefix ca", "queue draft"})
    for (int letters = 1; letters <= QString(word).size(); ++letters) {
      timer.restart();
      window.chats().desk().history().search(QString(word).left(letters), 200);
      searches.push_back(since(timer));
    }
  std::ranges::sort(searches);
  std::printf("search as one types  p50 %.1f  p95 %.1f  max %.1f\n", searches[searches.size() / 2],
              searches[searches.size() * 95 / 100], searches.back());
  std::printf("a chat of 20 messages opens          %7.1f\n", openChat(window, special[1]));
  std::printf("a chat of 1,000 messages opens       %7.1f\n", openChat(window, special[0]));
  std::printf("an answer of 100,000 characters opens %6.1f\n", openChat(window, special[2]));
  return 0;
}
