#include "widgets/sampler/sampling_subject.h"
#include "widgets/support/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QRadioButton>
#include <QVBoxLayout>

namespace vitrine {
namespace {

constexpr int kSubjectLetters = 24;  // of a request's name; a branch has a long one

}  // namespace

SamplingSubject::SamplingSubject(QWidget* parent)
    : QWidget(parent),
      m_request(new QRadioButton(this)),
      m_newMessages(new QRadioButton(tr("New messages"), this)),
      m_sentence(new QLabel(this)),
      m_preview(new QLabel(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 6);
  auto* choice = new QHBoxLayout;
  choice->addWidget(m_request);
  choice->addWidget(m_newMessages);
  choice->addStretch(1);
  column->addLayout(choice);
  column->addWidget(m_sentence);
  column->addWidget(m_preview);
  for (QLabel* label : {m_sentence, m_preview}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
  }
  m_preview->setFont(boldened({}));
  m_preview->hide();
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
  const int width = fontMetrics().averageCharWidth() * kSubjectLetters;
  m_request->setText(fontMetrics().elidedText(name, Qt::ElideRight, width));
  m_request->setAccessibleName(tr("Request %1").arg(name));
}

QString SamplingSubject::text() const { return m_sentence->text(); }
QString SamplingSubject::preview() const { return m_preview->text(); }

void SamplingSubject::setPreview(const QString& sentence) {
  m_preview->setText(sentence);
  m_preview->setVisible(!sentence.isEmpty());
}

}  // namespace vitrine

#include "moc_sampling_subject.cpp"
