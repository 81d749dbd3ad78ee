// WhyModel: why the step shown went as it did, in plain sentences made from its events, phase by phase.
//
// Reasons leave the engine as data; the sentences are made here, in the reader's language.
// Thread: the window's. Read next: why_sentences.h.
#pragma once

#include "widgets/models/session_model.h"

namespace vitrine {

struct WhyRow {
  static constexpr int kBefore = -1, kAfter = kPhaseCount;

  int section = 0;          // a Phase; kBefore or kAfter for what came outside the step
  SequenceId sequence = 0;  // whom it concerns; 0: the whole machine
  RequestId request = 0;
  QString letter, text;
  bool warning = false;  // something had to wait, was thrown away or failed

  bool operator==(const WhyRow&) const = default;
};

class WhyModel : public RowsModel<WhyRow> {
  Q_OBJECT
 public:
  enum Column { kPhase, kWho, kSentence, kColumns };

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
