#include "desk/chat_list_delegate.h"
#include "widgets/support/theme.h"

#include <QPainter>
#include <QTextLayout>
#include <algorithm>

namespace vitrine {
namespace {
constexpr int kSide = 10, kAbove = 6;

struct Excerpt {
  QString text;
  QVariantList hits;  // as ChatListModel has them
};

// The part that fits in the line. The first hit stands within two thirds of it, so that it is seen with what
// comes before and after.
Excerpt excerptOf(const QString& text, const QVariantList& hits, const QFont& font, double width) {
  const QFontMetrics metrics(font), lit(boldened(font));
  const qsizetype hit = hits.size() < 2 ? 0 : hits[0].toInt();
  const qsizetype length = hits.size() < 2 ? 0 : hits[1].toInt();
  const QString word = text.mid(hit, length);
  const int wider = lit.horizontalAdvance(word) - metrics.horizontalAdvance(word);
  const auto isNear = [&](qsizetype from) {
    return 3 * metrics.horizontalAdvance(text.mid(from, hit + length - from)) <= 2 * width;
  };
  qsizetype from = 0;
  while (from < hit && !isNear(from)) {
    const qsizetype blank = text.indexOf(u' ', from);
    from = blank < 0 ? hit : std::min(blank + 1, hit);
  }
  const QString kept = from == 0 ? text : QStringLiteral("…") + text.mid(from);
  const auto shift = static_cast<int>(kept.size() - text.size());
  Excerpt excerpt{metrics.elidedText(kept, Qt::ElideRight, static_cast<int>(width) - wider), {}};
  for (qsizetype i = 0; i + 1 < hits.size(); i += 2) excerpt.hits << hits[i].toInt() + shift << hits[i + 1];
  return excerpt;
}

}  // namespace

QSize ChatListDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
  const int line = QFontMetrics(font()).height();
  const bool found = !index.data(ChatListModel::kSnippet).toString().isEmpty();
  return {rowWidth(), (found ? 2 : 1) * line + 2 * kAbove};
}

QWidget* ChatListDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                        const QModelIndex& index) const {
  QWidget* const editor = RowDelegate::createEditor(parent, option, index);
  connect(editor, &QObject::destroyed, this, [this, editor] {
    if (m_editor == nullptr || m_editor == editor) emit editing(false);  // else another one has been opened
  });
  m_editor = editor;
  emit editing(true);
  return editor;
}

void ChatListDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                            const QModelIndex&) const {
  editor->setGeometry(option.rect);
}

void ChatListDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  if (index.data(ChatListModel::kIsHeading).toBool()) {
    paintHeading(*painter, option.rect, index.data().toString());
    painter->restore();
    return;
  }
  paintGround(*painter, QRectF(option.rect), option);
  const Theme colours = theme();
  const QFontMetrics metrics(font());
  QRect line = option.rect.adjusted(kSide, kAbove, -kSide, -kAbove);
  line.setHeight(metrics.height());
  painter->setFont(font());
  const QString time = index.data(ChatListModel::kTime).toString();
  painter->setPen(colours.dimText());
  painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, time);
  line.setRight(line.right() - metrics.horizontalAdvance(time) - kSide);
  const auto mark = static_cast<ChatListModel::Mark>(index.data(ChatListModel::kMark).toInt());
  if (mark != ChatListModel::Mark::kNone) {
    const int size = metrics.xHeight();  // it stands on the title's baseline
    paintMark(*painter, QRect(line.left(), line.top() + metrics.ascent() - size, size, size), mark);
    line.setLeft(line.left() + size + kSide / 2);
  }
  const QString snippet = index.data(ChatListModel::kSnippet).toString();
  const QVariantList hits = index.data(ChatListModel::kHits).toList();
  const bool alike = index.data(ChatListModel::kBeginsAlike).toBool();
  const QString whole = index.data().toString();
  const Excerpt title =
      snippet.isEmpty() && !hits.isEmpty()
          ? excerptOf(whole, hits, font(), line.width())
          : Excerpt{metrics.elidedText(whole, alike ? Qt::ElideMiddle : Qt::ElideRight, line.width()), {}};
  painter->setPen(colours.text());
  paintLit(*painter, line, title.text, title.hits);
  if (!snippet.isEmpty()) {
    const QRectF below(option.rect.left() + kSide, line.bottom() + 1, option.rect.width() - 2 * kSide,
                       metrics.height());
    painter->setPen(colours.dimText());
    const Excerpt excerpt = excerptOf(snippet, hits, font(), below.width());
    paintLit(*painter, below, excerpt.text, excerpt.hits);
  }
  painter->restore();
}

// A dot while it is being answered, a square for a new answer, a stroke of the pen for a draft.
void ChatListDelegate::paintMark(QPainter& painter, const QRect& area, ChatListModel::Mark mark) const {
  const QColor ink = theme().accentText();
  painter.setPen(Qt::NoPen);
  painter.setBrush(ink);
  switch (mark) {
    case ChatListModel::Mark::kAnswering:
      painter.drawEllipse(area);
      break;
    case ChatListModel::Mark::kNewAnswer:
      painter.drawRect(area);
      break;
    case ChatListModel::Mark::kDraft:
      painter.setPen(QPen(ink, std::max(2.0, area.width() / 4.0), Qt::SolidLine, Qt::RoundCap));
      painter.drawLine(area.bottomLeft(), area.topRight());
      break;
    case ChatListModel::Mark::kNone:
      break;
  }
}

void ChatListDelegate::paintHeading(QPainter& painter, const QRect& row, const QString& text) const {
  painter.setFont(boldened(font()));
  painter.setPen(theme().dimText());
  painter.drawText(row.adjusted(kSide, 0, -kSide, -2), Qt::AlignLeft | Qt::AlignBottom, text);
}

// One line, cut at its end; what was sought in bold on the accent's ground.
void ChatListDelegate::paintLit(QPainter& painter, const QRectF& line, const QString& text,
                                const QVariantList& hits) const {
  QTextLayout layout(text, font());
  const Theme colours = theme();
  QList<QTextLayout::FormatRange> lit;
  for (qsizetype i = 0; i + 1 < hits.size(); i += 2) {
    QTextCharFormat format;
    format.setFontWeight(QFont::Bold);
    format.setForeground(colours.text());
    format.setBackground(mix(colours.base(), colours.accent(), 0.25));
    lit.append({hits[i].toInt(), hits[i + 1].toInt(), format});
  }
  layout.setFormats(lit);
  layout.beginLayout();
  QTextLine only = layout.createLine();
  if (only.isValid()) only.setLineWidth(1e6);
  layout.endLayout();
  painter.save();
  painter.setClipRect(line, Qt::IntersectClip);
  layout.draw(&painter, line.topLeft());
  painter.restore();
}

}  // namespace vitrine

#include "moc_chat_list_delegate.cpp"
