#include "widgets/sampler/sampler_panel.h"

#include <QVBoxLayout>

#include "widgets/support/layout_parts.h"

namespace vitrine {
namespace {

constexpr int kLeastShare = 4;  // the strip has at most this part of the height

}  // namespace

SamplerPanel::SamplerPanel(QWidget* stages, QWidget* strip, QWidget* parent)
    : QWidget(parent), m_strip(strip) {
  auto* column = withoutMargins(new QVBoxLayout(this));
  column->setSpacing(0);
  column->setSizeConstraint(QLayout::SetNoConstraint);
  column->addWidget(stages, 1);
  column->addWidget(strip);
}

void SamplerPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_strip->setVisible(height() >= kLeastShare * m_strip->sizeHint().height());
}

}  // namespace vitrine
