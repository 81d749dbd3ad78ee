#include "gui/parts/offer_line.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "gui/parts/small_parts.h"
#include "widgets/support/layout_parts.h"

namespace vitrine {

OfferLine::OfferLine(const QString& accessibleName, QWidget* parent)
    : QFrame(parent), m_words(wrappedLabel({}, this)) {
  setAccessibleName(accessibleName);
  auto* rows = withoutMargins(new QVBoxLayout(this));
  rows->setSpacing(2);
  m_head = addRow();
  m_head->addWidget(m_words, 1);
}

QToolButton* OfferLine::makeButton(const QString& text, const QString& tip) {
  QToolButton* const button = commandButton(text, tip, this);
  button->setAutoRaise(false);
  return button;
}

QToolButton* OfferLine::addToHead(const QString& text, const QString& tip) {
  QToolButton* const button = makeButton(text, tip);
  m_head->addWidget(button);
  return button;
}

QHBoxLayout* OfferLine::addRow() {
  auto* row = new QHBoxLayout;
  static_cast<QVBoxLayout*>(layout())->addLayout(row);
  return row;
}

}  // namespace vitrine

#include "moc_offer_line.cpp"
