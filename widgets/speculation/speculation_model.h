// SpeculationModel: what drafting brings in this run, up to the cursor: the newest draft of the selected
// sequence with the fate of each token, acceptance by position, the measured cost of a drafted step, and
// whether it pays.
//
// The figures are the engine's (vitrine/speculation_history.h), so they equal those of `vitrine-cli run` and
// `bench speculative` for the same events. Of a draft it keeps its step alone, and reads it from the
// recording. Thread: the window's. Read next: vitrine/speculation_history.h.
#pragma once

#include <unordered_map>

#include "vitrine/speculation_history.h"
#include "widgets/session/session_model.h"
#include "widgets/session/token_fate.h"

namespace vitrine {

enum class SpeculationVerdict : std::uint8_t {
  kOff,          // the engine does not draft
  kNoDraft,      // none has been verified yet
  kNotMeasured,  // no plain step to compare with
  kPays,
  kDoesNotPay,
  kCannotPay,  // at no acceptance
};

struct DraftToken {
  int position = 0;
  TokenId token = 0;
  QString text;  // "#12" for a token whose text is not known
  TokenFate fate = TokenFate::kUnjudged;
  DraftJudgement judgement;  // of a judged one

  bool isGone() const { return fate == TokenFate::kRejected || fate == TokenFate::kUnjudged; }
};

// A draft, and the text that it continues.
struct ShownDraft {
  SequenceId sequence = 0;
  int step = 0;          // 0: there is none
  bool pending = false;  // proposed, and not verified yet
  QString before;
  std::vector<DraftToken> tokens;  // the draft's; behind them the model's own
};

// A row of the table twin.
struct SpeculationRow {
  QString figure, value;
  double number = -1;         // of the value; negative: it is no number
  std::int64_t counted = -1;  // tokens, drafts or steps that it is taken from; negative: none

  bool operator==(const SpeculationRow&) const = default;
};

class SpeculationModel : public RowsModel<SpeculationRow> {
  Q_OBJECT
 public:
  static constexpr int kLastSteps = 48;

  explicit SpeculationModel(Session* session, QObject* parent = nullptr);

  static double shareOf(std::int64_t part, std::int64_t whole);  // 0 of nothing
  static QString wholePercent(double share);                     // "94 %"

  const SpeculationFigures& figures() const { return m_figures; }
  const ShownDraft& draft() const { return m_draft; }
  const std::vector<SpeculationHistory::Step>& lastSteps() const { return m_lastSteps; }
  SpeculationVerdict verdict() const;
  // Tokens of a sequence that a drafted step keeps: its gain is so much, over its cost.
  std::optional<double> keptTokens() const;

  QString summary() const;       // "own first 4 layers · K 4"
  QString verdictText() const;   // "Speculation pays here: 1.6 times as fast."
  QString costText() const;      // "A drafted step costs 2.9 plain steps and keeps 4.7 tokens: 1.6×."
  QString measuredText() const;  // over which steps
  QString draftsText() const;  // "12 drafts · mean accepted length 3.7 · 94 % of the judged tokens accepted"
  QString breakEvenText() const;  // "break-even 73 %"; empty when it is not measured
  QString draftTitle() const;     // "Newest draft of A, step 12"
  QString lastStepsText() const;
  QString describeToken(int token) const;  // for tooltips and screen readers, as the following
  QString describePosition(int position) const;
  QString describeStep(int index) const;

 protected:
  const TableColumns& columns() const override;
  QVariant otherData(const QModelIndex& index, int role) const override;
  void refresh() override;
  void restart() override;
  void take(const Event& event) override;

 private:
  QString fateText(const DraftToken& token) const;
  int judgedStep() const;
  int draftStep(SequenceId sequence) const;
  void findDraft();
  void readDraft(EventBatch events);
  void addTokens(EventBatch events, const DraftVerified& verified);
  std::vector<SpeculationRow> makeRows() const;
  void addFigures(std::vector<SpeculationRow>& rows) const;

  SpeculationHistory m_history;
  std::unordered_map<SequenceId, std::vector<std::int32_t>> m_draftSteps;  // in order
  SpeculationFigures m_figures;
  ShownDraft m_draft;
  std::vector<SpeculationHistory::Step> m_lastSteps;
};

}  // namespace vitrine
