// SamplerModel: how the selected sequence's latest token at the cursor was chosen: candidates down, stages
// across, each with its probability, and the stage that removed it.
//
// A candidate counts as removed only when the stage's list is complete without it; a shortened list proves
// nothing. Thread: the window's. Read next: vitrine/event.h, TokenCandidates.
#pragma once

#include "widgets/models/session_model.h"

namespace vitrine {

struct SamplerRow {
  TokenId token = 0;
  QString text;                       // readable, spaces visible
  std::vector<double> probabilities;  // one a stage; negative: not in the stage's list
  int removedAt = -1;                 // index of the stage; -1: it stayed, or this is not known
  bool chosen = false;

  bool operator==(const SamplerRow&) const = default;
};

class SamplerModel : public SessionModel {
  Q_OBJECT
 public:
  explicit SamplerModel(Session* session, QObject* parent = nullptr);

  int stages() const { return static_cast<int>(m_stages.size()); }
  QString stageTitle(int stage) const;  // "Temperature"
  int keptAt(int stage) const;          // how many candidates the stage left
  const SamplerRow& at(int row) const { return m_rows.at(static_cast<std::size_t>(row)); }
  int position() const { return m_position; }  // of the token in its sequence; -1 for nothing to show
  SequenceId sequence() const { return m_sequence; }
  bool isOfBeam() const { return m_isOfBeam; }  // the sequence is a beam; beams do not sample

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 protected:
  void refresh() override;

 private:
  struct Stage {
    QString name;
    int kept = 0;
    bool operator==(const Stage&) const = default;
  };

  std::vector<Stage> m_stages;
  std::vector<SamplerRow> m_rows;
  int m_position = -1;
  SequenceId m_sequence = 0;
  bool m_isOfBeam = false;
};

}  // namespace vitrine
