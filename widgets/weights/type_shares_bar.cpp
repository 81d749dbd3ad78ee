#include "widgets/weights/type_shares_bar.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

constexpr double kSharesGap = 4, kSharesBetween = 16;  // pixels
constexpr double kLeastPart = 3;                       // of the bar: a type that is there is seen

Hatch hatchOf(std::size_t place) { return static_cast<Hatch>(place % kHatches); }

}  // namespace

TypeSharesBar::TypeSharesBar(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Types of the weights"));
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void TypeSharesBar::setShares(std::vector<TypeShare> shares) {
  m_shares = std::move(shares);
  setAccessibleDescription(text());
  updateGeometry();
  update();
}

QString TypeSharesBar::entry(const TypeShare& share) const {
  return tr("%1: %2").arg(QString::fromStdString(share.type), formatPercent(share.share));
}

QString TypeSharesBar::text() const {
  QStringList parts;
  for (const TypeShare& share : m_shares)
    parts << tr("%1 of the bytes, %2 in %n tensor(s)", nullptr, share.tensors)
                 .arg(entry(share), formatBytes(share.bytes));
  return parts.join(u'\n');
}

std::vector<QRectF> TypeSharesBar::entries(double width) const {
  std::vector<QRectF> areas;
  const double line = fontMetrics().height(), sample = barHeight();
  double x = 0, y = barHeight() + kSharesGap;
  for (const TypeShare& share : m_shares) {
    const double wide = sample + kSharesGap + textWidth(font(), entry(share));
    if (x > 0 && x + wide > width) {
      x = 0;
      y += line + 2;
    }
    areas.emplace_back(x, y, wide, line);
    x += wide + kSharesBetween;
  }
  return areas;
}

int TypeSharesBar::heightForWidth(int width) const {
  const std::vector<QRectF> areas = entries(width);
  return static_cast<int>(areas.empty() ? barHeight() : areas.back().bottom()) + 1;
}

QSize TypeSharesBar::sizeHint() const {
  const int width = 40 * fontMetrics().averageCharWidth();
  return {width, heightForWidth(width)};
}

QSize TypeSharesBar::minimumSizeHint() const {
  return {12 * fontMetrics().averageCharWidth(), static_cast<int>(barHeight())};
}

void TypeSharesBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme theme = Theme::of(this);
  const std::vector<QRectF> areas = entries(width());
  double x = 0;
  for (std::size_t i = 0; i < m_shares.size(); ++i) {
    const QColor colour = theme.request(static_cast<int>(i) % kRequestColours);
    const double part = std::max(kLeastPart, m_shares[i].share * width());
    fillHatched(painter, QRectF(x, 0, std::min(part, width() - x), barHeight()), colour, hatchOf(i));
    x += part;
    const QRectF& area = areas[i];
    fillHatched(painter, QRectF(area.left(), area.center().y() - barHeight() / 2, barHeight(), barHeight()),
                colour, hatchOf(i));
    paintText(painter, area.adjusted(barHeight() + kSharesGap, 0, 0, 0), kAtLeft, entry(m_shares[i]),
              theme.text());
  }
}

bool TypeSharesBar::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
  return true;
}

}  // namespace vitrine

#include "moc_type_shares_bar.cpp"
