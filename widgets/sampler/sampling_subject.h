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
  // That can be chosen; empty: none can. `past`: it is shown as it was, so the controls change a preview
  // alone.
  void setRequest(const QString& name, bool past);
  void setDetailed(bool detailed);  // whether the sentence has room, beside being the choice's tooltip
  QString text() const;             // the sentence

 signals:
  void requestChosen();  // by the user
  void newMessagesChosen();

 private:
  void say(const QString& sentence);

  QRadioButton *m_request, *m_newMessages;
  QLabel* m_sentence;
};

}  // namespace vitrine
