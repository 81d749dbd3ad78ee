#include "widgets/prompt/prompt_bar.h"

#include <QPainter>
#include <algorithm>

#include "widgets/prompt/prompt_colours.h"
#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr double kPromptBarGap = 4, kPromptBarBetween = 14, kPromptBarHeight = 9;  // pixels

}  // namespace

PromptBar::PromptBar(PromptModel* model, QWidget* parent) : QWidget(parent), m_model(model) {
  setFont(readable(font()));
  setAccessibleName(tr("Tokens by whose they are"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(model, &SessionModel::refreshed, this, [this] {
    setAccessibleDescription(text());
    setToolTip(text());
    update();
  });
}

std::vector<PromptModel::Owner> PromptBar::owners() const {
  std::vector<PromptModel::Owner> found;
  for (int i = 0; i < PromptModel::kOwners; ++i)
    if (const auto owner = static_cast<PromptModel::Owner>(i); m_model->count(owner) > 0)
      found.push_back(owner);
  return found;
}

QString PromptBar::entry(PromptModel::Owner owner) const {
  return QStringLiteral("%1 %2").arg(ownerName(owner), formatCount(m_model->count(owner)));
}

QString PromptBar::text() const {
  QStringList parts;
  for (const PromptModel::Owner owner : owners()) parts << entry(owner);
  return parts.join(QStringLiteral(" · "));
}

QSize PromptBar::sizeHint() const {
  return {40 * fontMetrics().averageCharWidth(),
          fontMetrics().height() + static_cast<int>(kPromptBarHeight + kPromptBarGap) + 2};
}

QSize PromptBar::minimumSizeHint() const {
  return {12 * fontMetrics().averageCharWidth(), sizeHint().height()};
}

void PromptBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme theme = Theme::of(this);
  const double whole = std::max(m_model->rowCount(), 1);
  double x = 0, name = 0;
  const double line = kPromptBarHeight + kPromptBarGap;
  for (const PromptModel::Owner owner : owners()) {
    const double part = m_model->count(owner) / whole * width();
    const auto hatch = static_cast<Hatch>(static_cast<int>(owner) % kHatches);
    fillHatched(painter, QRectF(x, 1, part, kPromptBarHeight), ownerColour(owner, theme), hatch);
    x += part;
    const double wide = kPromptBarHeight + kPromptBarGap + textWidth(font(), entry(owner));
    if (name + wide > width()) continue;
    const double middle = line + fontMetrics().height() / 2.0;
    fillHatched(painter, QRectF(name, middle - kPromptBarHeight / 2, kPromptBarHeight, kPromptBarHeight),
                ownerColour(owner, theme), hatch);
    paintText(painter, QRectF(name + kPromptBarHeight + kPromptBarGap, line, wide, fontMetrics().height()),
              kAtLeft | Qt::TextDontClip, entry(owner), theme.text());
    name += wide + kPromptBarBetween;
  }
}

}  // namespace vitrine

#include "moc_prompt_bar.cpp"
