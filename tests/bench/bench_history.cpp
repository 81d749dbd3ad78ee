// bench_history [MESSAGES CHATS]: a history of 10,000 messages in 500 chats, and the time that opening it,
// its list, one chat and searching as one types take: p50, p95 and the longest, in milliseconds. Not a test:
// it compares no times. The file lies in a temporary folder and is removed.
#include <QCoreApplication>
#include <QDateTime>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "history/chat_history.h"

using namespace vitrine;

namespace {

// Words as a language has them: few are frequent, most are rare (Zipf), 20,000 in all.
class Language {
 public:
  explicit Language(unsigned seed) : m_random(seed) {
    const QString consonants = "bcdfghklmnprstvz", vowels = "aeiou";
    for (int i = 0; i < 20000; ++i) {
      QString word;
      for (int syllables = 1 + i % 4; syllables > 0; --syllables) {
        word += consonants.at(static_cast<qsizetype>(m_random() % 16));
        word += vowels.at(static_cast<qsizetype>(m_random() % 5));
      }
      m_words.push_back(word + (i % 3 == 0 ? "n" : ""));
    }
  }
  QString word() {
    const double u = std::generate_canonical<double, 32>(m_random);
    return m_words[static_cast<std::size_t>(std::pow(static_cast<double>(m_words.size()), u)) - 1];
  }
  QString text(int words) {
    QString text;
    for (int i = 0; i < words; ++i) text += word() + (i % 12 == 11 ? ". " : " ");
    return text;
  }
  int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }

 private:
  std::mt19937 m_random;
  std::vector<QString> m_words;
};

void fill(ChatHistory& history, Language& language, int messages, int chats) {
  std::vector<ChatRecord> records(static_cast<std::size_t>(chats));
  const std::int64_t begin = QDateTime::currentMSecsSinceEpoch() - std::int64_t{messages} * 60000;
  for (int i = 0; i < messages; ++i) {
    ChatRecord& chat = records[static_cast<std::size_t>(i % chats)];
    const bool question = chat.messages.size() % 2 == 0;
    MessageRecord message;
    message.id = static_cast<MessageId>(chat.messages.size()) + 1;
    message.parent = message.id - 1;
    message.role = question ? MessageRole::kUser : MessageRole::kAssistant;
    message.createdMs = begin + std::int64_t{i} * 60000;
    message.text = language.text(question ? 5 + language.below(40) : 50 + language.below(300));
    if (!question) message.tokens.assign(300, {1000, -0.5F});
    if (chat.messages.empty()) chat.summary.title = titleFrom(message.text);
    chat.summary.changedMs = message.createdMs;
    chat.shownLeaf = message.id;
    chat.messages.push_back(std::move(message));
  }
  history.insert(records);
}

void print(const char* what, std::vector<double> ms) {
  std::ranges::sort(ms);
  const auto at = [&](double part) {
    return ms[static_cast<std::size_t>(part * static_cast<double>(ms.size() - 1))];
  };
  std::printf("%-34s p50 %7.2f   p95 %7.2f   max %7.2f ms   (%zu)\n", what, at(0.5), at(0.95), ms.back(),
              ms.size());
}

template <typename Work>
double msOf(const Work& work) {
  QElapsedTimer clock;
  clock.start();
  work();
  return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

// Every beginning of what is typed, as one types.
void searches(ChatHistory& history, Language& language) {
  std::vector<double> one, two;
  std::size_t hits = 0;
  for (int i = 0; i < 100; ++i) {
    const QString first = language.word(), both = first + ' ' + language.word();
    for (qsizetype length = 1; length <= both.size(); ++length)
      (length <= first.size() ? one : two).push_back(msOf([&] {
        hits += history.search(both.left(length)).size();
      }));
  }
  std::vector<double> letters;
  for (char letter = 'a'; letter <= 'z'; ++letter)
    letters.push_back(msOf([&] { hits += history.search(QString(QLatin1Char(letter))).size(); }));
  print("search, one letter", letters);
  print("search, a word letter by letter", one);
  print("search, and a second word", two);
  std::printf("%zu hits\n", hits);
}

}  // namespace

int main(int argc, char** argv) {
  QCoreApplication application(argc, argv);
  const int messages = argc > 2 ? std::atoi(argv[1]) : 10000, chats = argc > 2 ? std::atoi(argv[2]) : 500;
  if (messages < 1 || chats < 1) return 2;
  const QTemporaryDir folder;
  const QString file = folder.filePath("chats.sqlite");
  Language language(1);
  {
    ChatHistory history;
    if (!history.open(file).ok()) return 1;
    std::printf("filled in %.0f ms\n", msOf([&] { fill(history, language, messages, chats); }));
  }
  std::printf("%d messages in %d chats, %.1f MiB\n", messages, chats,
              double(QFileInfo(file).size()) / (1 << 20));
  std::vector<double> opened, listed, read;
  for (int i = 0; i < 20; ++i) {
    ChatHistory history;
    opened.push_back(msOf([&] { history.open(file); }));
    std::vector<ChatSummary> list;
    listed.push_back(msOf([&] { list = history.chats(); }));
    const ChatId any = list[static_cast<std::size_t>(language.below(static_cast<int>(list.size())))].id;
    read.push_back(msOf([&] { history.chat(any); }));
  }
  print("open", opened);
  print("list of chats", listed);
  print("one chat", read);
  ChatHistory history;
  history.open(file);
  searches(history, language);
  const MessageId answer = history.beginAnswer(history.chats().front().id, 0, {});
  std::vector<double> appended;
  for (int i = 0; i < 20000; ++i)
    appended.push_back(msOf([&] { history.append(answer, {.text = "token ", .tokens = {{i}}}); }));
  print("append of a token, 20,000 in a row", appended);
  print("finish of that answer", {msOf([&] { history.finish(answer, {}); })});
  return history.status().ok() ? 0 : 1;
}
