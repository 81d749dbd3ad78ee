// FormChecker: whether a form of answers can be followed, while a person writes it. It is read on another
// thread, once it has rested for a moment: the largest grammars take longer than a frame.
//
// Thread: the window's. Read next: gui/turns/answer_form.h, vitrine/form_check.h.
#pragma once

#include <QObject>
#include <QTimer>

#include "history/chat_record.h"
#include "vitrine/request.h"

namespace vitrine {

class FormChecker : public QObject {
  Q_OBJECT

 public:
  explicit FormChecker(QObject* parent = nullptr);

  // A form that asks for nothing is right at once.
  void check(const AnswerForm& form);

  enum class Verdict { kOpen, kRight, kWrong };
  Verdict verdict() const { return m_verdict; }             // kOpen: it is being read
  const QString& complaint() const { return m_complaint; }  // the place in it, and the mend; of kWrong

 signals:
  void changed();

 private:
  void read();
  void onRead(int number, const QString& complaint);
  void end(const QString& complaint);

  QTimer m_resting;
  AnswerForm m_form;
  Request m_request;  // that has the form
  int m_number = 0;   // of the form
  bool m_isReading = false;
  Verdict m_verdict = Verdict::kRight;
  QString m_complaint;
};

}  // namespace vitrine
