// PromptLooker: shows the prompt of the chat in the place of its conversation, and follows the chat, its
// settings, the model and what is being written. The engine's thread reads it; while the page is hidden,
// nothing is asked. Thread: the window's. Read next: prompt_page.h, prompt_query.h.
#pragma once

#include <QObject>
#include <QTimer>
#include <map>
#include <memory>

#include "gui/machine/engine_host.h"
#include "gui/machine/prompt_query.h"
#include "history/chat_record.h"

class QAction;

namespace vitrine {

class ChatController;
class ChatPage;
class ChatView;
class Desk;
class PromptPage;
class Session;

class PromptLooker : public QObject {
  Q_OBJECT

 public:
  struct Place {
    Desk& desk;
    EngineHost& host;
    Session& session;
    ChatController& controller;
    ChatView& view;
    ChatPage& page;
  };

  // `action` is checkable: it shows and hides the page.
  PromptLooker(Place place, QAction& action, QObject* parent);

  PromptPage& page() { return *m_page; }
  int looks() const { return m_looks; }  // that the engine was asked for; tests count them

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void open(bool open);
  void lookSoon();
  void look();
  void take(std::shared_ptr<const SeenPrompt> seen);
  PromptQuery ordered(Dialogue dialogue) const;
  void tellCached(const SeenPrompt& seen);
  void setTypedMarks(bool count);

  Place m_place;
  QAction& m_action;
  PromptPage* m_page;
  QTimer m_resting;
  std::map<MessageId, RequestId> m_answered;  // in this run
  Question m_question;
  int m_looks = 0;
};

}  // namespace vitrine
