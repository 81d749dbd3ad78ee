// PackedGroupModel: the weights of one output that share a scale, opened: the bits of each, the integer that
// they stand for, and the float that comes of it.
//
// It has a session because views do; the session may be an empty one. Thread: the window's. Read next:
// vitrine/inspect.h.
#pragma once

#include <optional>

#include "vitrine/inspect.h"
#include "widgets/session/session_model.h"

namespace vitrine {

struct PackedWeight {
  std::int64_t input = 0;
  int bits = 0, value = 0;  // of packed types
  float weight = 0;

  bool operator==(const PackedWeight&) const = default;
};

class PackedGroupModel : public RowsModel<PackedWeight> {
  Q_OBJECT
 public:
  using RowsModel::RowsModel;

  void setGroup(InspectedGroup group);
  void clear();
  const std::optional<InspectedGroup>& group() const { return m_group; }
  bool isPacked() const { return m_group && !m_group->bits.empty(); }
  int bitWidth() const { return m_group ? m_group->bitWidth : 0; }

  QString formula() const;          // "weight = 0.0123 × value − 0.5"; of floats, that there is none
  QString bitsText(int row) const;  // "1011", the highest bit first
  QString describe(int row) const;  // "input 37: bits 1011 are 11; 0.0123 × 11 − 0.5 = −0.3647"

 protected:
  const TableColumns& columns() const override;
  void refresh() override {}

 private:
  QString rule(const QString& value) const;  // scale × value + minimum

  std::optional<InspectedGroup> m_group;
};

}  // namespace vitrine
