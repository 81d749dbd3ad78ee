#include "gui/window/model_change.h"

#include <QMessageBox>
#include <QPushButton>

namespace vitrine {

ModelChange::ModelChange(Desk& desk, const AnswerWriter& answers, QWidget* window)
    : QObject(window), m_desk(desk), m_answers(answers), m_window(window) {}

// Not a loop of its own: the answer goes on while the question stands.
void ModelChange::ask(const QString& change, const std::function<void(bool goOn)>& decided) {
  if (m_asking || m_answers.answering().empty()) return decided(!m_asking);
  auto* box = new QMessageBox(QMessageBox::Question, tr("An answer is being written"), lost(),
                              QMessageBox::NoButton, m_window);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);  // with a chat's title, which is any text
  box->setInformativeText(
      tr("It ends here. The text so far stays in its chat, and messages that wait are held."));
  QPushButton* const go = box->addButton(change, QMessageBox::AcceptRole);
  QPushButton* const stay = box->addButton(tr("Keep answering"), QMessageBox::RejectRole);
  box->setDefaultButton(stay);
  box->setEscapeButton(stay);
  connect(box, &QDialog::finished, this, [this, box, go, decided] {
    m_asking = false;
    decided(box->clickedButton() == go);
  });
  m_asking = true;
  box->setWindowModality(Qt::ApplicationModal);
  box->show();
}

QString ModelChange::lost() const {
  const std::vector<AnswerWriter::Answering> answers = m_answers.answering();
  if (answers.size() > 1)
    return tr("%n answer(s) are being written.", nullptr, static_cast<int>(answers.size()));
  const auto chat = m_desk.history().summary(answers.front().chat);
  return chat && !chat->title.isEmpty()
             ? tr("An answer is being written in “%1”.").arg(chat->title.simplified())
             : tr("An answer is being written.");
}

}  // namespace vitrine

#include "moc_model_change.cpp"
