// WhyView: "Why this step?": one sentence for each decision, grouped by phase. Thread: the window's.
// Read next: why_list.h.
#pragma once

#include <QWidget>

#include "widgets/models/why_model.h"

class QLabel;

namespace vitrine {

class WhyList;

class WhyView : public QWidget {
  Q_OBJECT
 public:
  explicit WhyView(WhyModel* model, QWidget* parent = nullptr);

  WhyList* list() const { return m_list; }
  QString plainText() const;
  QString summary() const;  // "step 17"

 public slots:
  void copyText() const;

 signals:
  void sequenceSelected(int sequence);
  void blockRequested(int block);  // a link was followed
  void stepRequested(int step);
  void summaryChanged(const QString& summary);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void makeList();
  void follow(const prose::Target& target);
  void onRefreshed();
  void showNewest();

  WhyModel* m_model;
  QLabel* m_title;
  WhyList* m_list;
  std::pair<int, int> m_shown{-1, -1};  // the step and its newest section, when the list was scrolled last
};

}  // namespace vitrine
