// AboutDialog: what Vitrine is, what it is built with, and what to send with a report of a problem, to be
// read before it is copied. Thread: the window's. Read next: built_with.h, diagnostics.h.
#pragma once

#include <QDialog>

class QPlainTextEdit;
class QPushButton;
class QTableWidget;
class QTabWidget;

namespace vitrine {

class AboutDialog : public QDialog {
  Q_OBJECT

 public:
  explicit AboutDialog(const QString& diagnostics, QWidget* parent = nullptr);

  QTabWidget* pages() const { return m_pages; }
  QTableWidget* libraries() const { return m_libraries; }
  QPlainTextEdit* diagnostics() const { return m_diagnostics; }
  QPushButton* copyButton() const { return m_copy; }

 private:
  void fillLibraries();

  QTabWidget* m_pages;
  QTableWidget* m_libraries;
  QPlainTextEdit* m_diagnostics;
  QPushButton* m_copy;
};

}  // namespace vitrine
