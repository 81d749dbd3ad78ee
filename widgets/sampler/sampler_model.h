// SamplerModel: how the selected sequence's latest token at the cursor was chosen: candidates down, stages
// across, each with its probability, the stage that removed it, and the number that was drawn.
//
// A candidate counts as removed only when the stage's list is complete without it; a shortened list proves
// nothing. A preview puts the stages of other options in the place of the recorded ones, for the same
// position; the recorded draw stays. Without a preview, rows are a pure function of the session. Thread: the
// window's. Read next: draw_bar.h; vitrine/event.h, TokenCandidates.
#pragma once

#include <limits>
#include <unordered_map>

#include "vitrine/sampling_preview.h"
#include "widgets/sampler/draw_bar.h"
#include "widgets/session/session_model.h"

namespace vitrine {

struct SamplerRow {
  TokenId token = 0;
  QString text;                       // readable, spaces visible
  std::vector<double> probabilities;  // one a stage; negative: not in the stage's list. A token that was
                                      // chosen has a row, also where no list has it
  int removedAt = -1;                 // index of the stage; -1: it stayed, or this is not known
  bool chosen = false;                // by the engine
  bool previewed = false;             // the preview chooses it

  bool operator==(const SamplerRow&) const = default;
};

// Stages that share a column: the probabilities are those of the last one.
struct StageColumn {
  QString title;
  int first = 0, last = 0;  // first > last: there is no such stage, and the values before stay

  bool removes(int stage) const { return stage >= first && stage <= last; }
};

// What other options would have drawn at a position.
struct SamplerPreview {
  SequenceId sequence = 0;
  int position = -1;
  PreviewedDraw draw;
  std::unordered_map<TokenId, std::string> pieces;  // texts of tokens; others are in the recording, or "#id"
};

class SamplerModel : public SessionModel {
  Q_OBJECT
 public:
  explicit SamplerModel(Session* session, QObject* parent = nullptr);

  int stages() const { return static_cast<int>(m_stages.size()); }
  QString stageTitle(int stage) const;  // "Temperature"
  int keptAt(int stage) const;          // how many candidates the stage left
  bool stageChanges(int stage) const;   // the first always does
  // Model, temperature, and what top-k and top-p leave have columns always; other stages while they change
  // something. `every`: one column a stage. Of more columns than `most`, those from the temperature on are
  // one.
  static constexpr int kAnyColumns = std::numeric_limits<int>::max();
  std::vector<StageColumn> stageColumns(bool every, int most = kAnyColumns) const;
  const SamplerRow& at(int row) const { return m_rows.at(static_cast<std::size_t>(row)); }
  int position() const { return m_position; }  // of the token in its sequence; -1 for nothing to show
  int step() const { return m_step; }          // that chose it
  SequenceId sequence() const { return m_sequence; }
  // Where the request's grammar was before the token, as a path of rules; empty: it has none.
  const QString& grammarPlace() const { return m_grammarPlace; }
  const QString& grammarExpects() const { return m_grammarExpects; }  // characters, as in a class: "0-9 . e"
  bool isMask(int stage) const;                                       // the stage of the grammar
  static QString maskedWord() { return tr("masked"); }                // of a candidate that it forbids
  bool isOfBeam() const { return m_isOfBeam; }  // the sequence is a beam; beams do not sample

  const DrawBar* drawn() const { return m_position < 0 ? nullptr : &m_drawn; }
  const DrawBar* previewed() const { return m_preview ? &m_previewed : nullptr; }  // null: no preview
  // Stays until clearPreview(), or until another token is shown. One of another token has no effect.
  void setPreview(SamplerPreview preview);
  void clearPreview();

  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
  }
  int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : stages() + 4;
  }
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 protected:
  void refresh() override;

 private:
  struct Stage {
    QString name;
    int kept = 0;
    bool changes = true;
    bool operator==(const Stage&) const = default;
  };
  void show(const TokenCandidates* detail);
  QString textOf(TokenId token, const TokenCandidates& detail) const;
  double numberOf(const TokenCandidates& detail) const;

  std::vector<Stage> m_stages;
  std::vector<SamplerRow> m_rows;
  int m_position = -1, m_step = 0;
  SequenceId m_sequence = 0;
  bool m_isOfBeam = false;
  QString m_grammarPlace, m_grammarExpects;
  DrawBar m_drawn, m_previewed;
  std::optional<SamplerPreview> m_preview;
};

}  // namespace vitrine
