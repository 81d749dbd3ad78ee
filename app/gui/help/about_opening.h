// AboutOpening: opens what is said about Vitrine, with the diagnostics of the moment. Thread: the window's.
// Read next: about_dialog.h.
#pragma once

#include <QObject>
#include <functional>

#include "gui/help/diagnostics.h"

class QWidget;

namespace vitrine {

class AboutOpening : public QObject {
  Q_OBJECT

 public:
  using Facts = std::function<DiagnosticsFacts()>;
  AboutOpening(Facts facts, QWidget* window);

  void open();

 private:
  Facts m_facts;
  QWidget* const m_window;
};

}  // namespace vitrine
