// RequestDialog: asks for a message and the length of its answer, to be sent to the server that the window is
// attached to. Thread: the window's. Read next: remote_steering.h.
#pragma once

#include <QDialog>

class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace vitrine {

class RequestDialog : public QDialog {
  Q_OBJECT

 public:
  explicit RequestDialog(const QString& server, QWidget* parent = nullptr);

  QString message() const;
  int maxTokens() const;

  QPlainTextEdit* text() { return m_text; }
  QPushButton* send() { return m_send; }

 private:
  void follow();

  QPlainTextEdit* m_text;
  QSpinBox* m_tokens;
  QPushButton* m_send;
};

}  // namespace vitrine
