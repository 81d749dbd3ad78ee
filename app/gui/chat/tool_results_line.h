// ToolResultsLine: over the input, a field for the result of each call at the end of the chat shown. Nothing
// is run: a person types what the tools would give back, and the model answers to it.
//
// A typed result belongs to the message behind which it stands, and stays until it is sent or the program
// ends. Thread: the window's. Read next: chat_controller.h, history/chat_calls.h.
#pragma once

#include <QFrame>
#include <map>
#include <vector>

#include "gui/turns/chat_controller.h"

class QPlainTextEdit;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace vitrine {

class ToolResultsLine : public QFrame {
  Q_OBJECT

 public:
  ToolResultsLine(Desk& desk, EngineHost& host, ChatController& controller, QWidget* parent = nullptr);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void follow();
  void makeFields(const std::vector<ToolCall>& calls);
  void fit();
  void keep();
  void updateSend();
  bool isWhole() const;  // all fields have words
  void send();

  Desk& m_desk;
  EngineHost& m_host;
  ChatController& m_controller;
  QScrollArea* m_area;
  QPushButton* m_send;
  std::vector<ToolCall> m_calls;          // of the fields
  std::vector<QPlainTextEdit*> m_fields;  // empty: nothing is asked for
  MessageId m_after = 0;                  // the message behind which the results will stand
  std::map<MessageId, QStringList> m_drafts;
};

}  // namespace vitrine
