#include "widgets/chat/find_bar.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "widgets/conversation/conversation_search.h"
#include "widgets/support/formats.h"

namespace vitrine {

FindBar::FindBar(ConversationSearch* search, QWidget* parent) : QWidget(parent), m_search(search) {
  setAccessibleName(tr("Find in this chat"));
  setBackgroundRole(QPalette::Window);
  setAutoFillBackground(true);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 4, 12, 4);
  row->setSpacing(6);
  m_line = new QLineEdit(this);
  m_line->setPlaceholderText(tr("Find in this chat"));
  m_line->setAccessibleName(tr("Find in this chat"));
  m_line->setClearButtonEnabled(true);
  m_line->installEventFilter(this);
  row->addWidget(m_line, 1);
  m_count = new QLabel(this);
  m_count->setMinimumWidth(fontMetrics().horizontalAdvance(tr("%1 of %2").arg(999).arg(999)));
  row->addWidget(m_count);
  m_previous = addButton(QStringLiteral("↑"), tr("The hit before this one (Shift+Enter, Shift+F3)"));
  m_next = addButton(QStringLiteral("↓"), tr("The next hit (Enter, F3)"));
  m_case = new QCheckBox(tr("Match case"), this);
  row->addWidget(m_case);
  QToolButton* const shut = addButton(QStringLiteral("×"), tr("Close (Esc)"));
  connect(m_line, &QLineEdit::textChanged, this, &FindBar::find);
  connect(m_case, &QCheckBox::toggled, this, &FindBar::find);
  connect(m_previous, &QToolButton::clicked, this, [this] { step(-1); });
  connect(m_next, &QToolButton::clicked, this, [this] { step(1); });
  connect(shut, &QToolButton::clicked, this, &FindBar::close);
  connect(search, &ConversationSearch::changed, this, &FindBar::showCount);
  hide();
}

QToolButton* FindBar::addButton(const QString& text, const QString& tip) {
  auto* button = new QToolButton(this);
  button->setText(text);
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  layout()->addWidget(button);
  return button;
}

void FindBar::open(int row) {
  const bool wasOpen = isVisible();
  show();
  m_line->setFocus(Qt::ShortcutFocusReason);
  m_line->selectAll();
  if (wasOpen) return;
  m_row = row;
  find();
}

void FindBar::openWith(const QString& text, const QStringList& words, int row) {
  m_row = row;
  {
    const QSignalBlocker quiet(m_line);
    m_line->setText(text);
  }
  show();
  m_search->find({words, m_case->isChecked()}, row);
  showCount();
}

void FindBar::find() {
  if (const auto at = m_search->current()) m_row = at->row;  // a longer word begins at the same place
  m_search->find(phrase(m_line->text(), m_case->isChecked()), m_row);
  showCount();
}

void FindBar::step(int by) {
  if (!isVisible()) return open(m_row);
  m_search->step(by);
}

void FindBar::close() {
  if (!isVisible()) return;
  hide();
  m_search->find({}, 0);
  emit closed();
}

void FindBar::showCount() {
  const int count = m_search->count(), at = m_search->position();
  const bool sought = !m_search->sought().isEmpty();
  QString text;
  if (sought && count == 0)
    text = m_search->isSearching() ? tr("Searching…") : tr("Nothing found");
  else if (sought)
    text = tr("%1 of %2").arg(formatCount(at + 1), formatCount(count));
  m_count->setText(text);
  m_count->setAccessibleName(text);
  m_previous->setEnabled(count > 0);
  m_next->setEnabled(count > 0);
}

bool FindBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched != m_line || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  if (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter)
    return QWidget::eventFilter(watched, event);
  step(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
  return true;
}

void FindBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return close();
  QWidget::keyPressEvent(event);
}

}  // namespace vitrine

#include "moc_find_bar.cpp"
