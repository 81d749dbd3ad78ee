#include "gui/parts/headed_card.h"

#include <QHBoxLayout>
#include <QPainter>

#include "gui/parts/card.h"
#include "gui/parts/command_button.h"

namespace vitrine {

HeadedCard::HeadedCard(QWidget* parent)
    : QWidget(parent), m_column(new QVBoxLayout(this)), m_head(new QHBoxLayout) {
  constexpr int kInside = 8;
  m_column->setContentsMargins(kInside, kInside, kInside, kInside);
  m_column->setSpacing(4);
  m_column->addLayout(m_head);
}

QToolButton* HeadedCard::addCommand(const QString& text, const QString& tip) {
  QToolButton* const button = commandButton(text, tip, this);
  m_head->addWidget(button);
  return button;
}

void HeadedCard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintCard(painter, rect(), Theme::of(this));
}

}  // namespace vitrine

#include "moc_headed_card.cpp"
