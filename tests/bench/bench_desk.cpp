// What a person waits for with many chats: the window with its list, a search as one types, a chat that is
// opened; and what the window's thread works for each frame while a long chat is scrolled and while answers
// stream from the built-in model. Builds 10,000 messages in 500 chats in a folder of its own. Prints
// milliseconds.
//
//   QT_QPA_PLATFORM=offscreen build/dev/bin/bench_desk
#include <QApplication>
#include <QElapsedTimer>
#include <QListView>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstdio>
#include <random>

#include "desk/chat_list_view.h"
#include "gui/chat/chats.h"
#include "gui/drivers/frame_meter.h"
#include "gui/window/main_window.h"
#include "widgets/chat/chat_view.h"
#include "widgets/chat/transcript_view.h"
#include "widgets/conversation/chat_model.h"
#include "widgets/sampler/sampler_controls.h"

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

void printFrames(const char* what, std::vector<double> ms) {
  if (ms.empty()) return;
  std::ranges::sort(ms);
  std::printf("%-36s %zu frames  p50 %.1f  p95 %.1f  max %.1f\n", what, ms.size(), ms[ms.size() / 2],
              ms[ms.size() * 95 / 100], ms.back());
}

// From the end to the beginning and back, a bit each frame.
void scroll(MainWindow& window, const char* what) {
  auto* const bar = window.panels().chat->findChild<TranscriptView*>()->verticalScrollBar();
  FrameMeter meter(&window);
  constexpr int kFrames = 150;
  for (int i = 0; i < 2 * kFrames; ++i) {
    const int place = i < kFrames ? kFrames - i : i - kFrames;
    bar->setValue(static_cast<int>(std::int64_t{bar->maximum()} * place / kFrames));
    QTest::qWait(1);
  }
  printFrames(what, meter.workMs());
}

// Several chats are answered in one batch, as fast as the model goes.
void stream(MainWindow& window, int chats) {
  window.openModel({});
  const auto wait = [](const auto& done) { return QTest::qWaitFor(done, 120'000); };
  if (!wait([&] { return window.host().mode() == MachineMode::kPaused; })) return;
  SamplerControls* const controls = window.panels().controls;
  SamplingOptions sampling;
  sampling.temperature = 1.2;
  emit controls->samplingChanged(sampling);
  controls->setMaxTokens(1200);
  emit controls->maxTokensChanged(1200);
  window.host().setStepsPerSecond(0);
  FrameMeter meter(&window);
  QElapsedTimer timer;
  timer.start();
  for (int i = 0; i < chats; ++i) {
    window.chats().desk().begin();
    QPlainTextEdit* const input = window.panels().chat->input();
    input->setPlainText(QStringLiteral("Tell me a long story about a fox and a lighthouse."));
    QTest::keyClick(input, Qt::Key_Return);
    settle();
  }
  wait([&] {
    return window.host().mode() == MachineMode::kPaused && !window.panels().chatModel->isAnswering();
  });
  std::size_t tokens = 0;
  for (const auto& [id, sequence] : window.session().recording().live().sequences)
    tokens += sequence.tokens.size() - static_cast<std::size_t>(sequence.promptTokens);
  std::printf("%d chats stream: %zu tokens, %.0f tokens/s\n", chats, tokens,
              static_cast<double>(tokens) * 1000 / since(timer));
  printFrames("  while they stream", meter.workMs());
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
  scroll(window, "scrolling 1,000 messages");
  std::printf("an answer of 100,000 characters opens %6.1f\n", openChat(window, special[2]));
  scroll(window, "scrolling 100,000 characters");
  stream(window, 1);
  stream(window, 8);
  return 0;
}
