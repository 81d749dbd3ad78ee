// BenchTableModel: a table of a benchmark's result, as the command line prints it; the number behind each
// cell in Qt::EditRole, so that sorting and CSV have it whole.
//
// Behind each column whose cells have a spread stand columns with its values where that is wanted, as in CSV.
// Thread: the window's. Read next: bench_results/bench_results.h.
#pragma once

#include "bench_results/bench_results.h"
#include "widgets/session/session_model.h"

namespace vitrine {

class BenchTableModel : public SessionModel {
  Q_OBJECT

 public:
  enum class Spreads : std::uint8_t { kInTheCells, kInColumns };
  BenchTableModel(Session* session, BenchTable table, Spreads spreads = Spreads::kInTheCells,
                  QObject* parent = nullptr);

  std::unique_ptr<BenchTableModel> withSpreads() const;  // its rows in their present order
  bool isNumeric(int column) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  // By number, or by words where there are none; a column below 0: as it was measured.
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

 protected:
  void refresh() override {}

 private:
  enum class Part : std::uint8_t { kShown, kSd, kMedian, kLeast, kMost };
  struct Column {
    std::size_t source;  // of the table
    Part part;
  };

  const BenchCell& cellAt(int row, const Column& column) const;
  QVariant plain(const BenchCell& cell, Part part) const;
  QVariant alignment(const Column& column) const;
  QString name(const Column& column) const;
  QString tip(const BenchCell& cell) const;

  BenchTable m_table;
  std::vector<Column> m_columns;
  std::vector<std::size_t> m_order;  // rows of the table
};

}  // namespace vitrine
