// InsideModel: the base of what shows a forward opened: whose forward it is at the cursor, and what the
// engine found when it computed that forward again.
//
// A recording has no hidden states: they would be gigabytes. So the tokens that the selected sequence had
// computed at the cursor are computed once more, apart from the run, and what is shown says so. The model
// asks by wanted(), and the engine answers. A report stays in sight until the next one comes, with the
// place it belongs to. Thread: the window's. Read next: vitrine/inside.h, exits_model.h, attention_model.h.
#pragma once

#include <memory>
#include <optional>

#include "vitrine/inside.h"
#include "widgets/session/session_model.h"

namespace vitrine {

// The first `tokens` tokens of a sequence.
struct InsidePlace {
  SequenceId sequence = 0;  // 0: there is nothing to open
  int tokens = 0;
  int step = 0;          // at which they had been computed
  bool evicted = false;  // the sequence's own forward no longer sees all of them

  bool operator==(const InsidePlace&) const = default;
};

struct InsideQuestion {
  InsidePlace place;
  InsideOptions options;

  bool operator==(const InsideQuestion&) const = default;
};

class InsideModel : public SessionModel {
  Q_OBJECT
 public:
  using SessionModel::SessionModel;

  // What is to be shown; a question only when it is not what the report answers, nor was refused.
  const InsidePlace& place() const { return m_place; }
  std::optional<InsideQuestion> question() const;
  std::vector<TokenId> tokensOfPlace() const;

  const InsideReport* report() const { return m_report.get(); }     // null: none yet
  const InsidePlace& reported() const { return m_answered.place; }  // the report's place
  // Null: the engine has refused, since it has no model, or another one.
  void setReport(const InsideQuestion& question, std::shared_ptr<const InsideReport> report);

  // How much of the next report is computed, while that takes long; none: it is not computed, or quick.
  void setProgress(std::optional<float> fraction);

  // What stands in the place of a report that is not there; empty when there is one.
  QString emptyText() const;
  // "A · 17 tokens of step 23, computed again", and how far the next one is
  QString summary() const;
  QString tokenText(int position) const;  // of the reported sequence, with spaces made visible

 signals:
  void wanted();

 protected:
  void refresh() override;
  void restart() override;
  virtual InsideOptions optionsFor(int tokens) const = 0;
  virtual void reportChanged() = 0;  // rows are read from the report again
  void ask();                        // since the options have changed

 private:
  InsidePlace placeAtCursor() const;

  InsidePlace m_place;
  InsideQuestion m_answered, m_refused;
  std::optional<float> m_progress;
  std::shared_ptr<const InsideReport> m_report;
};

}  // namespace vitrine
