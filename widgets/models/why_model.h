// WhyModel: why the step shown went as it did: the rows of vitrine/prose/why.h in the window's language, with
// the letters and requests of their sequences. Thread: the window's.
#pragma once

#include "vitrine/prose/why.h"
#include "widgets/models/session_model.h"

namespace vitrine {

struct WhyRow {
  static constexpr int kBefore = prose::WhyRow::kBefore, kAfter = prose::WhyRow::kAfter;

  int section = 0;          // a Phase; kBefore or kAfter for what came outside the step
  SequenceId sequence = 0;  // the sequence that the row is about; 0: a request or the whole machine
  RequestId request = 0;
  QString letter, text;
  bool warning = false;  // a sequence waits or is preempted, or something failed

  bool operator==(const WhyRow&) const = default;
};

class WhyModel : public RowsModel<WhyRow> {
  Q_OBJECT
 public:
  enum Column { kPhase, kSequence, kSentence, kColumns };

  explicit WhyModel(Session* session, QObject* parent = nullptr);

  static QString sectionName(int section);
  QString title() const;  // "Step 4: 3 sequences, 5 tokens, 12 ms"
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 protected:
  void refresh() override;
};

}  // namespace vitrine
