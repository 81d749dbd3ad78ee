#include "widgets/chat/waiting_list.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/conversation/question_files.h"
#include "widgets/support/eliding_label.h"
#include "widgets/support/layout_parts.h"

namespace vitrine {
namespace {

constexpr int kWaitingMostRows = 4;  // in sight at once

// A view that is as high as its rows, up to the most.
class RowsArea final : public QScrollArea {
 public:
  explicit RowsArea(QWidget* parent) : QScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);  // it scrolls to the button that has the focus
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setBackgroundRole(QPalette::Window);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  }
  QSize sizeHint() const override { return {0, height(widget()->layout()->count())}; }
  QSize minimumSizeHint() const override { return sizeHint(); }

 private:
  int height(int rows) const {
    const int whole = widget()->sizeHint().height();
    return rows <= kWaitingMostRows ? whole : whole * kWaitingMostRows / rows;
  }
};

QToolButton* addTool(QWidget* row, const QString& text, const QString& tip) {
  auto* tool = new QToolButton(row);
  tool->setText(text);
  tool->setToolTip(tip);
  tool->setAccessibleName(tip);
  tool->setAutoRaise(true);
  row->layout()->addWidget(tool);
  return tool;
}

}  // namespace

WaitingList::WaitingList(QWidget* parent)
    : QWidget(parent), m_title(new ElidingLabel(this)), m_sendNow(new QPushButton(tr("Send now"), this)) {
  setAccessibleName(tr("Messages that wait"));
  auto* column = withoutMargins(new QVBoxLayout(this));
  column->setSpacing(2);
  auto* head = addParts(new QHBoxLayout, {m_title, m_sendNow});
  head->addStretch(1);
  column->addLayout(head);
  auto* page = new QWidget;
  page->setBackgroundRole(QPalette::Window);
  m_rows = withoutMargins(new QVBoxLayout(page));
  m_rows->setSpacing(2);
  auto* area = new RowsArea(this);
  area->setWidget(page);
  column->addWidget(area);
  m_sendNow->setToolTip(tr("Send the first of them; the others follow, each after the answer before it"));
  connect(m_sendNow, &QPushButton::clicked, this, &WaitingList::sendNowRequested);
  hide();
}

void WaitingList::setMessages(const std::vector<WaitingMessage>& messages, bool held) {
  m_title->setText(held ? tr("Held until you send them") : tr("Sent when the answer ends"));
  m_sendNow->setVisible(held);
  setVisible(!messages.empty());
  if (messages == m_messages) return;
  m_messages = messages;
  // Later, since one of their buttons may be what asked for the change.
  while (QLayoutItem* item = m_rows->takeAt(0)) {
    item->widget()->hide();
    item->widget()->deleteLater();
    delete item;
  }
  for (const WaitingMessage& message : m_messages) {
    m_rows->addWidget(makeRow(message));
    m_rows->itemAt(m_rows->count() - 1)->widget()->show();
  }
  m_rows->parentWidget()->parentWidget()->parentWidget()->updateGeometry();
}

QWidget* WaitingList::makeRow(const WaitingMessage& message) {
  auto* row = new QWidget(m_rows->parentWidget());
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(8, 0, 0, 0);
  line->setSpacing(2);
  const QuestionParts parts = questionParts(message.text);
  QStringList words;
  for (const QuestionFile& file : parts.files) words << file.name;
  words << parts.question.simplified();
  auto* text = new ElidingLabel(words.join(QStringLiteral(" · ")), row);
  text->setTextFormat(Qt::PlainText);
  text->setAccessibleName(tr("Waits: %1").arg(text->text()));
  line->addWidget(text, 1);
  const qint64 id = message.id;
  connect(addTool(row, tr("Edit"), tr("Take this message back into the input")), &QToolButton::clicked, this,
          [this, id] { emit editRequested(id); });
  connect(addTool(row, tr("Remove"), tr("Do not send this message")), &QToolButton::clicked, this,
          [this, id] { emit removeRequested(id); });
  return row;
}

}  // namespace vitrine

#include "moc_waiting_list.cpp"
