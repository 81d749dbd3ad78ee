#include "widgets/message/token_popup.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/support/formats.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr int kWidth = 320, kPopupGap = 4, kMouseSlack = 10;  // px
enum Role { kProbability = Qt::UserRole, kDrawn };

// A row: the token, its bar, its probability.
class ChoiceDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {kWidth / 2, option.fontMetrics.height() + 6};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme theme(option.palette);
    const bool selected = option.state & QStyle::State_Selected, drawn = index.data(kDrawn).toBool();
    const QRect row = option.rect.adjusted(6, 0, -6, 0);
    if (selected) painter->fillRect(option.rect, mix(theme.base(), theme.accent(), 0.25));
    const QFont font = boldened(option.font, drawn);
    painter->setFont(font);
    painter->setPen(theme.text());
    const double probability = index.data(kProbability).toDouble();
    const QString percent = formatPercent(probability);
    const int right = QFontMetrics(font).horizontalAdvance(formatPercent(0.9999)) + 4;
    const int left = row.width() * 2 / 5;
    painter->drawText(QRect(row.left(), row.top(), left, row.height()), Qt::AlignVCenter | Qt::AlignLeft,
                      QFontMetrics(font).elidedText(index.data().toString(), Qt::ElideRight, left - 6));
    painter->drawText(row, Qt::AlignVCenter | Qt::AlignRight, percent);
    QRect track(row.left() + left, row.top(), row.width() - left - right - 6, row.height());
    track.adjust(0, 5, 0, -5);
    painter->fillRect(track, mix(theme.base(), theme.line(), 0.5));
    track.setWidth(std::max(1, static_cast<int>(track.width() * probability)));
    painter->fillRect(track, drawn ? theme.accent() : mix(theme.base(), theme.accent(), 0.6));
  }
};

}  // namespace

TokenPopup::TokenPopup(QWidget* parent) : QFrame(parent) {
  setFrameShape(QFrame::StyledPanel);
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  setAccessibleName(tr("A token of the answer"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 6, 8, 6);
  layout->setSpacing(3);
  const auto label = [&](bool bold) {
    auto* made = new QLabel(this);
    made->setTextFormat(Qt::PlainText);  // a token is any text
    made->setWordWrap(true);
    made->setFont(boldened(made->font(), bold));
    layout->addWidget(made);
    return made;
  };
  m_title = label(true);
  m_place = label(false);
  m_list = new QListWidget(this);
  m_list->setItemDelegate(new ChoiceDelegate(m_list));
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setAccessibleName(tr("The most likely tokens here"));
  layout->addWidget(m_list);
  m_hint = label(false);
  connect(m_list, &QListWidget::itemClicked, this, &TokenPopup::choose);
  hide();
}

void TokenPopup::showCard(const QRect& word, const TokenCard& card) {
  m_title->setText(tr("%1 · %2").arg(visibleToken(card.token.text), formatPercent(card.token.probability)));
  m_place->setText((card.given ? tr("Token %1 of %2 · given, not sampled") : tr("Token %1 of %2"))
                       .arg(card.place + 1)
                       .arg(card.count));
  m_list->clear();
  for (const TokenChoice& choice : card.choices) {
    auto* item = new QListWidgetItem(visibleToken(choice.text), m_list);
    item->setData(kProbability, choice.probability);
    item->setData(kDrawn, choice.drawn);
    const QString what = choice.drawn  ? tr("%1, %2, which the answer has")
                         : choice.ends ? tr("%1, %2: the answer ends here")
                                       : tr("%1, %2: another answer goes on with it");
    item->setData(Qt::AccessibleTextRole, what.arg(item->text(), formatPercent(choice.probability)));
    if (choice.drawn) m_list->setCurrentItem(item);
  }
  if (m_list->currentRow() < 0) m_list->setCurrentRow(0);
  m_hint->setText(tr("Choose another token: a new answer goes on with it, and this one stays."));
  m_place->show();
  m_list->show();
  m_hint->show();
  place(word);
}

void TokenPopup::showWords(const QRect& word, const QString& words) {
  m_title->setText(words);
  m_list->clear();
  m_place->hide();
  m_list->hide();
  m_hint->hide();
  place(word);
}

// As high as its rows, and inside the parent.
void TokenPopup::place(const QRect& word) {
  m_word = word;
  const QRect room = parentWidget()->rect().adjusted(kPopupGap, kPopupGap, -kPopupGap, -kPopupGap);
  const int rows = m_list->count() == 0 ? 0 : m_list->sizeHintForRow(0) * m_list->count() + 2;
  m_list->setFixedHeight(rows);
  const int width = std::min(kWidth, room.width());
  setFixedWidth(width);
  const int wanted = layout()->hasHeightForWidth() ? layout()->heightForWidth(width) : sizeHint().height();
  const int height = std::min(wanted, room.height());
  const bool below = word.bottom() + kPopupGap + height <= room.bottom() ||
                     room.bottom() - word.bottom() >= word.top() - room.top();
  int top = below ? word.bottom() + kPopupGap : word.top() - kPopupGap - height;
  top = std::clamp(top, room.top(), std::max(room.top(), room.bottom() - height));
  const int left = std::clamp(word.left() - 12, room.left(), std::max(room.left(), room.right() - width));
  setGeometry(left, top, width, height);
  show();
  raise();
  layout()->activate();
  m_list->doItemsLayout();  // its rows may have been chosen while it was low
  m_list->scrollToTop();
}

void TokenPopup::takeFocus() {
  setFocusPolicy(Qt::StrongFocus);
  setFocusProxy(m_list);
  m_list->setFocus(Qt::PopupFocusReason);
}

// Also while another window is in front.
bool TokenPopup::hasTheFocus() const { return isVisible() && window()->focusWidget() == m_list; }

void TokenPopup::choose(const QListWidgetItem* item) {
  if (item == nullptr || item->data(kDrawn).toBool()) return;
  emit chosen(m_list->row(item));
}

bool TokenPopup::onKey(int key) {
  switch (key) {
    case Qt::Key_Left:
      emit moved(-1);
      return true;
    case Qt::Key_Right:
      emit moved(1);
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      choose(m_list->currentItem());
      return true;
    case Qt::Key_Escape:
      hide();
      return true;
    default:
      return false;
  }
}

// A press or a turn of the wheel outside; without the focus, a mouse that is neither here nor on the word.
bool TokenPopup::isElsewhere(const QEvent& event) const {
  const bool pressed = event.type() == QEvent::MouseButtonPress || event.type() == QEvent::Wheel;
  if (!pressed && (event.type() != QEvent::MouseMove || hasTheFocus())) return false;
  const QPoint at =
      parentWidget()->mapFromGlobal(static_cast<const QSinglePointEvent&>(event).globalPosition().toPoint());
  if (geometry().contains(at)) return false;
  const QRect way = m_word.united(geometry()).adjusted(-kMouseSlack, -kMouseSlack, kMouseSlack, kMouseSlack);
  return pressed || !way.contains(at);
}

bool TokenPopup::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_list && event->type() == QEvent::KeyPress &&
      onKey(static_cast<const QKeyEvent*>(event)->key()))
    return true;
  if (watched->isWidgetType() && isElsewhere(*event)) hide();
  return QFrame::eventFilter(watched, event);
}

void TokenPopup::showEvent(QShowEvent* event) {
  QFrame::showEvent(event);
  qApp->installEventFilter(this);
}

void TokenPopup::hideEvent(QHideEvent* event) {
  qApp->removeEventFilter(this);
  QFrame::hideEvent(event);
  emit closed();
}

}  // namespace vitrine

#include "moc_token_popup.cpp"
