// WhyView: "Why this step?": one sentence for each decision, grouped by phase. A step opens at its top; the
// sentence of the headline is marked, and the list goes to it only where it would be out of sight. Inside a
// step the newest phase is in sight. Thread: the window's. Read next: why_list.h.
#pragma once

#include <QPointer>
#include <QWidget>
#include <optional>

#include "widgets/explain/why_model.h"

namespace vitrine {

class WhyList;

class WhyView : public QWidget {
  Q_OBJECT
 public:
  explicit WhyView(WhyModel* model, QWidget* parent = nullptr);

  WhyList* list() const { return m_list; }
  QString plainText() const;
  QString summary() const { return m_model->summary(); }  // "step 17 · 8 ms"

 public slots:
  void copyText() const;
  // A run has stopped at this event: its sentence is chosen and comes into sight with its step.
  void showStop(const vitrine::BreakHit& hit);
  void follow(const vitrine::prose::Target& target);  // a link of one of the step's sentences

 signals:
  void sequenceSelected(int sequence);
  void blockRequested(int block);  // a link was followed
  void stepRequested(int step);
  void summaryChanged(const QString& summary);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void makeList();
  void onRefreshed();
  void showStep();
  void bring(int first, int last);
  bool bringStop();  // whether the list shows the sentence of a stop, and stays there

  QPointer<WhyModel> m_model;  // null while a window is taken down that deletes its models first
  WhyList* m_list;
  // The step, and its rows that lead to the headline, when the list was scrolled last.
  std::pair<int, int> m_shown{-1, -1};
  std::optional<BreakHit> m_stop;  // at the step shown
  bool m_stopShown = false;
};

}  // namespace vitrine
