#include "message_bar.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "lines_area.h"
#include "widgets/models/session.h"
#include "widgets/support/theme.h"
#include "widgets/support/window_words.h"

namespace vitrine {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent),
      m_sign(new QLabel(this)),
      m_text(new QLabel),
      m_lines(new LinesArea(m_text, this)),
      m_action(new QToolButton(this)) {
  m_text->setWordWrap(true);
  m_text->setTextFormat(Qt::PlainText);
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_text->setAccessibleName(tr("Message"));
  QFont bold = m_sign->font();
  bold.setBold(true);
  m_sign->setFont(bold);
  m_action->setFocusPolicy(Qt::TabFocus);
  m_action->hide();
  connect(m_action, &QToolButton::clicked, this, [this] {
    hide();
    if (const auto take = std::exchange(m_take, {})) take();
  });
  auto* close = new QToolButton(this);
  close->setText(tr("Close"));
  close->setAutoRaise(true);
  close->setAccessibleName(tr("Close the message"));
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 6, 6, 6);
  row->addWidget(m_sign, 0, Qt::AlignTop);
  row->addWidget(m_lines, 1);
  row->addWidget(m_action, 0, Qt::AlignTop);
  row->addWidget(close, 0, Qt::AlignTop);
  setAutoFillBackground(true);
  hide();
}

void MessageBar::show(Kind kind, const QString& message, const QString& hint) {
  m_kind = kind;
  m_sign->setText(kind == Kind::kError ? tr("Problem") : tr("Note"));
  m_text->setText(hint.isEmpty() ? message : message + QLatin1Char('\n') + hint);
  m_take = {};
  m_action->hide();
  applyColours();
  setVisible(true);
  m_lines->ensureVisible(0, 0);
  QAccessibleEvent announcement(m_text, QAccessible::Alert);
  QAccessible::updateAccessibility(&announcement);
}

void MessageBar::offer(const QString& message, const QString& hint, const QString& action,
                       const std::function<void()>& take) {
  show(Kind::kNotice, message, hint);
  m_action->setText(action);
  m_action->show();
  m_take = take;
}

void MessageBar::follow(Session& session) {
  connect(&session, &Session::engineFailed, this, &MessageBar::showFailure);
  connect(&session, &Session::streamDamaged, this, [this](const QString& message) {
    show(Kind::kError, message, tr("Reset the machine. The model is not damaged."));
  });
  connect(&session, &Session::pastUnreadable, this,
          [this](const QString& message, const QString& hint) { show(Kind::kError, message, hint); });
  connect(&session, &Session::recordingInMemory, this, [this](const QString& why) {
    show(Kind::kNotice, tr("The recording cannot be kept on the disk and continues in memory. %1").arg(why),
         tr("Nothing is lost. Free space on the disk, or reset the machine when memory runs short."));
  });
}

void MessageBar::showFailure(const QString& code, const QString& message, const QString& hint) {
  if (code == QLatin1String(errorCodeName(ErrorCode::kCancelled))) return;
  constexpr qsizetype kMostCodes = 10;
  m_codes = (m_codes + QStringList{code}).last(std::min(kMostCodes, m_codes.size() + 1));
  show(Kind::kError, inWindowWords(message), inWindowWords(hint));
}

void MessageBar::showTrimmed(int messages) {
  show(Kind::kNotice,
       tr("The conversation is longer than the model's context: the %n oldest message(s) were left out.",
          nullptr, messages),
       tr("Start a new chat to begin with an empty context."));
}

QString MessageBar::text() const { return m_text->text(); }

void MessageBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return hide();
  QFrame::keyPressEvent(event);
}

void MessageBar::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  // Only the window's own change: applyColours() changes this palette itself.
  if (event->type() == QEvent::ApplicationPaletteChange) applyColours();
}

void MessageBar::applyColours() {
  const QPalette window = parentWidget() ? parentWidget()->palette() : palette();
  const Theme theme(window);
  QPalette mine = window;
  const QColor tint = m_kind == Kind::kError ? theme.warning() : theme.accent();
  mine.setColor(QPalette::Window, mix(window.color(QPalette::Window), tint, 0.18));
  setPalette(mine);
}

}  // namespace vitrine
