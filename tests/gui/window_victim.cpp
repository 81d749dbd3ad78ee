// A program for tst_window_killed: the window with the built-in model, its chats in the named file, answers
// one question after the other. It prints a line for each text that is in sight, its bytes and the time in
// ns; it never ends by itself.
#include <QElapsedTimer>
#include <QPlainTextEdit>
#include <QTimer>
#include <cstdio>

#include "gui/chat/chats.h"
#include "support/window_bench.h"
#include "widgets/chat/chat_view.h"
#include "widgets/conversation/chat_model.h"
#include "widgets/sampler/sampler_controls.h"

using namespace vitrine;

int main(int count, char** arguments) {
  QApplication application(count, arguments);
  test::WindowSurroundings surroundings;
  if (count != 2 || !surroundings.prepare()) return 2;
  test::ShownWindow w(Perspective::kChat);
  w.window.keepChatsIn(QString::fromLocal8Bit(arguments[1]));
  if (!w.openModel()) return 3;
  w.window.panels().controls->setMaxTokens(300);
  emit w.window.panels().controls->maxTokensChanged(300);
  w.window.host().setStepsPerSecond(100);
  const ChatModel& chat = *w.window.panels().chatModel;
  QElapsedTimer clock;
  clock.start();
  QTimer turn;
  QObject::connect(&turn, &QTimer::timeout, [&] {
    qsizetype bytes = 0;
    for (int row = 0; row < chat.rowCount(); ++row) bytes += chat.at(row).text.size();
    std::printf("%lld %lld\n", static_cast<long long>(bytes), static_cast<long long>(clock.nsecsElapsed()));
    std::fflush(stdout);
    if (chat.isAnswering()) return;
    QPlainTextEdit* const input = w.window.panels().chat->input();
    input->setPlainText(QStringLiteral("Tell me a long story about a fox and a lighthouse."));
    QTest::keyClick(input, Qt::Key_Return);
  });
  turn.start(10);
  return QApplication::exec();
}
