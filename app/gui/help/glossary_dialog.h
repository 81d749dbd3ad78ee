// GlossaryDialog: every term of the field that the window uses, with its meaning, its paper and a scenario.
// Thread: the window's. Read next: vitrine/prose/glossary.h.
#pragma once

#include <QDialog>

#include "vitrine/prose/glossary.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace vitrine {

class GlossaryDialog : public QDialog {
  Q_OBJECT

 public:
  explicit GlossaryDialog(QWidget* parent = nullptr);

  QLineEdit* filter() const { return m_filter; }
  QListWidget* list() const { return m_list; }
  void choose(const prose::Term& term);  // one of windowGlossary()
  QString explanation() const;           // of the chosen term
  QPushButton* scenario() const { return m_scenario; }

 signals:
  void scenarioRequested(const QString& name);

 private:
  QWidget* makeExplanation();
  void narrow(const QString& words);
  void explain(int row);

  QLineEdit* m_filter;
  QListWidget* m_list;
  QLabel *m_name, *m_meaning, *m_paper;
  QPushButton* m_scenario;
};

}  // namespace vitrine
