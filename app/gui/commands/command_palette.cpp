#include "gui/commands/command_palette.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QScreen>
#include <QTextLayout>
#include <algorithm>

#include "widgets/painting/row_delegate.h"
#include "widgets/support/layout_parts.h"

namespace vitrine {

namespace {

constexpr int kPaletteLetters = 90, kRows = 14;
constexpr int kSide = 12, kAbove = 5;  // around the words of a row, in pixels

// Of its own: said in the middle of the list when nothing fits.
class CommandsView : public QListView {
 public:
  using QListView::QListView;

 protected:
  void paintEvent(QPaintEvent* event) override {
    QListView::paintEvent(event);
    if (model()->rowCount() == 0)
      paintEmpty(this, CommandPalette::tr("No command or chat has these letters."));
  }
};

// A command's row: the menus around it dimmed, its title, the letters that were hit in bold, and its keys at
// the right.
class CommandDelegate : public RowDelegate {
 public:
  using RowDelegate::RowDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  void paintWay(QPainter& painter, const QRectF& line, const QModelIndex& index) const;
};

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

}  // namespace

CommandPalette::CommandPalette(std::vector<PaletteEntry> commands, QWidget* window)
    : QDialog(window, Qt::Dialog | Qt::FramelessWindowHint),
      m_commands(std::move(commands)),
      m_line(new QLineEdit(this)),
      m_list(new CommandsView(this)) {
  setWindowTitle(tr("Find a command"));
  setFont(readable(font()));
  m_line->setPlaceholderText(tr("Type a command, a scenario or a chat"));
  m_line->setAccessibleName(tr("Find a command"));
  m_line->installEventFilter(this);
  m_list->setAccessibleName(tr("Commands and chats"));
  m_list->setModel(&m_commands);
  m_list->setItemDelegate(new CommandDelegate(m_list));
  m_list->setUniformItemSizes(true);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setMouseTracking(true);
  addParts(new QVBoxLayout(this), {m_line, {m_list, 1}});
  connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::narrow);
  connect(m_line, &QLineEdit::returnPressed, this, &CommandPalette::run);
  connect(m_list, &QListView::clicked, this, &CommandPalette::run);
  choose(0);
}

// At the top of the window, as far as there is room.
void CommandPalette::showEvent(QShowEvent* event) {
  const QRect around = parentWidget() ? parentWidget()->frameGeometry() : screen()->availableGeometry();
  const QRect room = around.intersected(screen()->availableGeometry());
  const int row = std::max(1, m_list->sizeHintForRow(0));
  const QSize wanted(kPaletteLetters * fontMetrics().averageCharWidth(),
                     m_line->sizeHint().height() + kRows * row + 40);
  resize(wanted.boundedTo(room.size() * 9 / 10));
  move(room.left() + (room.width() - width()) / 2, room.top() + (room.height() - height()) / 5);
  m_line->setFocus();
  QDialog::showEvent(event);
}

void CommandPalette::narrow(const QString& query) {
  m_commands.narrow(query);
  choose(0);
}

void CommandPalette::choose(int row) {
  const int last = m_commands.rowCount() - 1;
  m_list->setCurrentIndex(m_commands.index(std::clamp(row, 0, std::max(0, last))));
  tell();
}

void CommandPalette::tell() {
  const QModelIndex chosen = m_list->currentIndex();
  const QString words = chosen.isValid() ? tr("%1, %2 of %3")
                                               .arg(chosen.data(Qt::AccessibleTextRole).toString())
                                               .arg(chosen.row() + 1)
                                               .arg(m_commands.rowCount())
                                         : tr("No command or chat has these letters.");
  m_line->setAccessibleDescription(words);
}

// One that is not available now stays in the list, so that it is seen where it is.
void CommandPalette::run() {
  const QModelIndex chosen = m_list->currentIndex();
  if (!chosen.isValid() || !m_commands.command(chosen.row()).enabled) return;
  const std::function<void()> run = m_commands.command(chosen.row()).run;
  accept();
  // A command may open a dialog and wait for it. The key that ran it has ended by then.
  QObject* const context = parentWidget() ? static_cast<QObject*>(parentWidget()) : qApp;
  QMetaObject::invokeMethod(context, run, Qt::QueuedConnection);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched != m_line || event->type() != QEvent::KeyPress) return QDialog::eventFilter(watched, event);
  const int row = m_list->currentIndex().row(), last = m_commands.rowCount() - 1;
  const int page = std::max(1, m_list->viewport()->height() / std::max(1, m_list->sizeHintForRow(0)) - 1);
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
      return choose(row == last ? 0 : row + 1), true;
    case Qt::Key_Up:
      return choose(row <= 0 ? last : row - 1), true;
    case Qt::Key_PageDown:
      return choose(row + page), true;
    case Qt::Key_PageUp:
      return choose(row - page), true;
    default:
      return false;
  }
}

bool CommandPalette::event(QEvent* event) {
  if (event->type() == QEvent::WindowDeactivate && isVisible()) reject();
  return QDialog::event(event);
}

}  // namespace vitrine

#include "moc_command_palette.cpp"
