// ChatSettingsLine: what the chat shown asks of its answers, over the input, while it is not what new chats
// ask; and the dialog that changes it. Thread: the window's. Read next: chat_settings_dialog.h.
#pragma once

#include <QWidget>
#include <functional>
#include <optional>
#include <utility>

#include "desk/desk.h"
#include "gui/machine/engine_host.h"

namespace vitrine {

class ElidingLabel;

class ChatSettingsLine : public QWidget {
  Q_OBJECT

 public:
  ChatSettingsLine(Desk& desk, EngineHost& host, QWidget* parent = nullptr);
  // The open model's recommendation, asked for when it is needed.
  using Recommended = std::function<std::optional<SamplingOptions>()>;
  void setRecommended(Recommended recommended) { m_recommended = std::move(recommended); }

 public slots:
  void openDialog();

 private:
  void follow();

  Desk& m_desk;
  EngineHost& m_host;
  Recommended m_recommended;
  ElidingLabel* m_words;
};

}  // namespace vitrine
