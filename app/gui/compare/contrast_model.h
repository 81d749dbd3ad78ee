// ContrastModel: what two runs differ in, as a table: each figure of the first, of the second, and how many
// times as much.
//
// Thread: the window's. Read next: compare/contrast.h.
#pragma once

#include "gui/compare/compared_pair.h"
#include "vitrine/run_contrast.h"
#include "widgets/session/session_model.h"

namespace vitrine {

class ContrastModel : public RowsModel<ContrastRow> {
  Q_OBJECT

 public:
  enum Column { kFigure, kFirst, kSecond, kRatio };

  // The pair outlives it; `session` belongs to no run.
  ContrastModel(Session* session, const ComparedPair& pair, QObject* parent = nullptr);

 protected:
  const TableColumns& columns() const override;
  QVariant otherData(const QModelIndex& index, int role) const override;
  void refresh() override;

 private:
  const ComparedPair& m_pair;
};

}  // namespace vitrine
