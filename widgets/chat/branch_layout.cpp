#include "widgets/chat/branch_layout.h"

#include <map>

namespace vitrine {
namespace {

using Children = std::map<std::int64_t, std::vector<std::size_t>>;

// The stretch that begins with a message.
BranchRow stretchFrom(std::size_t first, const std::vector<BranchMessage>& messages,
                      const Children& children) {
  BranchRow row;
  row.messages = 0;
  for (std::size_t at = first;;) {
    row.last = at;
    ++row.messages;
    if (messages[at].isAnswer) row.lastAnswer = static_cast<int>(at);
    if (messages[at].isAnswer && row.firstAnswer < 0) row.firstAnswer = static_cast<int>(at);
    const auto below = children.find(messages[at].id);
    row.isLeaf = below == children.end();
    if (row.isLeaf || below->second.size() > 1) break;
    at = below->second.front();
  }
  row.first = first;
  return row;
}

struct Pending {
  std::size_t message = 0;
  int above = -1;
  bool isLast = true, isOther = false;
};

// The last one first, since they are taken from the end.
void addPending(std::vector<Pending>& pending, const std::vector<std::size_t>& siblings, int above) {
  for (std::size_t i = siblings.size(); i-- > 0;)
    pending.push_back({siblings[i], above, i + 1 == siblings.size(), i > 0});
}

}  // namespace

std::vector<BranchRow> branchRows(const std::vector<BranchMessage>& messages) {
  Children children;
  for (std::size_t i = 0; i < messages.size(); ++i) children[messages[i].parent].push_back(i);
  std::vector<BranchRow> rows;
  std::vector<Pending> pending;
  if (const auto roots = children.find(0); roots != children.end()) addPending(pending, roots->second, -1);
  while (!pending.empty()) {
    const Pending next = pending.back();
    pending.pop_back();
    BranchRow row = stretchFrom(next.message, messages, children);
    row.above = next.above;
    row.isLast = next.isLast;
    row.isOther = next.isOther;
    if (row.above >= 0) {
      const BranchRow& above = rows[static_cast<std::size_t>(row.above)];
      row.column = above.column + 1;
      row.lines = above.lines;
      row.lines.push_back(!row.isLast);
    }
    const int index = static_cast<int>(rows.size());
    if (!row.isLeaf) addPending(pending, children.at(messages[row.last].id), index);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::int64_t sharedTokens(const std::vector<BranchMessage>& messages, const std::vector<BranchRow>& rows) {
  std::int64_t tokens = 0;
  for (const BranchRow& row : rows)
    if (row.isOther && row.firstAnswer >= 0)
      tokens += messages[static_cast<std::size_t>(row.firstAnswer)].cachedTokens;
  return tokens;
}

}  // namespace vitrine
