// WaitingList: the messages of a chat that wait for the answer before them, one line each, with what can be
// done with each. Not in sight while there are none. Thread: the window's.
#pragma once

#include <QWidget>
#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace vitrine {

struct WaitingMessage {
  qint64 id = 0;
  QString text;

  bool operator==(const WaitingMessage&) const = default;
};

class WaitingList : public QWidget {
  Q_OBJECT
 public:
  explicit WaitingList(QWidget* parent = nullptr);

  // In the order in which they are sent. Held: they wait for a person, not for an answer.
  void setMessages(const std::vector<WaitingMessage>& messages, bool held);

 signals:
  void editRequested(qint64 id);
  void removeRequested(qint64 id);
  void sendNowRequested();  // the first one

 private:
  QWidget* makeRow(const WaitingMessage& message);

  std::vector<WaitingMessage> m_messages;
  QLabel* m_title;
  QPushButton* m_sendNow;
  QVBoxLayout* m_rows;
};

}  // namespace vitrine
