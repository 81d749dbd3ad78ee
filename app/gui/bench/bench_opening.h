// BenchOpening: opens files with results of `vitrine-cli bench`, each in the window of its kind; the first
// one of a kind gets a new window. No machine is needed or changed. Thread: the window's. Read next:
// bench_results_window.h.
#pragma once

#include <QObject>
#include <QPointer>

#include "bench_results/bench_kind.h"
#include "widgets/support/notice.h"

class QWidget;

namespace vitrine {

class BenchResultsWindow;

class BenchOpening : public QObject {
  Q_OBJECT

 public:
  explicit BenchOpening(QWidget* window);  // the parent of the windows

  // The window that shows it; null: noticed() has said why it cannot be read.
  BenchResultsWindow* open(const QString& file);
  void choose();  // by a dialog, several at once

 signals:
  void noticed(const vitrine::Notice& notice);

 private:
  BenchResultsWindow* windowOf(BenchKind kind);
  void openFrom(BenchResultsWindow& window, const QStringList& files);
  QStringList ask(QWidget* parent);

  QWidget* const m_window;
  QList<QPointer<BenchResultsWindow>> m_open;
  QString m_folder;  // of the last file
};

}  // namespace vitrine
