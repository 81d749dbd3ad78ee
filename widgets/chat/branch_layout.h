// The rows of a chat's tree: each a stretch of messages without a fork, parents above, siblings in their
// order below each other and one column further right. No Qt. Thread: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vitrine {

struct BranchMessage {
  std::int64_t id = 0, parent = 0;  // parent 0: a root
  bool isAnswer = false, isShown = false;
  int cachedTokens = 0, promptTokens = 0;  // of an answer: of its prompt's tokens so many came from the cache
};

struct BranchRow {
  std::size_t first = 0, last = 0;  // indices of messages: of the stretch
  int messages = 1, column = 0;
  int above = -1;                         // the row that it hangs on
  bool isLast = true;                     // no sibling below it
  bool isLeaf = true;                     // no message follows the stretch
  bool isOther = false;                   // not the first one of its siblings
  std::vector<bool> lines = {};           // for each column left of its own: a line to a later row passes
  int firstAnswer = -1, lastAnswer = -1;  // indices of messages in the stretch; -1: none
};

// `messages` has parents before children, as ChatRecord. Takes time and memory that grow with their number,
// and with the rows' columns.
std::vector<BranchRow> branchRows(const std::vector<BranchMessage>& messages);

// Tokens that other branches took from the cache in place of computing them again: those of the first answer
// of each stretch that is not the first of its siblings.
std::int64_t sharedTokens(const std::vector<BranchMessage>& messages, const std::vector<BranchRow>& rows);

}  // namespace vitrine
