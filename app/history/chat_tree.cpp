#include "chat_tree.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace vitrine {

// What a node hands down to the nodes below it.
struct ChatTree::Place {
  int node;
  MessageId parent;                       // the nearest message above that is kept
  std::optional<MessageRecord> thinking;  // without an answer yet
};

namespace {

std::size_t at(int node) { return static_cast<std::size_t>(node); }

}  // namespace

void ChatTree::add(Node node) {
  m_last = node.id;
  if (!m_places.contains(node.id)) m_places.insert(node.id, static_cast<int>(m_nodes.size()));
  m_nodes.push_back({.node = std::move(node)});
}

void ChatTree::append(std::vector<MessageRecord> messages) {
  add({.id = QString::number(m_nodes.size()), .parent = m_last, .messages = std::move(messages)});
}

void ChatTree::link() {
  for (int i = 0; i < static_cast<int>(m_nodes.size()); ++i) {
    const int parent = m_places.value(m_nodes[at(i)].node.parent, -1);
    m_nodes[at(i)].parent = parent;
    if (parent >= 0) m_nodes[at(parent)].children.push_back(i);
  }
  for (Linked& node : m_nodes) {
    if (node.children.size() < 2 || node.node.children.isEmpty()) continue;
    QHash<int, int> order;
    for (const QString& child : node.node.children)
      order.insert(m_places.value(child, -1), static_cast<int>(order.size()));
    const int behind = static_cast<int>(node.node.children.size());
    std::ranges::stable_sort(node.children, {}, [&](int child) { return order.value(child, behind); });
  }
}

void ChatTree::put(MessageRecord message, Place& place, ChatRecord& chat) {
  if (message.text.trimmed().isEmpty() && message.thinking.trimmed().isEmpty()) {
    m_notes.add(ImportNote::kEmpty);
    return;
  }
  message.id = static_cast<MessageId>(chat.messages.size()) + 1;
  message.parent = place.parent;
  place.parent = message.id;
  chat.messages.push_back(std::move(message));
}

void ChatTree::putThinking(Place& place, ChatRecord& chat) {
  if (place.thinking) put(*std::exchange(place.thinking, std::nullopt), place, chat);
}

// Depth first without recursion: a chat may be deep.
void ChatTree::walk(int root, ChatRecord& chat) {
  std::vector<Place> open;
  open.push_back({root, 0, {}});
  while (!open.empty()) {
    Place place = std::move(open.back());
    open.pop_back();
    Linked& node = m_nodes[at(place.node)];
    if (std::exchange(node.seen, true)) continue;
    for (MessageRecord& message : node.node.messages) {
      const bool assistant = message.role == MessageRole::kAssistant;
      if (assistant && place.thinking) {
        const QString own = message.thinking;
        message.thinking = std::exchange(place.thinking, std::nullopt)->thinking;
        if (!own.isEmpty()) message.thinking += QStringLiteral("\n\n") + own;
      }
      if (message.role == MessageRole::kUser) putThinking(place, chat);
      if (assistant && message.text.trimmed().isEmpty() && !message.thinking.isEmpty())
        place.thinking = std::move(message);
      else
        put(std::move(message), place, chat);
    }
    if (node.children.empty()) putThinking(place, chat);
    node.message = place.parent;
    for (auto child = node.children.rbegin(); child != node.children.rend(); ++child)
      open.push_back({*child, place.parent, place.thinking});
  }
}

void ChatTree::liftInstructions(ChatRecord& chat) {
  if (!chat.settings.instructions.isEmpty() || chat.messages.empty() || chat.children(0).size() != 1) return;
  const MessageRecord first = chat.messages.front();
  if (first.role != MessageRole::kSystem) return;
  chat.settings.instructions = first.text;
  chat.messages.erase(chat.messages.begin());
  for (MessageRecord& message : chat.messages) {
    --message.id;
    if (message.parent != 0) --message.parent;
  }
  if (chat.shownLeaf != 0) --chat.shownLeaf;
}

void ChatTree::finish(ChatRecord& chat, const QString& shown) {
  link();
  for (int i = 0; i < static_cast<int>(m_nodes.size()); ++i)
    if (m_nodes[at(i)].parent < 0) walk(i, chat);
  for (int i = 0; i < static_cast<int>(m_nodes.size()); ++i) walk(i, chat);  // circles, in damaged files
  if (const int place = m_places.value(shown, -1); place >= 0) chat.shownLeaf = m_nodes[at(place)].message;
  liftInstructions(chat);
}

}  // namespace vitrine
