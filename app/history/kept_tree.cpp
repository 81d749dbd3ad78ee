#include "kept_tree.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace vitrine {

KeptTree::KeptTree(const std::vector<TreeMessage>& messages) {
  for (const TreeMessage& message : messages) {
    const auto above = m_places.find(message.parent);
    const bool skipped = above != m_places.end() && above->second.removed;
    const MessageId parent = skipped ? above->second.parent : message.parent;
    m_places[message.id] = {message.parent, parent, message.removed};
    if (!message.removed) m_children[parent].push_back(message.id);
  }
}

bool KeptTree::has(MessageId id) const {
  const auto found = m_places.find(id);
  return found != m_places.end() && !found->second.removed;
}

bool KeptTree::isRemoved(MessageId id) const {
  const auto found = m_places.find(id);
  return found != m_places.end() && found->second.removed;
}

MessageId KeptTree::parentOf(MessageId id) const {
  const auto found = m_places.find(id);
  return found == m_places.end() ? 0 : found->second.parent;
}

MessageId KeptTree::leafBelow(MessageId id) const {
  if (!has(id)) return 0;
  MessageId leaf = id;
  for (auto below = m_children.find(leaf); below != m_children.end(); below = m_children.find(leaf))
    leaf = std::ranges::max(below->second);
  return leaf;
}

MessageId KeptTree::leafInPlaceOf(MessageId leaf) const {
  if (has(leaf)) return leaf;
  const MessageId above = parentOf(leaf);
  MessageId gone = leaf;  // the first one on the way from `above`
  for (auto place = m_places.find(leaf); place != m_places.end() && place->second.removed;
       place = m_places.find(place->second.written))
    gone = place->first;
  const auto versions = m_children.find(above);
  if (versions == m_children.end()) return above;
  const auto newer = std::ranges::lower_bound(versions->second, gone);
  return leafBelow(newer == versions->second.begin() ? *newer : *std::prev(newer));
}

// A child's id is above its parent's, so each parent is met before its children.
std::map<MessageId, std::int64_t> KeptTree::joinedAbove(const std::vector<MessageId>& messages) const {
  const std::set<MessageId> wanted(messages.begin(), messages.end());
  std::map<MessageId, std::int64_t> joined;
  for (const auto& [id, place] : m_places) {
    const auto above = joined.find(place.written);
    const std::int64_t ids =
        (above == joined.end() ? 0 : above->second) ^ (wanted.contains(place.written) ? place.written : 0);
    if (ids != 0) joined[id] = ids;
  }
  return joined;
}

}  // namespace vitrine
