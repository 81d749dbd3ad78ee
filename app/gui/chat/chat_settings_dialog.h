// ChatSettingsDialog: what one chat asks of its answers: a system prompt, strings that end an answer, tools
// that the model may call, the form of its answers, and how tokens are chosen. Thread: the window's. Read
// next: chat_settings.h.
#pragma once

#include <QDialog>
#include <map>

#include "desk/asking.h"
#include "gui/questions/token_counter.h"
#include "gui/turns/chat_settings.h"

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QLabel;
class QPlainTextEdit;

namespace vitrine {

class AnswerFormBox;

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
  QWidget* makeTools();
  QWidget* makeAsking();
  QWidget* makeSampling();
  void show(const ChatSettings& settings);
  void show(const Asking& asking);
  Asking asking() const;
  void showTokens();
  void showTip();
  void checkTools();
  void checkAll();

  EngineHost& m_host;
  TokenCounter m_counter;
  ChatSettings m_defaults;
  std::optional<SamplingOptions> m_recommended;
  QPlainTextEdit *m_instructions, *m_stops, *m_tools;
  QDialogButtonBox* m_buttons;
  QComboBox *m_preset, *m_thinking, *m_effort;
  QLabel *m_tokens, *m_tip, *m_toolWords, *m_whyNot;
  std::map<ChatMend, QCheckBox*> m_mends;
  QCheckBox* m_typedMarks;
  AnswerFormBox* m_form;
  bool m_toolsAreRead = true;
};

}  // namespace vitrine
