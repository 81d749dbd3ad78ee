// ChatWindow: the window with its chat in sight, and what a person does there: asks, waits for the answer,
// presses a button of a message. Thread: the window's.
#pragma once

#include <QPlainTextEdit>
#include <QToolButton>

#include "gui/chat/chats.h"
#include "support/window_bench.h"
#include "widgets/chat/chat_view.h"
#include "widgets/conversation/chat_model.h"
#include "widgets/sampler/sampler_controls.h"

namespace vitrine::test {

class ChatWindow : public ShownWindow {
 public:
  // Greedy answers of at most so many tokens; without a file, chats are in memory.
  explicit ChatWindow(int maxTokens, const QString& file = {}) : ShownWindow(Perspective::kChat) {
    window.keepChatsIn(file);
    SamplerControls* const controls = window.panels().controls;
    controls->setSampling(SamplingOptions{});
    emit controls->samplingChanged(SamplingOptions{});
    setMaxTokens(maxTokens);
  }
  void setMaxTokens(int tokens) {
    SamplerControls* const controls = window.panels().controls;
    controls->setMaxTokens(tokens);
    emit controls->maxTokensChanged(tokens);
  }
  ChatView& view() { return *window.panels().chat; }
  QPlainTextEdit* input() { return view().input(); }
  ChatModel& chat() { return *window.panels().chatModel; }
  Desk& desk() { return window.chats().desk(); }
  void ask(const QString& text) {
    QTest::keyClicks(input(), text);
    QTest::keyClick(input(), Qt::Key_Return);
  }
  // The last of so many messages is an answer that has come to its end and is kept.
  bool answered(int rows) {
    return waitUntil([&] {
      return chat().rowCount() == rows && chat().at(rows - 1).status == AnswerStatus::kDone &&
             chat().at(rows - 1).message != 0 && !chat().isAnswering();
    });
  }
  // An answer is on its way, and does not end before the machine runs again.
  bool askAndHold(const QString& text) {
    ask(text);
    window.host().pause();
    return waitUntil([&] {
      return isPaused() && chat().rowCount() > 0 && chat().at(chat().rowCount() - 1).message != 0 &&
             chat().isAnswering();
    });
  }
  // The last visible button with that text: of the newest message.
  bool press(const QString& text) {
    QToolButton* last = nullptr;
    const bool there = waitUntil([&] {
      for (QToolButton* button : view().findChildren<QToolButton*>())
        if (button->text() == text && button->isVisible() && button->isEnabled()) last = button;
      return last != nullptr;
    });
    if (there) QTest::mouseClick(last, Qt::LeftButton);
    return there;
  }
};

}  // namespace vitrine::test
