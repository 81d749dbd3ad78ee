// CompareOpening: the window that compares, one for as long as the program runs. Thread: the window's. Read
// next: compare_window.h.
#pragma once

#include <QObject>

#include "scenarios/scenario.h"

class QWidget;

namespace vitrine {

class CompareWindow;

class CompareOpening : public QObject {
  Q_OBJECT

 public:
  explicit CompareOpening(QWidget* window);  // the parent; it must outlive this

  CompareWindow* open(Scenario scenario);
  CompareWindow* open(Scenario one, Scenario other);

 private:
  CompareWindow& window();

  QWidget* const m_parent;
  CompareWindow* m_window = nullptr;  // of the parent
};

}  // namespace vitrine
