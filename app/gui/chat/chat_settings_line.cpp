#include "gui/chat/chat_settings_line.h"

#include "gui/chat/chat_settings_dialog.h"
#include "gui/parts/small_parts.h"
#include "gui/turns/chat_settings.h"
#include "history/chat_calls.h"
#include "widgets/support/eliding_label.h"
#include "widgets/support/layout_parts.h"

namespace vitrine {

ChatSettingsLine::ChatSettingsLine(Desk& desk, EngineHost& host, QWidget* parent)
    : QWidget(parent), m_desk(desk), m_host(host), m_words(new ElidingLabel(this)) {
  m_words->setTextFormat(Qt::PlainText);
  m_words->setAccessibleName(tr("Settings of this chat"));
  auto* change = commandButton(tr("Change…"), tr("Change what this chat asks of its answers"), this);
  connect(change, &QToolButton::clicked, this, &ChatSettingsLine::openDialog);
  addParts(withoutMargins(new QHBoxLayout(this)), {m_words, change})->addStretch(1);
  connect(&desk, &Desk::opened, this, &ChatSettingsLine::follow);
  connect(&desk, &Desk::settingsChanged, this, &ChatSettingsLine::follow);
  connect(&host, &EngineHost::loaded, this, &ChatSettingsLine::follow);
  follow();
}

// The answers of a chat that is answered meanwhile keep what they were asked with.
void ChatSettingsLine::openDialog() {
  const ChatId chat = m_desk.shown();
  auto* dialog = new ChatSettingsDialog(m_desk.settings(chat), m_host, window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  if (m_recommended) dialog->setRecommended(m_recommended());
  dialog->setDefaults(m_desk.defaults());
  connect(dialog, &QDialog::accepted, this,
          [this, dialog, chat] { m_desk.setSettings(chat, dialog->settings()); });
  dialog->open();
}

void ChatSettingsLine::follow() {
  const ChatSettings settings = m_desk.settings(m_desk.shown());
  QString words = settingsInWords(settings, m_desk.defaults());
  if (!m_host.takesTools() && !toolsOf(settings).empty()) words += QStringLiteral(" · ") + noToolsWords();
  m_words->setText(words.isEmpty() ? QString() : tr("This chat: %1").arg(words));
  setVisible(!words.isEmpty());
}

}  // namespace vitrine

#include "moc_chat_settings_line.cpp"
