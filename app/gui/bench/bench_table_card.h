// BenchTableCard: the tables of a benchmark's result, one at a time. A click on a heading sorts; CSV has the
// numbers with their spreads. Thread: the window's. Read next: bench_table_model.h.
#pragma once

#include "bench_results/bench_results.h"
#include "gui/parts/headed_card.h"

class QComboBox;
class QLabel;
class QStackedLayout;

namespace vitrine {

class DataTableView;
class Session;

class BenchTableCard : public HeadedCard {
  Q_OBJECT

 public:
  explicit BenchTableCard(Session& session, QWidget* parent = nullptr);

  void show(const BenchResults& results);

  QComboBox* choice() const { return m_choice; }  // of the tables
  QSize sizeHint() const override;                // as high as the table in sight, within bounds
  DataTableView* table() const;                   // the one in sight
  // Of it, as it is copied. Throws EngineError(kIo).
  void saveCsv(const QString& file) const;

 private:
  void addTable(const BenchTable& table);
  void askAndSave();

  Session& m_session;
  QLabel* m_label;
  QComboBox* m_choice;
  QStackedLayout* m_pages;
};

}  // namespace vitrine
