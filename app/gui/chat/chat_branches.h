// ChatBranches: the tree of the chat that is shown, beside the conversation, with the button that opens it.
// The button is there when the chat has branches. The chat is read when the panel is in sight and the tree
// has changed, and once for several changes in one turn of the event loop. Thread: the window's. Read next:
// widgets/chat/branch_map.h.
#pragma once

#include <QTimer>
#include <QWidget>

#include "desk/answer_writer.h"
#include "widgets/conversation/chat_model.h"

class QAbstractButton;
class QLabel;

namespace vitrine {

class BranchMap;

class ChatBranches : public QWidget {
  Q_OBJECT

 public:
  // `button` is checkable; the panel shows and hides it.
  ChatBranches(Desk& desk, const Session& session, const AnswerWriter& answers, const ChatModel& model,
               QAbstractButton& button, QWidget* parent);

  BranchMap* map() const { return m_map; }
  int reads() const { return m_reads; }  // of the whole chat; tests count them

 signals:
  void arranged();  // it came or went
  void closed();    // by its user: the input wants the keys
  void menuRequested(vitrine::MessageId message, const QPoint& global);  // of a branch

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void follow();
  void read();

  Desk& m_desk;
  const Session& m_session;
  const ChatModel& m_model;
  QAbstractButton& m_button;
  BranchMap* m_map;
  QLabel* m_summary;
  QTimer m_reading;
  int m_reads = 0;
};

}  // namespace vitrine
