// KeptTree: the tree of a chat's messages without those that were removed. What follows a removed message
// follows the nearest message above it that is kept.
//
// Thread: values. Read next: history_store.h.
#pragma once

#include <map>
#include <vector>

#include "chat_record.h"

namespace vitrine {

struct TreeMessage {
  MessageId id = 0, parent = 0;  // parent: as it is written, removed or not; 0: a root
  bool removed = false;
};

class KeptTree {
 public:
  explicit KeptTree(const std::vector<TreeMessage>& messages);  // parents before children

  bool has(MessageId id) const;            // and it is not removed
  bool isRemoved(MessageId id) const;      // and it is there
  MessageId parentOf(MessageId id) const;  // also of a removed one; 0: a root, or no message
  // The leaf that choosing `id` shows: the newest message below each message on the way. 0: it has not `id`.
  MessageId leafBelow(MessageId id) const;
  // The leaf to show in the place of this one: itself if it is kept; else that of the version beside the
  // first message on the way to it that is gone, the older one before the newer one; else what is above.
  MessageId leafInPlaceOf(MessageId leaf) const;
  // Of each message, removed or not, which of these stand above it: their ids, joined by XOR. Those with none
  // are left out.
  std::map<MessageId, std::int64_t> joinedAbove(const std::vector<MessageId>& messages) const;

 private:
  struct Place {
    MessageId written = 0, parent = 0;
    bool removed = false;
  };

  std::map<MessageId, Place> m_places;
  std::map<MessageId, std::vector<MessageId>> m_children;  // kept ones, in their order; 0: the roots
};

}  // namespace vitrine
