// TextModel: prompt and answer of the selected sequence at the cursor, a row for each token: its text, the
// step that sampled it, its surprise, and what became of it as a draft. The drafts that the step shown
// rejected stand where they would have been.
//
// Of a sampled token it keeps eight bytes; texts come from the session, rejected drafts from the step's
// events. Thread: the window's. Read next: token_texts.h.
#pragma once

#include <unordered_map>

#include "widgets/session/session_model.h"
#include "widgets/session/token_fate.h"

namespace vitrine {

struct TextRow {
  int position = 0;
  TokenId token = 0;
  QString text;        // "#12" for a token without text of its own
  int step = 0;        // that sampled it; 0: of the prompt, or not known
  float surprise = 0;  // -log2 of its probability under the model; negative: not known
  TokenFate fate = TokenFate::kPrompt;
  bool now = false;       // sampled, or proposed, in the step shown
  bool computed = false;  // its KV is computed by the step shown, as a part of a prefill

  bool operator==(const TextRow&) const = default;
  bool isDraftGone() const { return fate == TokenFate::kRejected || fate == TokenFate::kUnjudged; }
};

class TextModel : public RowsModel<TextRow> {
  Q_OBJECT
 public:
  enum Column { kPosition, kToken, kText, kStep, kSurprise, kFate };

  explicit TextModel(Session* session, QObject* parent = nullptr);

  int promptTokens() const { return m_promptTokens; }
  QString summary() const;  // "A · 23 prompt tokens · 12 of 48"
  QString plainText() const;
  QString describe(int row) const;  // for tooltips and screen readers

 protected:
  const TableColumns& columns() const override;
  QVariant otherData(const QModelIndex& index, int role) const override;
  void refresh() override;
  void restart() override;
  void take(const Event& event) override;

 private:
  struct Sampled {
    std::int32_t step = 0;
    std::uint16_t surprise = 0;  // in kUnitsABit
    TokenFate fate = TokenFate::kSampled;
  };
  static_assert(sizeof(Sampled) == 8);
  struct Answer {
    int firstPosition = 0;
    std::vector<Sampled> tokens;      // by position, without gaps
    int draftStep = 0, draftEnd = 0;  // the last step with a draft, and the position behind its accepted part
  };

  TextRow rowAt(const SequenceState& sequence, int position) const;
  QString textAt(const SequenceState& sequence, int position) const;
  void addRejected(const SequenceState& sequence, std::vector<TextRow>& rows) const;
  void markComputed(const SequenceState& sequence, std::vector<TextRow>& rows) const;

  std::unordered_map<SequenceId, Answer> m_answers;
  std::unordered_map<RequestId, std::vector<int>> m_beamSteps;  // the step of each token of a beam search
  std::unordered_map<TokenId, QString> m_beamPieces;
  SequenceId m_sequence = 0;  // of the rows
  int m_promptTokens = 0;
};

}  // namespace vitrine
