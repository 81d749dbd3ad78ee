// BenchResultsWindow: results of `vitrine-cli bench` of one kind, from files: what they belong to, a figure
// with spreads, and the tables. A further file of the kind stands beside the ones that are there.
//
// file → BenchResults → models → views: nothing is shown that is not in the files, and no machine is asked.
// Files are dropped on it, too. Esc closes it. Thread: the window's. Read next: bench_opening.h,
// bench_results/bench_comparison.h.
#pragma once

#include <QDialog>

#include "bench_results/bench_comparison.h"
#include "widgets/session/session.h"

class QLabel;
class QPushButton;

namespace vitrine {

class BenchFigureCard;
class BenchTableCard;
class LinesArea;
class MessageBar;

class BenchResultsWindow : public QDialog {
  Q_OBJECT

 public:
  static constexpr int kMostFiles = 8;

  explicit BenchResultsWindow(QWidget* parent = nullptr);

  // Requires the kind of those that are there. A file that is there is read anew. False: there are
  // kMostFiles, and a message says so.
  bool add(const QString& file, BenchResults results);
  void remove(int place);  // one of several
  // Those that are there side by side; requires one.
  const BenchResults& results() const { return m_shown; }
  int files() const { return static_cast<int>(m_files.size()); }

  BenchFigureCard& figures() { return *m_figures; }
  BenchTableCard& tables() { return *m_tables; }
  MessageBar& messages() { return *m_messages; }

 signals:
  void openRequested(const QStringList& files);
  void chooseRequested();  // a file by a dialog

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QWidget* makeHead();
  QWidget* makeMiddle();
  void rebuild();
  void showFiles();
  void addFileLine(int place);
  void applyColours();

  Session m_session;  // an empty one: no run belongs to a result
  QStringList m_files;
  std::vector<NamedBenchResults> m_all;  // of each file
  BenchResults m_shown;
  QLabel *m_title, *m_meaning, *m_remarks;
  QWidget* m_fileLines = nullptr;
  QWidget* m_tabStop = nullptr;  // the last one above the figures
  LinesArea* m_remarkLines;
  MessageBar* m_messages;
  QPushButton* m_compare;  // before the cards, since Tab follows the order in which parts are made
  BenchFigureCard* m_figures;
  BenchTableCard* m_tables;
};

}  // namespace vitrine
