// UncertaintyModel: how sure the model was of each token of the selected answer, up to the cursor: the
// surprise of the token, and the entropy of the distribution that it was drawn from, which is the surprise to
// expect.
//
// Both in bits, of the model's own distribution. Entropy is measured only while it is asked for
// (Detail::entropy). Keeps eight bytes a token. Thread: the window's. Read next: vitrine/events/sampling.h.
#pragma once

#include <unordered_map>

#include "widgets/session/session_model.h"

namespace vitrine {

struct UncertaintyRow {
  int position = 0;
  int step = 0;  // that sampled it
  TokenId token = 0;
  float surprise = 0;
  float entropy = -1;  // -1: not measured
  bool now = false;    // sampled in the step shown

  bool operator==(const UncertaintyRow&) const = default;
};

class UncertaintyModel : public RowsModel<UncertaintyRow> {
  Q_OBJECT
 public:
  explicit UncertaintyModel(Session* session, QObject* parent = nullptr);

  SequenceId sequence() const { return m_sequence; }
  double mostBits() const { return static_cast<double>(m_mostBits); }  // of all rows, at least 1
  double entropyAt(int position) const;                                // in bits; -1: not measured
  QString textAt(int row) const;
  QString describe(int row) const;

 protected:
  const TableColumns& columns() const override;
  void refresh() override;
  void restart() override { m_answers.clear(); }
  void take(const Event& event) override;

 private:
  struct Sampled {
    std::int32_t step = 0;
    std::uint16_t surprise = 0, entropy = 0;  // in kUnitsABit; kUnknown
  };
  static_assert(sizeof(Sampled) == 8);
  struct Answer {
    int firstPosition = 0;
    std::vector<Sampled> tokens;  // by position, without gaps
  };

  std::unordered_map<SequenceId, Answer> m_answers;
  SequenceId m_sequence = 0;
  float m_mostBits = 1;
};

}  // namespace vitrine
