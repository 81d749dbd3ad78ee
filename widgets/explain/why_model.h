// WhyModel: why the step shown went as it did: the rows of vitrine/prose/why.h in the window's language, with
// the letters and requests of their sequences. Thread: the window's. Read next: spotlight.h.
#pragma once

#include "vitrine/breakpoints.h"
#include "vitrine/prose/why.h"
#include "widgets/explain/sentence_link.h"
#include "widgets/session/session_model.h"

namespace vitrine {

struct WhyRule {
  QString text;  // a line or two of pseudo-code
  prose::Decision decision;

  bool operator==(const WhyRule&) const = default;
};

struct WhyRow {
  static constexpr int kBefore = prose::WhyRow::kBefore, kAfter = prose::WhyRow::kAfter;

  int section = 0;          // a Phase; kBefore or kAfter for what came outside the step
  SequenceId sequence = 0;  // the sequence that the row is about; 0: a request or the whole machine
  RequestId request = 0;
  QString letter, text;
  bool warning = false;  // a sequence waits or is preempted, or something failed
  std::vector<SentenceLink> links;
  std::vector<BlockId> blocks;  // in addition to those of its links
  std::vector<WhyRule> rules;

  bool operator==(const WhyRow&) const = default;
};

class WhyModel : public RowsModel<WhyRow> {
  Q_OBJECT
 public:
  enum Column { kPhase, kSequence, kSentence, kRule };

  explicit WhyModel(Session* session, QObject* parent = nullptr);

  static QString sectionName(int section);
  // What the row is about, and whether it is about a target that some view points at.
  prose::Target about(int row) const;
  bool speaksOf(int row, const prose::Target& target) const;
  // The sentence of the event that stopped a run; -1: the step shown has none.
  int rowOf(const BreakHit& hit) const { return rowOf(static_cast<int>(hit.phase), hit, Told::kOfItself); }
  int firstOfSection(int row) const;              // the first row of the same phase
  int headlineRow() const { return m_headline; }  // the sentence that the headline is about; -1: none
  QString title() const;                          // "Step 4: 5 tokens computed, 3 sampled, in 12 ms"
  QString summary() const;                        // "step 4 · 12 ms"

 protected:
  const TableColumns& columns() const override;
  QVariant otherData(const QModelIndex& index, int role) const override;
  void refresh() override;

 private:
  // By a row of the sequence's or block's own, or also by one that names it among others.
  enum class Told { kOfItself, kAmongOthers };

  int rowOf(int section, const BreakHit& hit, Told how) const;
  int rowOf(std::int64_t event) const;  // of the step shown, by its number; -1: none

  int m_headline = -1;
};

}  // namespace vitrine
