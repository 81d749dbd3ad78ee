#include "widgets/sampler/sampling_subject.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QRadioButton>
#include <QVBoxLayout>

#include "widgets/support/layout_parts.h"

namespace vitrine {
namespace {

constexpr int kSubjectLetters = 14;  // of a request's name; a branch has a long one

}  // namespace

SamplingSubject::SamplingSubject(QWidget* parent)
    : QWidget(parent),
      m_request(new QRadioButton(this)),
      m_newMessages(new QRadioButton(tr("New messages"), this)),
      m_sentence(new QLabel(this)) {
  auto* column = withoutMargins(new QVBoxLayout(this));
  column->setSpacing(2);
  auto* choice = addParts(new QHBoxLayout, {m_request, m_newMessages});
  choice->addStretch(1);
  addParts(column, {choice, m_sentence});
  m_sentence->setTextFormat(Qt::PlainText);
  m_sentence->setWordWrap(true);
  m_request->setAccessibleDescription(tr("The controls change the selected request, from its next token on"));
  m_newMessages->setAccessibleDescription(
      tr("The controls change how the messages are answered that you send from now on"));
  connect(m_request, &QRadioButton::clicked, this, &SamplingSubject::requestChosen);
  connect(m_newMessages, &QRadioButton::clicked, this, &SamplingSubject::newMessagesChosen);
  setDetailed(false);
  setRequest({}, false);
  showNewMessages({});
}

void SamplingSubject::showRequest(const QString& sentence) {
  m_request->setChecked(true);
  say(sentence);
}

void SamplingSubject::showNewMessages(const QString& sentence) {
  m_newMessages->setChecked(true);
  say(sentence);
}

void SamplingSubject::say(const QString& sentence) {
  m_sentence->setText(sentence);
  m_request->setToolTip(m_request->isChecked() ? sentence : m_request->accessibleDescription());
  m_newMessages->setToolTip(m_newMessages->isChecked() ? sentence : m_newMessages->accessibleDescription());
}

void SamplingSubject::setRequest(const QString& name, bool past) {
  m_request->setVisible(!name.isEmpty());
  const int width = fontMetrics().averageCharWidth() * kSubjectLetters;
  const QString shown = fontMetrics().elidedText(name, Qt::ElideRight, width);
  m_request->setText(past ? tr("%1: preview").arg(shown) : shown);
  m_request->setAccessibleName(past ? tr("Request %1, a preview alone").arg(name)
                                    : tr("Request %1").arg(name));
}

void SamplingSubject::setDetailed(bool detailed) { m_sentence->setVisible(detailed); }

QString SamplingSubject::text() const { return m_sentence->text(); }

}  // namespace vitrine

#include "moc_sampling_subject.cpp"
