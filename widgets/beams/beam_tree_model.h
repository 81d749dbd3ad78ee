// BeamTreeModel: the tree of the selected request's beam search at the cursor, a row for each node. When that
// request does not search, the tree is the newest search's.
//
// Of each search of the run it keeps the places of its BeamStep events, eight bytes a step; the tree of the
// one that is shown is read from the recording, and a new step is added to it. Its size: beam_tree.h.
// Thread: the window's. Read next: beam_tree.h.
#pragma once

#include <map>
#include <optional>

#include "widgets/beams/beam_tree.h"
#include "widgets/session/session_model.h"

namespace vitrine {

class BeamTreeModel : public SessionModel {
  Q_OBJECT
 public:
  explicit BeamTreeModel(Session* session, QObject* parent = nullptr);

  RequestId request() const { return m_request; }  // 0: there is no search
  const BeamTree& tree() const { return m_tree; }
  const BeamNode& at(int node) const { return m_tree.at(node); }
  // Another one is another tree; in one generation only the last columns come and go.
  int generation() const { return m_generation; }
  QString summary() const;  // "A · width 3 · length penalty 1.0"

  // The sequence that has, or last had, the tokens up to the node; 0: none.
  SequenceId sequenceOf(int node) const;
  // Where the keys and values of the path to the node lie: the blocks of the best beam that has the longest
  // part of the path. Without a beam in the pool there are none.
  std::vector<BlockId> blocksOf(int node) const;
  prose::Target targetOf(int node) const;
  int nodeOf(SequenceId sequence) const;  // the beam or answer that it carries; -1: none

  QString textOf(int node) const;       // readable, "#12" for a token without text
  QString fateWord(int node) const;     // "pruned"; empty for a beam that goes on
  QString describe(int node) const;     // a few lines for a tooltip or a screen reader
  QString describeStep(int col) const;  // the same of a column's step

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : m_rows; }

 protected:
  const TableColumns& columns() const override;
  QVariant otherData(const QModelIndex& index, int role) const override;
  void refresh() override;
  void restart() override;
  void take(const Event& event) override;

 private:
  struct Chosen {
    std::int64_t place = 0;  // of its event in the recording
    SequenceId sequence = 0;
    int hypothesis = 0;
  };
  struct Search {
    std::int64_t begin = 0;  // the place of its submission
    int width = 1;
    std::optional<double> lengthPenalty;  // empty: submitted before the recording began
    std::vector<std::int64_t> steps;      // the places of its BeamStep events
    std::vector<Chosen> chosen;           // its answers
  };

  void addSearch(RequestId request, SequenceId first, Search search);
  void takeSnapshot(const MachineState& state);
  RequestId wanted(std::int64_t end) const;
  void follow(const Search& search);
  bool readStep(std::int64_t place);
  const Search* search() const;
  SequenceId chosenFor(int hypothesis) const;
  QString whyOf(int node) const;
  QString whyNotKept(int node) const;
  QString whyDeadEnd(int node) const;
  QString endOf(const BeamColumn& column) const;

  std::map<RequestId, Search> m_searches;
  std::map<SequenceId, RequestId> m_requestOf;  // of their sequences
  std::int64_t m_taken = 0, m_end = 0;          // events: taken, and included in what is shown
  RequestId m_request = 0;
  BeamTree m_tree;
  int m_rows = 0;  // as views have them
  int m_generation = 0;
  bool m_isOtherRun = false;
};

}  // namespace vitrine
