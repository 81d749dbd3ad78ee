#include "gui/parts/message_bar.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <algorithm>
#include <utility>

#include "gui/parts/lines_area.h"
#include "gui/parts/small_parts.h"
#include "widgets/session/session.h"
#include "widgets/support/theme.h"
#include "widgets/support/window_words.h"

namespace vitrine {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent),
      m_sign(new QLabel(this)),
      m_text(namedLabel(tr("Message"), nullptr)),
      m_lines(new LinesArea(m_text, this)),
      m_action(new QToolButton(this)),
      m_next(new QToolButton(this)) {
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  makeBold(m_sign);
  m_action->setFocusPolicy(Qt::TabFocus);
  connect(m_action, &QToolButton::clicked, this, &MessageBar::takeShown);
  m_next->setFocusPolicy(Qt::TabFocus);
  m_next->setAutoRaise(true);
  connect(m_next, &QToolButton::clicked, this, &MessageBar::showNext);
  auto* close = new QToolButton(this);
  close->setText(tr("Close"));
  close->setAutoRaise(true);
  close->setAccessibleName(tr("Close the message"));
  connect(close, &QToolButton::clicked, this, &MessageBar::closeShown);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 6, 6, 6);
  row->addWidget(m_sign, 0, Qt::AlignTop);
  row->addWidget(m_lines, 1);
  for (QToolButton* button : {m_action, m_next, close}) row->addWidget(button, 0, Qt::AlignTop);
  setAutoFillBackground(true);
  hide();
}

// A less urgent message waits behind the one that is being read.
void MessageBar::say(MessageCause cause, Notice notice) {
  if (notice.code == QLatin1String(errorCodeName(ErrorCode::kCancelled))) return;
  if (!notice.code.isEmpty()) {
    constexpr qsizetype kMostCodes = 10;
    m_codes = (m_codes + QStringList{notice.code}).last(std::min(kMostCodes, m_codes.size() + 1));
    notice.message = inWindowWords(notice.message);
    notice.hint = inWindowWords(notice.hint);
  }
  const bool reading = m_shown < m_line.size() && m_line[m_shown].cause != cause;
  const MessageCause read = reading ? m_line[m_shown].cause : cause;
  std::erase_if(m_line, [cause](const Waiting& one) { return one.cause == cause; });
  const auto place =
      std::ranges::find_if(m_line, [&](const Waiting& one) { return one.notice.kind <= notice.kind; });
  const auto put = m_line.insert(place, {cause, std::move(notice), ++m_said});
  if (put == m_line.begin() || !reading) {
    showPlace(static_cast<std::size_t>(put - m_line.begin()));
    announce(m_text);
  } else {
    const auto before = std::ranges::find(m_line, read, &Waiting::cause);
    showPlace(static_cast<std::size_t>(before - m_line.begin()));
    announce(m_next);
  }
}

void MessageBar::end(MessageCause cause) {
  const auto found = std::ranges::find(m_line, cause, &Waiting::cause);
  if (found != m_line.end()) remove(static_cast<std::size_t>(found - m_line.begin()));
}

// Behind the one that was shown comes the most urgent of the others.
void MessageBar::remove(std::size_t place) {
  m_line.erase(m_line.begin() + static_cast<std::ptrdiff_t>(place));
  if (place == m_shown) return showPlace(0);
  if (place < m_shown) --m_shown;
  updateLine();
}

void MessageBar::closeShown() {
  if (m_shown < m_line.size()) remove(m_shown);
}

// A message of the action about the same cause takes the message's place.
void MessageBar::takeShown() {
  const Waiting shown = m_line[m_shown];
  if (shown.notice.take) shown.notice.take();
  const auto still = std::ranges::find(m_line, shown.number, &Waiting::number);
  if (still != m_line.end()) remove(static_cast<std::size_t>(still - m_line.begin()));
}

void MessageBar::closeAll() {
  m_line.clear();
  showPlace(0);
}

void MessageBar::showNext() {
  if (m_line.empty()) return;
  showPlace((m_shown + 1) % m_line.size());
  announce(m_text);
}

void MessageBar::showPlace(std::size_t place) {
  m_shown = place;
  if (m_line.empty()) m_text->clear();
  setVisible(!m_line.empty());
  if (m_line.empty()) return;
  const Notice& shown = m_line[place].notice;
  m_sign->setText(shown.kind == Notice::kProblem ? tr("Problem") : tr("Note"));
  m_text->setText(shown.text());
  m_action->setText(shown.action);
  m_action->setVisible(!shown.action.isEmpty());
  updateLine();
  applyColours();
  m_lines->ensureVisible(0, 0);
}

void MessageBar::updateLine() {
  m_next->setVisible(m_line.size() > 1);
  m_next->setText(tr("Next %1/%2").arg(m_shown + 1).arg(m_line.size()));
  m_next->setAccessibleName(tr("Message %1 of %2: show the next").arg(m_shown + 1).arg(m_line.size()));
  m_next->setToolTip(m_next->accessibleName());
}

void MessageBar::announce(QObject* part) {
  QAccessibleEvent announcement(part, QAccessible::Alert);
  QAccessible::updateAccessibility(&announcement);
}

void MessageBar::follow(Session& session) {
  connect(&session, &Session::runStarted, this, [this] {
    for (const MessageCause cause :
         {MessageCause::kMachine, MessageCause::kRecording, MessageCause::kPast, MessageCause::kOpened,
          MessageCause::kBuiltinInstead, MessageCause::kTemplate, MessageCause::kUnused})
      end(cause);
  });
  connect(&session, &Session::engineFailed, this,
          [this](const QString& code, const QString& message, const QString& hint) {
            say(MessageCause::kMachine, {Notice::kProblem, message, hint, code});
          });
  connect(&session, &Session::streamDamaged, this, [this](const QString& message) {
    say(MessageCause::kMachine, Notice::problem(message, tr("Reset the machine. The model is not damaged.")));
  });
  connect(&session, &Session::pastUnreadable, this, [this](const QString& message, const QString& hint) {
    say(MessageCause::kPast, Notice::problem(message, hint));
  });
  connect(&session, &Session::recordingInMemory, this, [this](const QString& why) {
    say(MessageCause::kRecording,
        Notice::note(
            tr("The recording cannot be kept on the disk and continues in memory. %1").arg(why),
            tr("Nothing is lost. Free space on the disk, or reset the machine when memory runs short.")));
  });
}

QString MessageBar::text() const { return m_text->text(); }

QString MessageBar::textOf(MessageCause cause) const {
  const auto found = std::ranges::find(m_line, cause, &Waiting::cause);
  return found == m_line.end() ? QString() : found->notice.text();
}

void MessageBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return closeShown();
  QFrame::keyPressEvent(event);
}

void MessageBar::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  // Only the window's own change: applyColours() changes this palette itself.
  if (event->type() == QEvent::ApplicationPaletteChange) applyColours();
}

void MessageBar::applyColours() {
  if (m_line.empty()) return;
  const QPalette window = parentWidget() ? parentWidget()->palette() : palette();
  const Theme theme(window);
  QPalette mine = window;
  const QColor tint = m_line[m_shown].notice.kind == Notice::kProblem ? theme.warning() : theme.accent();
  mine.setColor(QPalette::Window, mix(window.color(QPalette::Window), tint, 0.18));
  setPalette(mine);
}

}  // namespace vitrine

#include "moc_message_bar.cpp"
