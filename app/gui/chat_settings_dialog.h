// ChatSettingsDialog: what one chat asks of its answers: a system prompt, strings that end an answer, and how
// tokens are chosen. Thread: the window's. Read next: chat_settings.h.
#pragma once

#include <QDialog>

#include "chat_settings.h"
#include "token_counter.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;

namespace vitrine {

class ChatSettingsDialog : public QDialog {
  Q_OBJECT

 public:
  ChatSettingsDialog(const ChatSettings& settings, EngineHost& host, QWidget* parent = nullptr);

  void setDefaults(const ChatSettings& defaults) { m_defaults = defaults; }  // that a button restores
  void setRecommended(const std::optional<SamplingOptions>& recommended);    // by the open model
  ChatSettings settings() const;

 private:
  QWidget* makeInstructions();
  QWidget* makeStops();
  QWidget* makeSampling();
  void show(const ChatSettings& settings);
  void showTokens();
  void showTip();

  TokenCounter m_counter;
  ChatSettings m_defaults;
  std::optional<SamplingOptions> m_recommended;
  QPlainTextEdit *m_instructions, *m_stops;
  QComboBox* m_preset;
  QLabel *m_tokens, *m_tip;
};

}  // namespace vitrine
