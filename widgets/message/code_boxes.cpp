#include "widgets/message/code_boxes.h"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTimer>
#include <QToolButton>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/markdown/shown_text.h"
#include "widgets/support/scroll_to.h"

namespace vitrine {
namespace {
constexpr int kCopiedMs = 2000;
constexpr int kRevealPx = 24;  // seen beyond what is revealed
constexpr double kCorner = 6;

int offsetOf(const QScrollBar* bar) { return bar == nullptr ? 0 : bar->value(); }

}  // namespace

CodeBoxes::CodeBoxes(QTextBrowser& view, const MarkdownText& text)
    : QObject(&view), m_view(view), m_text(text) {
  connect(view.document(), &QTextDocument::contentsChange, this,
          [this](int from) { m_dirtyFrom = std::min(m_dirtyFrom, from); });
  // The view never scrolls sideways as a whole, however wide the document is.
  connect(view.horizontalScrollBar(), &QScrollBar::rangeChanged, this,
          [&view] { view.horizontalScrollBar()->setRange(0, 0); });
}

QString CodeBoxes::nameOf(const CodePlace& place) const {
  if (place.language.isEmpty()) return tr("Code");
  return QString::fromStdString(shownText(place.language.toStdString()));
}

void CodeBoxes::settleAll() {
  m_dirtyFrom = 0;
  settle();
}

void CodeBoxes::settle() {
  const int from = std::exchange(m_dirtyFrom, std::numeric_limits<int>::max());
  if (from == std::numeric_limits<int>::max()) return;
  const std::vector<CodePlace> places = m_text.codeBlocks();
  for (std::size_t i = places.size(); i < m_boxes.size(); ++i) {
    delete m_boxes[i].copy;
    delete m_boxes[i].bar;
  }
  m_boxes.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    Box& box = m_boxes[i];
    if (places[i].end < from && box.place.begin == places[i].begin && box.place.end == places[i].end)
      continue;
    const bool isNamed = box.copy != nullptr && box.place.language == places[i].language;
    box.place = places[i];
    measure(box);
    if (box.copy == nullptr && i < kMostButtons) {
      addButton(box);
      QWidget::setTabOrder(i == 0 ? &m_view : static_cast<QWidget*>(m_boxes[i - 1].copy), box.copy);
    }
    if (box.copy != nullptr) {
      if (!isNamed) box.copy->setAccessibleName(tr("Copy code: %1").arg(nameOf(box.place)));
      const QSize size(box.copy->sizeHint().width(), static_cast<int>(m_text.look().codeHeadPx));
      box.copy->setGeometry(QRect(QPoint(box.area.right() + 1 - size.width(), box.area.top()), size));
      box.copy->show();
    }
    putBar(box);
  }
}

void CodeBoxes::measure(Box& box) const {
  const QTextDocument& document = *m_view.document();
  const QAbstractTextDocumentLayout& layout = *document.documentLayout();
  const QTextBlock first = document.findBlock(box.place.begin), last = document.findBlock(box.place.end);
  const MarkdownLook& look = m_text.look();
  box.left = static_cast<int>(first.blockFormat().leftMargin());
  const int left = box.left - static_cast<int>(look.codePadPx);
  const int top = static_cast<int>(layout.blockBoundingRect(first).top() - look.codeHeadPx);
  const int bottom = static_cast<int>(std::ceil(layout.blockBoundingRect(last).bottom() + look.codeFootPx));
  box.area = QRect(left, top, std::max(m_view.viewport()->width() - left, 1), bottom - top);
  box.wide = 0;
  for (QTextBlock block = first; block.isValid() && block.position() <= last.position(); block = block.next())
    for (int i = 0; i < block.layout()->lineCount(); ++i)
      box.wide = std::max(box.wide, block.layout()->lineAt(i).naturalTextWidth());
}

// It takes the focus from Tab alone, so that a click leaves a selection as it is.
void CodeBoxes::addButton(Box& box) {
  auto* const copy = new QToolButton(m_view.viewport());
  box.copy = copy;
  copy->setText(tr("Copy"));
  copy->setToolTip(tr("Copy this code"));
  copy->setAutoRaise(true);
  copy->setCursor(Qt::ArrowCursor);
  copy->setFocusPolicy(Qt::TabFocus);
  copy->installEventFilter(this);
  connect(copy, &QToolButton::clicked, this, [this, copy] {
    const Box* const of = boxOf(copy);
    if (of == nullptr) return;
    QApplication::clipboard()->setText(m_text.codeText(of->place));
    copy->setText(tr("Copied"));
    QTimer::singleShot(kCopiedMs, copy, [copy] { copy->setText(tr("Copy")); });
  });
}

void CodeBoxes::putBar(Box& box) {
  const MarkdownLook& look = m_text.look();
  const int pads = 2 * static_cast<int>(look.codePadPx);
  const int hidden = static_cast<int>(std::ceil(box.wide)) - (box.area.width() - pads);
  if (hidden <= 0) {
    const bool wasScrolled = offsetOf(box.bar) != 0;
    delete std::exchange(box.bar, nullptr);
    if (wasScrolled) moveLines(box);
    return;
  }
  if (box.bar == nullptr) {
    box.bar = new QScrollBar(Qt::Horizontal, m_view.viewport());
    box.bar->setCursor(Qt::ArrowCursor);
    box.bar->setFocusPolicy(Qt::NoFocus);  // the arrow keys on the button do the same
    box.bar->setAccessibleName(tr("Scroll the code sideways"));
    box.bar->installEventFilter(this);
    QScrollBar* const bar = box.bar;
    connect(bar, &QScrollBar::valueChanged, this, [this, bar] {
      if (const Box* const of = boxOf(bar)) moveLines(*of);
    });
  }
  QPalette ground = m_view.palette();
  for (const QPalette::ColorRole role : {QPalette::Base, QPalette::Window})
    ground.setColor(role, look.codeBackground);
  if (box.bar->palette() != ground) box.bar->setPalette(ground);
  const int height = static_cast<int>(look.codeFootPx);
  box.bar->setSingleStep(m_view.fontMetrics().averageCharWidth() * 4);
  box.bar->setPageStep(box.area.width() - pads);
  box.bar->setRange(0, hidden);
  box.bar->setGeometry(box.area.left() + pads / 2, box.area.bottom() + 1 - height, box.area.width() - pads,
                       height);
  box.bar->show();
  moveLines(box);  // the layout may have put them back
}

void CodeBoxes::moveLines(const Box& box) {
  const QTextDocument& document = *m_view.document();
  const double left = box.left - offsetOf(box.bar);
  for (QTextBlock block = document.findBlock(box.place.begin);
       block.isValid() && block.position() <= box.place.end; block = block.next())
    for (int i = 0; i < block.layout()->lineCount(); ++i) {
      QTextLine line = block.layout()->lineAt(i);
      line.setPosition(QPointF(left, line.position().y()));
    }
  m_view.viewport()->update(box.area);
}

void CodeBoxes::paintGrounds(QPainter& painter, const QRect& seen) const {
  const MarkdownLook& look = m_text.look();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(m_view.font());
  for (const Box& box : m_boxes) {
    if (box.area.bottom() < seen.top()) continue;
    if (box.area.top() > seen.bottom()) break;
    painter.setPen(look.codeBackground == look.base ? QPen(look.line) : QPen(Qt::NoPen));
    painter.setBrush(look.codeBackground);
    painter.drawRoundedRect(QRectF(box.area).adjusted(0.5, 0.5, -0.5, -0.5), kCorner, kCorner);
    const int pad = static_cast<int>(look.codePadPx);
    QRect head = box.area.adjusted(pad, 0, -pad, 0);
    head.setHeight(static_cast<int>(look.codeHeadPx));
    if (box.copy != nullptr) head.setRight(box.copy->x() - pad);
    painter.setPen(look.dim);
    painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter,
                     m_view.fontMetrics().elidedText(nameOf(box.place), Qt::ElideRight, head.width()));
  }
  painter.restore();
}

std::vector<QRect> CodeBoxes::clipped(const QRect& seen) const {
  std::vector<QRect> areas;
  const int pad = static_cast<int>(m_text.look().codePadPx);
  for (const Box& box : m_boxes) {
    // Beside the box, too: what is scrolled away would stand there.
    const bool inSight = box.area.top() <= seen.bottom() && box.area.bottom() >= seen.top();
    if (box.bar != nullptr && inSight) areas.push_back(box.area.adjusted(pad, 0, -pad, 0));
  }
  return areas;
}

CodeBoxes::Box* CodeBoxes::boxAt(const QPoint& place) {
  const auto found = std::ranges::find_if(m_boxes, [&](const Box& box) { return box.area.contains(place); });
  return found == m_boxes.end() ? nullptr : &*found;
}

CodeBoxes::Box* CodeBoxes::boxOf(const QObject* part) {
  const auto found =
      std::ranges::find_if(m_boxes, [&](const Box& box) { return box.copy == part || box.bar == part; });
  return found == m_boxes.end() ? nullptr : &*found;
}

bool CodeBoxes::scroll(const QWheelEvent& event) {
  const bool isTurned = event.modifiers() & Qt::ShiftModifier;
  const auto sideways = [isTurned](const QPoint& by) {
    if (std::abs(by.x()) > std::abs(by.y())) return by.x();
    return isTurned ? by.y() : 0;
  };
  const int angle = sideways(event.angleDelta()), pixels = sideways(event.pixelDelta());
  const Box* const box = boxAt(event.position().toPoint());
  if (box == nullptr || box->bar == nullptr || (angle == 0 && pixels == 0)) return false;
  const int lines = box->bar->singleStep() * QApplication::wheelScrollLines();
  box->bar->setValue(box->bar->value() - (pixels != 0 ? pixels : angle * lines / 120));
  return true;
}

void CodeBoxes::reveal(int position) {
  for (const Box& box : m_boxes) {
    if (position < box.place.begin || position > box.place.end || box.bar == nullptr) continue;
    const QTextBlock block = m_view.document()->findBlock(position);
    const QTextLine line = block.layout()->lineForTextPosition(position - block.position());
    if (!line.isValid()) return;
    const double x = line.cursorToX(position - block.position());
    const int left = box.left, right = left + box.bar->pageStep();
    if (x < left) box.bar->setValue(box.bar->value() - static_cast<int>(std::ceil(left - x)) - kRevealPx);
    if (x > right) box.bar->setValue(box.bar->value() + static_cast<int>(std::ceil(x - right)) + kRevealPx);
    return;
  }
}

bool CodeBoxes::hasFocus() const {
  return std::ranges::any_of(m_boxes,
                             [](const Box& box) { return box.copy != nullptr && box.copy->hasFocus(); });
}

// The wheel belongs to the view, which knows what is sideways; arrow keys on a button scroll its box.
bool CodeBoxes::eventFilter(QObject* object, QEvent* event) {
  const Box* const box = boxOf(object);
  if (box == nullptr) return QObject::eventFilter(object, event);
  if (event->type() == QEvent::FocusIn && object == box->copy) {
    const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
    const bool byKeys = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason;
    if (byKeys) scrollTo(*box->copy, box->copy->rect());
  }
  if (box->bar == nullptr) return false;
  if (event->type() == QEvent::Wheel && object == box->bar) {
    event->ignore();
    return true;
  }
  if (event->type() != QEvent::KeyPress || object != box->copy) return false;
  const std::pair<int, QAbstractSlider::SliderAction> actions[] = {
      {Qt::Key_Left, QAbstractSlider::SliderSingleStepSub},
      {Qt::Key_Right, QAbstractSlider::SliderSingleStepAdd},
      {Qt::Key_Home, QAbstractSlider::SliderToMinimum},
      {Qt::Key_End, QAbstractSlider::SliderToMaximum}};
  for (const auto& [key, action] : actions) {
    if (static_cast<QKeyEvent*>(event)->key() != key) continue;
    box->bar->triggerAction(action);
    return true;
  }
  return false;
}

}  // namespace vitrine

#include "moc_code_boxes.cpp"
