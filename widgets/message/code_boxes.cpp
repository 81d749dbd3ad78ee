#include "widgets/message/code_boxes.h"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QPainter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTimer>
#include <QToolButton>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/markdown/shown_text.h"
#include "widgets/message/side_bar.h"
#include "widgets/support/scroll_to.h"

namespace vitrine {
namespace {
constexpr int kCopiedMs = 2000;
constexpr double kCorner = 6;

}  // namespace

CodeBoxes::CodeBoxes(QTextBrowser& view, const MarkdownText& text)
    : QObject(&view), m_view(view), m_text(text) {
  connect(view.document(), &QTextDocument::contentsChange, this,
          [this](int from) { m_dirtyFrom = std::min(m_dirtyFrom, from); });
}

QString CodeBoxes::nameOf(const CodePlace& place) const {
  if (place.language.isEmpty()) return tr("Code");
  return QString::fromStdString(shownText(place.language.toStdString()));
}

CodeBoxes::~CodeBoxes() = default;

void CodeBoxes::settleFrom(int position) {
  m_dirtyFrom = std::min(m_dirtyFrom, position);
  settle();
}

void CodeBoxes::settle() {
  const int from = std::exchange(m_dirtyFrom, std::numeric_limits<int>::max());
  if (from == std::numeric_limits<int>::max()) return;
  const std::vector<CodePlace> places = m_text.codeBlocks();
  for (std::size_t i = places.size(); i < m_boxes.size(); ++i) delete m_boxes[i].copy;
  m_boxes.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    Box& box = m_boxes[i];
    if (places[i].end < from && box.place.begin == places[i].begin && box.place.end == places[i].end)
      continue;
    const bool isNamed = box.copy != nullptr && box.place.language == places[i].language;
    box.place = places[i];
    measure(box);
    if (box.copy == nullptr && i < kMostButtons) addButton(box);
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
  if (box.side == nullptr) {
    box.side = std::make_unique<SideBar>(m_view, SideBar::Reach::kByMouse);
    box.side->setName(tr("Scroll the code sideways"));  // the arrow keys on the button do the same
    SideBar* const side = box.side.get();
    connect(side, &SideBar::moved, this, [this, side] {
      const auto of = std::ranges::find(m_boxes, side, [](const Box& one) { return one.side.get(); });
      if (of != m_boxes.end()) moveLines(*of);
    });
  }
  const MarkdownLook& look = m_text.look();
  const bool wasScrolled = box.side->offset() != 0;
  QRect place = shownOf(box);
  place.setTop(place.bottom() + 1 - static_cast<int>(look.codeFootPx));
  box.side->fit(place, box.wide, look.codeBackground);
  if (wasScrolled || box.side->isThere()) moveLines(box);  // the layout may have put them back
}

QRect CodeBoxes::shownOf(const Box& box) const {
  const int pad = static_cast<int>(m_text.look().codePadPx);
  return box.area.adjusted(pad, 0, -pad, 0);
}

void CodeBoxes::moveLines(const Box& box) {
  const QTextDocument& document = *m_view.document();
  const double left = box.left - box.side->offset();
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

void CodeBoxes::addClipped(const QRect& seen, std::vector<QRect>& areas) const {
  for (const Box& box : m_boxes) {
    // Beside the box, too: what is scrolled away would stand there.
    const bool inSight = box.area.top() <= seen.bottom() && box.area.bottom() >= seen.top();
    if (box.side->isThere() && inSight) areas.push_back(shownOf(box));
  }
}

void CodeBoxes::addStops(std::vector<std::pair<int, QWidget*>>& stops) const {
  for (const Box& box : m_boxes)
    if (box.copy != nullptr) stops.emplace_back(box.place.begin, box.copy);
}

bool CodeBoxes::scroll(const QWheelEvent& event) {
  const QPoint place = event.position().toPoint();
  const auto box = std::ranges::find_if(m_boxes, [&](const Box& one) { return one.area.contains(place); });
  return box != m_boxes.end() && box->side->turn(event);
}

void CodeBoxes::reveal(int position) {
  for (const Box& box : m_boxes) {
    if (position < box.place.begin || position > box.place.end) continue;
    const QTextBlock block = m_view.document()->findBlock(position);
    const QTextLine line = block.layout()->lineForTextPosition(position - block.position());
    if (line.isValid()) box.side->reveal(line.cursorToX(position - block.position()), shownOf(box));
    return;
  }
}

bool CodeBoxes::hasFocus() const {
  return std::ranges::any_of(m_boxes,
                             [](const Box& box) { return box.copy != nullptr && box.copy->hasFocus(); });
}

CodeBoxes::Box* CodeBoxes::boxOf(const QObject* copy) {
  const auto found = std::ranges::find_if(m_boxes, [&](const Box& box) { return box.copy == copy; });
  return found == m_boxes.end() ? nullptr : &*found;
}

// Keys on a button scroll its box.
bool CodeBoxes::eventFilter(QObject* object, QEvent* event) {
  const Box* const box = boxOf(object);
  if (box == nullptr) return QObject::eventFilter(object, event);
  if (event->type() == QEvent::FocusIn) {
    const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
    const bool byKeys = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason;
    if (byKeys) scrollTo(*box->copy, box->copy->rect());
  }
  return event->type() == QEvent::KeyPress && box->side->press(static_cast<const QKeyEvent&>(*event));
}

}  // namespace vitrine

#include "moc_code_boxes.cpp"
