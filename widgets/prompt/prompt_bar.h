// PromptBar: the tokens of a prompt by whose they are, as parts of a bar, with their numbers below it. Colour
// and hatch distinguish them. Thread: the window's. Read next: widgets/prompt/prompt_model.h.
#pragma once

#include <QWidget>

#include "widgets/prompt/prompt_model.h"

namespace vitrine {

class PromptBar : public QWidget {
  Q_OBJECT
 public:
  explicit PromptBar(PromptModel* model, QWidget* parent = nullptr);

  QString text() const;  // "system 5 · user 12 · template 24"
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString entry(PromptModel::Owner owner) const;
  std::vector<PromptModel::Owner> owners() const;  // that have tokens

  PromptModel* m_model;
};

}  // namespace vitrine
