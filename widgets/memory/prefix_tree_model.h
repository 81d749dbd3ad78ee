// PrefixTreeModel: the prefix cache at the cursor as the tree that its chains are, a row for each node,
// parents before their children. A node is a cached block with all that follow it up to the next branch.
// Blocks that the step shown has evicted stay for that step.
//
// Source of the idea: the radix tree of SGLang (arXiv 2312.07104), over the chained hashes of blocks of vLLM.
// The chains come from BlockMapModel, which knows them also while it rests; of each hit this model keeps four
// bytes. The tree is built anew when the set of cached blocks has changed, at n log n for its order. Thread:
// the window's. Read next: prefix_chains.h.
#pragma once

#include <unordered_map>

#include "widgets/memory/block_map_model.h"

namespace vitrine {

struct PrefixHolder {
  RequestId request = 0;
  int blocks = 0;  // of the node's

  bool operator==(const PrefixHolder&) const = default;
};

// What is known of the tokens before a node that has no parent in the tree.
enum class PrefixBefore : std::uint8_t { kNothing, kEvicted, kUnknown };  // kNothing: it begins a prompt

struct PrefixRow {
  std::vector<BlockId> blocks;  // the chain, in the order of the tokens
  std::uint64_t hash = 0;       // of the chain up to its first block
  int parent = -1, depth = 0;
  std::uint64_t through = 0;  // bit d: a line to a later child of the ancestor at depth d passes this row
  bool isLast = true;         // of its parent's children
  int hits = 0;               // how often its first block was found, until the cursor
  bool hitNow = false, newNow = false;  // some of its blocks, in the step shown
  bool evicted = false;                 // in the step shown
  PrefixBefore before = PrefixBefore::kNothing;
  std::vector<PrefixHolder> holders;  // by request

  bool operator==(const PrefixRow&) const = default;
};

class PrefixTreeModel : public RowsModel<PrefixRow> {
  Q_OBJECT
 public:
  explicit PrefixTreeModel(const BlockMapModel* blocks, QObject* parent = nullptr);

  int blockSize() const { return session()->state().blockSize; }
  int cachedBlocks() const { return m_cached; }
  int maxDepth() const { return m_depth; }
  QString summary() const;             // "12 cached blocks · 7 in use"
  QString textOf(int row) const;       // its first words; in words when its tokens are not known
  QString sizeText(int row) const;     // "3 blocks · 48 tokens"
  QString changeText(int row) const;   // "hit now", "new", "evicted", "free"; empty for a node that is in use
  QString holdersText(int row) const;  // "A, B 2 of 3"
  QString describe(int row) const;     // a few lines for a tooltip or a screen reader
  int rowOf(BlockId block) const;      // -1: the block is not in the tree

 protected:
  const TableColumns& columns() const override;
  QVariant otherData(const QModelIndex& index, int role) const override;
  void refresh() override;
  void restart() override;
  void take(const Event& event) override;

 private:
  struct Node {
    BlockId block = 0;
    std::uint64_t hash = 0;
    bool evicted = false;
    int serial = -1, parent = -1, firstChild = -1, lastChild = -1, next = -1;
    PrefixBefore before = PrefixBefore::kNothing;
    bool isBack = false;  // evicted, and in the tree again
  };

  std::vector<Node> nodes() const;
  void link(std::vector<Node>& nodes) const;
  std::vector<PrefixRow> rowsOf(const std::vector<Node>& nodes) const;
  PrefixRow rowAt(const Node& node, const PrefixRow* parent) const;
  void noteRows(const std::vector<PrefixRow>& rows);
  void addHolders(std::vector<PrefixRow>& rows) const;
  void markStep(std::vector<PrefixRow>& rows) const;
  int hitsOf(std::uint64_t hash) const;

  const BlockMapModel* m_blocks;
  std::unordered_map<std::uint64_t, std::vector<std::int32_t>> m_hits;  // the steps of each, by hash
  std::vector<int> m_rowOf;                                             // by block; -1: none
  int m_cached = 0, m_depth = 0;
  bool m_isLive = false, m_isOther = true;  // of the last refresh; since then another set of blocks
};

}  // namespace vitrine
