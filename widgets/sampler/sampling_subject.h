// SamplingSubject: says what the sampling controls below it apply to, and lets the user choose: the selected
// request, or the messages that will be sent. Thread: the window's.
#pragma once

#include <QWidget>

class QLabel;
class QRadioButton;

namespace vitrine {

class SamplingSubject : public QWidget {
  Q_OBJECT
 public:
  explicit SamplingSubject(QWidget* parent = nullptr);

  void showRequest(const QString& sentence);      // the request is the subject
  void showNewMessages(const QString& sentence);  // the messages are
  void setRequest(const QString& name);           // that can be chosen; empty: none can
  QString text() const;                           // the sentence
  QString preview() const;

 public slots:
  void setPreview(const QString& sentence);  // what the controls would have drawn; empty: no preview

 signals:
  void requestChosen();  // by the user
  void newMessagesChosen();

 private:
  QRadioButton *m_request, *m_newMessages;
  QLabel *m_sentence, *m_preview;
};

}  // namespace vitrine
