// PromptPage: in the place of the conversation, its prompt as the model reads it, beside the template that
// wrote it: what a token's line wrote, whose the tokens are, what was left out, and the prompt to copy.
//
// Thread: the window's. Read next: prompt_looker.h, widgets/prompt/prompt_view.h.
#pragma once

#include <QWidget>
#include <memory>

#include "widgets/prompt/prompt_model.h"

class QLabel;
class QSplitter;
class QToolButton;

namespace vitrine {

class ElidingLabel;
class PromptView;
class TemplateView;

class PromptPage : public QWidget {
  Q_OBJECT

 public:
  PromptPage(Session* session, QWidget* parent);

  void display(std::shared_ptr<const SeenPrompt> prompt);
  // Of the prompt, so many tokens need not be computed.
  void tellCached(int tokens);
  void sayNothing(const QString& why);  // there is no prompt
  PromptModel& model() { return *m_model; }
  PromptView& prompt() { return *m_prompt; }
  TemplateView& chatTemplate() { return *m_template; }
  QString command() const;  // of vitrine-cli, that writes the same; empty: the model has no template

 signals:
  void closeRequested();
  void typedMarksRequested(bool count);  // special tokens that a person types are to count as such

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeHead();
  QWidget* makePromptCard();
  QWidget* makeTemplateCard();
  QWidget* makeFoot();
  void arrange();
  void follow(int row);
  void tell();
  void copy(const QString& text, const QString& what);

  PromptModel* m_model;
  PromptView* m_prompt;
  TemplateView* m_template;
  ElidingLabel *m_counts, *m_place;
  QLabel *m_typed, *m_leftOut, *m_thoughts, *m_shared, *m_wrote;
  QToolButton *m_otherReading, *m_toDifference, *m_command;
  QSplitter* m_cards;
  QLabel *m_copied, *m_cached;
};

}  // namespace vitrine
