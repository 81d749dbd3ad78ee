// ModelChange: asks before the machine is taken away from chats that are being answered. The answers end with
// it, and what they have so far stays. Thread: the window's. Read next: model_loading.h, which asks.
#pragma once

#include <QObject>
#include <functional>

#include "desk/answer_writer.h"

class QMessageBox;

namespace vitrine {

class ModelChange : public QObject {
  Q_OBJECT

 public:
  ModelChange(Desk& desk, const AnswerWriter& answers, QWidget* window);

  // `decided` is called with true at once while no chat is answered, else with what the person chooses. While
  // the question stands, another change is refused.
  void ask(const QString& change, const std::function<void(bool goOn)>& decided);

 private:
  QString lost() const;

  Desk& m_desk;
  const AnswerWriter& m_answers;
  QWidget* const m_window;
  bool m_asking = false;
};

}  // namespace vitrine
