// BatchModel: the ragged batch of the step shown, as the kernels get it: a row for each token that the step
// computes, with its position, the slot of its KV, the block table of its sequence, and how much it sees.
//
// The numbers are the engine's own picture (vitrine/batch_picture.h), taken from the events of the step, once
// a step. Texts come from the session. Thread: the window's. Read next: vitrine/batch_picture.h.
#pragma once

#include <unordered_map>

#include "vitrine/batch_picture.h"
#include "widgets/session/draft_text.h"
#include "widgets/session/session_model.h"

namespace vitrine {

struct BatchRow {
  int group = 0;  // of BatchPicture::sequences
  SequenceId sequence = 0;
  RequestId request = 0;
  WorkKind kind = WorkKind::kPrefill;
  BatchCell cell;
  TokenId token = -1;  // -1: a draft that is not proposed yet
  QString text;        // "#12" for a token without text of its own
  QString table;       // "0 1": the blocks of the sequence

  bool operator==(const BatchRow&) const = default;
};

class BatchModel : public RowsModel<BatchRow> {
  Q_OBJECT
 public:
  enum Column {
    kSequence,
    kWork,
    kToken,
    kPosition,
    kRotary,
    kSlot,
    kBlock,
    kOffset,
    kTable,
    kSees,
    kLogits
  };

  explicit BatchModel(Session* session, QObject* parent = nullptr);

  const BatchPicture& picture() const { return m_picture; }
  const BatchSequence& groupOf(int row) const {
    return m_picture.sequences[static_cast<std::size_t>(at(row).group)];
  }
  bool hasEvicted() const;  // positions in the KV and in the text differ
  QString letter(SequenceId sequence) const;
  QString workText(const BatchRow& row) const;  // "decode", "prefill" or "draft"
  QString summary() const;          // "17 rows · 2 decode, 15 prefill · one forward"; with padding
  QString remark() const;           // about what this batch does not show; may be empty
  QString paddingRemark() const;    // why there are rows of padding; empty without any
  QString describe(int row) const;  // for tooltips and screen readers

 protected:
  const TableColumns& columns() const override;
  QVariant otherData(const QModelIndex& index, int role) const override;
  void refresh() override;
  void restart() override;

 private:
  using Pieces = std::unordered_map<TokenId, QString>;

  void findPicture();
  struct Texts {
    DraftTexts drafts;
    Pieces beams;
  };
  Pieces beamPieces() const;
  void addRows(int group, const Texts& texts, std::vector<BatchRow>& rows) const;
  QString textOf(const BatchSequence& one, const BatchCell& cell, TokenId token, const Texts& texts) const;

  BatchPicture m_picture;
  DraftMethod m_drafter = DraftMethod::kNone;  // of this step's drafts
  // What the picture was taken of: a step, and the number of its events.
  std::pair<int, std::size_t> m_pictureOf{-1, 0};
};

}  // namespace vitrine
