#include "widgets/chat/branch_map.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/painting/row_delegate.h"
#include "widgets/support/formats.h"

namespace vitrine {
namespace {
constexpr int kBranchSide = 8, kBranchAbove = 5;
constexpr int kBranchMostColumns = 10;  // deeper forks are drawn at this column

class BranchMapDelegate final : public RowDelegate {
 public:
  BranchMapDelegate(BranchMapModel& model, QAbstractItemView* view) : RowDelegate(view), m_model(model) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF area(option.rect);
    paintGround(*painter, area, option);
    painter->translate(area.left(), 0);
    paintLines(*painter, area, index.row());
    paintMark(*painter, area, index.row());
    const QFont words = boldened(font(), m_model.isShown(index.row()));
    const double left = columnCentre(m_model.row(index.row()).column) + QFontMetrics(words).height() * 0.6;
    const QRectF line(left, area.top(), area.width() - left - kBranchSide, area.height());
    painter->setFont(words);
    painter->setPen(theme().text());
    painter->drawText(line, kAtLeft,
                      QFontMetrics(words).elidedText(index.data().toString(), Qt::ElideRight,
                                                     static_cast<int>(line.width())));
    painter->restore();
  }
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return {rowWidth(), QFontMetrics(font()).height() + 2 * kBranchAbove};
  }

 private:
  double columnCentre(int column) const {
    const double step = QFontMetrics(font()).height();
    return kBranchSide + (std::min(column, kBranchMostColumns) + 0.5) * step;
  }
  void paintLines(QPainter& painter, const QRectF& area, int row) const {
    const BranchRow& here = m_model.row(row);
    const double middle = area.center().y();
    const QPen thin(theme().dimText(), 1), strong(theme().text(), 2.5);
    const auto draw = [&](bool isStrong, const QPointF& from, const QPointF& to) {
      painter.setPen(isStrong ? strong : thin);
      painter.drawLine(from, to);
    };
    for (int column = 0; column + 1 < here.column && column < kBranchMostColumns; ++column)
      if (here.lines[static_cast<std::size_t>(column)])
        draw(false, {columnCentre(column), area.top()}, {columnCentre(column), area.bottom()});
    if (here.above >= 0) {
      const double x = columnCentre(here.column - 1);
      if (!here.isLast) draw(false, {x, middle}, {x, area.bottom()});
      draw(m_model.isShown(row), {x, area.top()}, {x, middle});
      draw(m_model.isShown(row), {x, middle}, {columnCentre(here.column), middle});
    }
    if (!here.isLeaf)
      draw(false, {columnCentre(here.column), middle}, {columnCentre(here.column), area.bottom()});
  }
  void paintMark(QPainter& painter, const QRectF& area, int row) const {
    const bool shown = m_model.isShown(row);
    const double size = QFontMetrics(font()).height() * 0.5;
    const QRectF mark(columnCentre(m_model.row(row).column) - size / 2, area.center().y() - size / 2, size,
                      size);
    painter.setPen(QPen(theme().text(), 1.5));
    painter.setBrush(shown ? theme().accent() : theme().base());
    if (m_model.first(row).isAnswer)
      painter.drawEllipse(mark);
    else
      painter.drawRect(mark);
  }

  BranchMapModel& m_model;
};

}  // namespace

void BranchMapModel::setContent(BranchContent content) {
  beginResetModel();
  m_content = std::move(content);
  m_rows = branchRows(m_content.messages);
  endResetModel();
}

// Of the newest answer of the stretch.
QString BranchMapModel::reused(int at) const {
  if (row(at).lastAnswer < 0) return {};
  const BranchMessage& answer = m_content.messages[static_cast<std::size_t>(row(at).lastAnswer)];
  if (answer.promptTokens == 0) return {};
  return tr("last answer: %1 of %2 prompt tokens from the cache")
      .arg(formatCount(answer.cachedTokens), formatCount(answer.promptTokens));
}

QVariant BranchMapModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const int at = index.row();
  if (role == kMessage) return qlonglong{m_content.messages[row(at).last].id};
  if (role == Qt::DisplayRole) return words(at);
  if (role != Qt::ToolTipRole && role != Qt::AccessibleTextRole) return {};
  QStringList parts{words(at), tr("%n message(s)", nullptr, row(at).messages)};
  if (const QString cache = reused(at); !cache.isEmpty()) parts << cache;
  if (isShown(at)) parts << tr("shown now");
  const QString text = parts.join(role == Qt::ToolTipRole ? QStringLiteral("\n") : QStringLiteral(", "));
  return role == Qt::ToolTipRole ? plainTip(text) : text;
}

QString BranchMapModel::summary() const {
  const std::int64_t tokens = sharedTokens(m_content.messages, m_rows);
  if (tokens == 0) return {};
  if (m_content.blockSize <= 0)
    return tr("Other branches took %1 tokens from the cache: computed once.").arg(formatCount(tokens));
  return tr("Other branches took %1 tokens = %n block(s) from the cache: computed once.", nullptr,
            static_cast<int>(tokens / m_content.blockSize))
      .arg(formatCount(tokens));
}

BranchMap::BranchMap(QWidget* parent) : QListView(parent), m_model(new BranchMapModel(this)) {
  setAccessibleName(tr("Branches of this chat"));
  setFrameShape(QFrame::NoFrame);
  setMouseTracking(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setModel(m_model);
  setItemDelegate(new BranchMapDelegate(*m_model, this));
  connect(this, &QListView::clicked, this, &BranchMap::ask);
}

// The row of the branch that is shown is the present one: the deepest of them.
void BranchMap::setContent(BranchContent content) {
  m_model->setContent(std::move(content));
  for (int at = m_model->rowCount() - 1; at >= 0; --at)
    if (m_model->isShown(at)) return setCurrentIndex(m_model->index(at));
}

void BranchMap::ask(const QModelIndex& index) {
  if (index.isValid()) emit branchRequested(index.data(BranchMapModel::kMessage).toLongLong());
}

void BranchMap::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return ask(currentIndex());
  QListView::keyPressEvent(event);
}

}  // namespace vitrine

#include "moc_branch_map.cpp"
