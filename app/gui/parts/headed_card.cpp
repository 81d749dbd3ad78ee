#include "gui/parts/headed_card.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPainter>

#include "gui/parts/card.h"
#include "gui/parts/small_parts.h"

namespace vitrine {

HeadedCard::HeadedCard(QWidget* parent)
    : QWidget(parent), m_column(new QVBoxLayout(this)), m_head(new QHBoxLayout) {
  constexpr int kInside = 8;
  m_column->setContentsMargins(kInside, kInside, kInside, kInside);
  m_column->setSpacing(4);
  m_column->addLayout(m_head);
}

TitledCard::TitledCard(const QString& title, QWidget* parent) : HeadedCard(parent) {
  auto* const label = new QLabel(title, this);
  makeBold(label);
  head()->addWidget(label);
}

void HeadedCard::addPages(const QStringList& titles, QButtonGroup* choice) {
  for (int page = 0; page < titles.size(); ++page) {
    auto* button = new QToolButton(this);
    button->setText(titles[page]);
    button->setCheckable(true);
    button->setAutoRaise(true);
    choice->addButton(button, page);
    m_head->addWidget(button);
  }
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
