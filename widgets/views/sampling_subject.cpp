#include "widgets/views/sampling_subject.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QRadioButton>
#include <QVBoxLayout>

namespace vitrine {

SamplingSubject::SamplingSubject(QWidget* parent)
    : QWidget(parent),
      m_request(new QRadioButton(this)),
      m_newMessages(new QRadioButton(tr("New messages"), this)),
      m_sentence(new QLabel(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 6);
  auto* choice = new QHBoxLayout;
  choice->addWidget(m_request);
  choice->addWidget(m_newMessages);
  choice->addStretch(1);
  column->addLayout(choice);
  column->addWidget(m_sentence);
  m_sentence->setTextFormat(Qt::PlainText);
  m_sentence->setWordWrap(true);
  m_request->setToolTip(tr("The controls change the selected request, from its next token on"));
  m_newMessages->setToolTip(
      tr("The controls change how the messages are answered that you send from now on"));
  connect(m_request, &QRadioButton::clicked, this, &SamplingSubject::requestChosen);
  connect(m_newMessages, &QRadioButton::clicked, this, &SamplingSubject::newMessagesChosen);
  setRequest({});
  showNewMessages({});
}

void SamplingSubject::showRequest(const QString& sentence) {
  m_request->setChecked(true);
  m_sentence->setText(sentence);
}

void SamplingSubject::showNewMessages(const QString& sentence) {
  m_newMessages->setChecked(true);
  m_sentence->setText(sentence);
}

void SamplingSubject::setRequest(const QString& name) {
  m_request->setVisible(!name.isEmpty());
  m_request->setText(name);
}

QString SamplingSubject::text() const { return m_sentence->text(); }

}  // namespace vitrine
