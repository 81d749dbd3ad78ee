#include "gui/commands/command_delegate.h"

#include <QPainter>
#include <QTextLayout>

#include "gui/commands/command_list.h"

namespace vitrine {

namespace {
constexpr int kSide = 12, kAbove = 5;
}  // namespace

QSize CommandDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
  return {rowWidth(), QFontMetrics(font()).height() + 2 * kAbove};
}

void CommandDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  paintGround(*painter, QRectF(option.rect), option);
  const QFontMetrics metrics(font());
  QRect line = option.rect.adjusted(kSide, kAbove, -kSide, -kAbove);
  painter->setFont(font());
  painter->setPen(theme().dimText());
  const QString keys = index.data(CommandList::kKeys).toString();
  painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, keys);
  if (!keys.isEmpty()) line.setRight(line.right() - metrics.horizontalAdvance(keys) - kSide);
  if (index.data(CommandList::kChecked).toBool()) {
    const QString tick = QStringLiteral("✓ ");
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, tick);
    line.setLeft(line.left() + metrics.horizontalAdvance(tick));
  }
  paintWay(*painter, line, index);
  painter->restore();
}

// One line, cut at its end.
void CommandDelegate::paintWay(QPainter& painter, const QRectF& line, const QModelIndex& index) const {
  const Theme colours = theme();
  const QString way = QFontMetrics(font()).elidedText(index.data().toString(), Qt::ElideRight,
                                                      static_cast<int>(line.width()));
  QList<QTextLayout::FormatRange> formats;
  const auto format = [&](int from, int length, auto set) {
    QTextCharFormat look;
    set(look);
    formats.append({from, length, look});
  };
  const int title = index.data(CommandList::kTitleBegins).toInt();
  const bool enabled = index.data(CommandList::kEnabled).toBool();
  const int dimmed = enabled ? title : static_cast<int>(way.size());
  format(0, dimmed, [&](QTextCharFormat& look) { look.setForeground(colours.dimText()); });
  for (const QVariant& hit : index.data(CommandList::kHits).toList())
    format(hit.toInt(), 1, [&](QTextCharFormat& look) {
      look.setFontWeight(QFont::Bold);
      look.setForeground(enabled ? colours.accentText() : colours.dimText());
    });
  QTextLayout layout(way, font());
  layout.setFormats(formats);
  layout.beginLayout();
  QTextLine only = layout.createLine();
  if (only.isValid()) only.setLineWidth(1e6);
  layout.endLayout();
  painter.save();
  painter.setPen(colours.text());
  painter.setClipRect(line, Qt::IntersectClip);
  layout.draw(&painter, line.topLeft());
  painter.restore();
}

}  // namespace vitrine

#include "moc_command_delegate.cpp"
