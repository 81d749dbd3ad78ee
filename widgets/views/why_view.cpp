#include "widgets/views/why_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "widgets/support/eliding_label.h"
#include "widgets/views/row_delegate.h"

namespace vitrine {
namespace {

constexpr int kSide = 12;

class WhyDelegate final : public RowDelegate {
 public:
  WhyDelegate(QAbstractItemView* view, const WhyModel* model) : RowDelegate(view), m_model(model) {}

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
    const double text = textHeight(m_model->at(index.row()));
    return {rowWidth(), static_cast<int>(std::ceil(text)) + 10 + titleHeight(index.row())};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(font());
    const Theme colours = theme();
    const WhyRow& row = m_model->at(index.row());
    QRectF area = option.rect;
    if (const int title = titleHeight(index.row()); title > 0) {
      paintTitle(*painter, QRectF(area.left() + kSide, area.top(), area.width() - 2 * kSide, title - 4),
                 row.section);
      area.setTop(area.top() + title);
    }
    paintGround(*painter, area, option);
    if (!row.letter.isEmpty()) {
      const QSizeF chip = chipSize(font(), row.letter);
      paintChip(*painter, QRectF(QPointF(area.left() + kSide, area.top() + 4), chip), row.request, row.letter,
                colours);
    }
    painter->setPen(row.warning ? colours.warning() : colours.text());
    painter->drawText(QRectF(textLeft(), area.top() + 6, textWidth(), area.height() - 8), Qt::TextWordWrap,
                      row.text);
    painter->restore();
  }

 private:
  // Every sentence begins at the same x, with a chip or without.
  double textLeft() const { return kSide + chipSize(font(), QStringLiteral("A2")).width() + 10; }
  double textWidth() const { return std::max(60.0, rowWidth() - textLeft() - kSide); }

  double textHeight(const WhyRow& row) const {
    const QFontMetricsF metrics(font());
    const double text =
        metrics.boundingRect(QRectF(0, 0, textWidth(), 1e5), Qt::TextWordWrap, row.text).height();
    return std::max(text, chipSize(font(), QStringLiteral("A")).height() - 2);
  }

  int titleHeight(int row) const {
    const bool starts = row == 0 || m_model->at(row - 1).section != m_model->at(row).section;
    return starts ? QFontMetrics(font()).height() + 14 : 0;
  }

  void paintTitle(QPainter& painter, const QRectF& area, int section) const {
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(theme().dimText());
    const QString name = WhyModel::sectionName(section);
    painter.drawText(area, Qt::AlignLeft | Qt::AlignBottom, name);
    const double left = area.left() + QFontMetricsF(bold).horizontalAdvance(name) + 10;
    painter.setPen(QPen(theme().line(), 1));
    painter.drawLine(QPointF(left, area.bottom() - 6), QPointF(area.right(), area.bottom() - 6));
    painter.setFont(font());
  }

  const WhyModel* m_model;
};

class WhyList final : public QListView {
 public:
  using QListView::QListView;
  QString emptyText;

 protected:
  void paintEvent(QPaintEvent* event) override {
    QListView::paintEvent(event);
    if (model() && model()->rowCount() == 0) paintEmpty(this, emptyText);
  }
  void resizeEvent(QResizeEvent* event) override {
    QListView::resizeEvent(event);
    scheduleDelayedItemsLayout();
  }
  void keyPressEvent(QKeyEvent* event) override {
    if (event->key() == Qt::Key_PageUp || event->key() == Qt::Key_PageDown)
      event->ignore();
    else
      QListView::keyPressEvent(event);
  }
};

}  // namespace

WhyView::WhyView(WhyModel* model, QWidget* parent) : QWidget(parent), m_model(model) {
  setFont(readable(font()));
  setAccessibleName(tr("Why this step?"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  m_title = new ElidingLabel(this);
  m_title->setTextFormat(Qt::PlainText);
  m_title->setContentsMargins(kSide, 8, kSide, 6);
  // A long title must not widen the window around it.
  m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  layout->addWidget(m_title);
  makeList();
  layout->addWidget(m_list, 1);
  model->setWatched(this, false);
  connect(model, &SessionModel::refreshed, this, &WhyView::onRefreshed);
}

void WhyView::makeList() {
  auto* list = new WhyList(this);
  list->emptyText = tr("After a step this panel says what the engine decided, and why.");
  m_list = list;
  m_list->setAccessibleName(tr("What happened in the step, and why"));
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setMinimumHeight(fontMetrics().lineSpacing());  // it scrolls, so a small window may shrink it
  m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setModel(m_model);
  m_list->setModelColumn(WhyModel::kSentence);
  m_list->setItemDelegate(new WhyDelegate(m_list, m_model));
  m_list->setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* copy = new QAction(tr("&Copy the explanation"), m_list);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  connect(copy, &QAction::triggered, this, &WhyView::copyText);
  m_list->addAction(copy);
  connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& current) {
            if (!current.isValid() || current.row() >= m_model->rowCount()) return;
            const SequenceId sequence = m_model->at(current.row()).sequence;
            if (sequence != 0) emit sequenceSelected(sequence);
          });
}

void WhyView::onRefreshed() {
  if (!isVisible()) return;
  m_title->setText(m_model->title());
  m_list->doItemsLayout();
  emit summaryChanged(summary());
  showNewest();
}

QString WhyView::summary() const {
  const int step = m_model->session()->step();
  return step > 0 ? tr("step %1").arg(step) : QString();
}

// Scrolls when a phase has begun or another step is shown: its sentences come last in a list that is often
// longer than the view. What came before the step may leave the view.
void WhyView::showNewest() {
  const std::vector<WhyRow>& rows = m_model->rows();
  const auto last = std::find_if(rows.rbegin(), rows.rend(),
                                 [](const WhyRow& row) { return row.section != WhyRow::kAfter; });
  if (last == rows.rend()) return;
  const std::pair shown{m_model->session()->step(), last->section};
  if (std::exchange(m_shown, shown) == shown) return;
  const auto topOf = [&](auto of) {
    const auto row = std::find_if(rows.begin(), rows.end(), of);
    return m_list->visualRect(m_model->index(static_cast<int>(row - rows.begin()), WhyModel::kSentence))
        .top();
  };
  const int end =
      m_list->visualRect(m_model->index(static_cast<int>(rows.rend() - last) - 1, WhyModel::kSentence))
          .bottom();
  const int step =
      topOf([&](const WhyRow& row) { return row.section != WhyRow::kBefore || last->section < 0; });
  const int newest = topOf([&](const WhyRow& row) { return row.section == last->section; });
  const int height = m_list->viewport()->height();
  // The whole step where it fits; else the newest phase at the bottom, or from its beginning.
  const int by = end - step < height ? step : end - newest < height ? end + 1 - height : newest;
  m_list->verticalScrollBar()->setValue(m_list->verticalScrollBar()->value() + by);
}

QString WhyView::plainText() const {
  QStringList lines{m_model->title()};
  int section = -1;
  for (const WhyRow& row : m_model->rows()) {
    if (row.section != section) lines << QString() << WhyModel::sectionName(row.section);
    section = row.section;
    lines << tr("– %1").arg(row.text);
  }
  return lines.join(u'\n');
}

void WhyView::copyText() const { QApplication::clipboard()->setText(plainText()); }

void WhyView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  m_model->setWatched(this, true);
  onRefreshed();
}

void WhyView::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  m_model->setWatched(this, false);
}

}  // namespace vitrine
