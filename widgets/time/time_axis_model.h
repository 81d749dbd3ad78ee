// TimeAxisModel: one row for each step of the whole recording, as the time axis draws it: rate, batch,
// blocks, what happened, and the marks of the user. A step costs 20 bytes; rangeOf() adds up any steps in a
// few hundred looks, however long the run. Thread: the window's. Read next: time_axis_view.h.
#pragma once

#include <deque>
#include <map>

#include "vitrine/step_rate.h"
#include "widgets/session/session_model.h"

namespace vitrine {

class Bookmarks;
class BreakpointList;

// What happened in a step; the most important last.
enum class StepMark : std::uint8_t { kNone, kPlain, kArrived, kFinished, kSwapped, kPreempted };
QString stepMarkText(StepMark mark);  // "a sequence was preempted"; empty for a plain step

// A step, or several as one: the largest of each number, and all that happened.
struct AxisSteps {
  float tokensPerSecond = 0;  // of the last StepRate::kSteps steps
  int prefillTokens = 0, decodeTokens = 0, usedBlocks = 0;
  std::uint8_t marks = 0;  // a bit for each StepMark

  void add(const AxisSteps& other);
  bool has(StepMark mark) const { return (marks >> static_cast<int>(mark) & 1) != 0; }
  StepMark strongest() const;
};

class TimeAxisModel : public SessionModel {
  Q_OBJECT
 public:
  enum Column { kStep, kRate, kPrefill, kDecode, kBlocks, kEvents, kMarks };

  explicit TimeAxisModel(Session* session, QObject* parent = nullptr);

  // Both must outlive the model.
  void setMarks(const BreakpointList* breakpoints, const Bookmarks* bookmarks);
  const BreakpointList* breakpoints() const { return m_breakpoints; }
  const Bookmarks* bookmarks() const { return m_bookmarks; }
  void addStop(const QString& reason, int step);  // a run stopped there
  QString stopAt(int step) const;                 // why; empty: none did
  const std::map<int, QString>& stops() const { return m_stops; }

  // After which the run left another one; -1: it is no branch.
  int branchStep() const { return session()->engine() ? session()->engine()->branchStep : -1; }

  AxisSteps at(int step) const { return rangeOf(step, step); }
  AxisSteps rangeOf(int first, int last) const;  // steps without a row count nothing
  int numBlocks() const { return m_numBlocks; }

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : m_shown; }

 protected:
  const TableColumns& columns() const override;
  void refresh() override;
  void restart() override;
  void take(const Event& event) override;

 private:
  void note(int step, const AxisSteps& what);
  void marksChanged();
  static QString eventsText(const AxisSteps& step);
  QString marksText(int step) const;

  static constexpr int kStretch = 64;
  const BreakpointList* m_breakpoints = nullptr;
  const Bookmarks* m_bookmarks = nullptr;
  std::deque<AxisSteps> m_steps;      // [0] is the first step's
  std::deque<AxisSteps> m_stretches;  // of each kStretch steps
  std::map<int, QString> m_stops;
  int m_shown = 0, m_changed = 0;  // rows that views know of; the first that differs from what they know
  StepRate m_rate;
  int m_numBlocks = 0;
};

}  // namespace vitrine
