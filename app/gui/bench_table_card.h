// BenchTableCard: the tables of a benchmark's result, one at a time. A click on a heading sorts; CSV has the
// numbers with their spreads. Thread: the window's. Read next: bench_table_model.h.
#pragma once

#include "bench_card.h"
#include "bench_results/bench_results.h"

class QStackedLayout;
class QTabBar;

namespace vitrine {

class BenchTableModel;
class DataTableView;
class Session;

class BenchTableCard : public BenchCard {
  Q_OBJECT

 public:
  explicit BenchTableCard(Session& session, QWidget* parent = nullptr);

  void show(const BenchResults& results);

  QTabBar* tabs() const { return m_tabs; }
  DataTableView* table() const;  // the one in sight
  QString csv() const;           // of it
  // Throws EngineError(kIo).
  void saveCsv(const QString& file) const;

 private:
  void addTable(const BenchTable& table);
  void askAndSave();
  const BenchTableModel* model() const;

  Session& m_session;
  QTabBar* m_tabs;
  QStackedLayout* m_pages;
};

}  // namespace vitrine
