#include <QHash>
#include <algorithm>

#include "foreign_chats.h"

namespace vitrine {

namespace {

struct Node {
  const Json* json = nullptr;
  std::vector<int> children;
  int parent = -1;
  bool seen = false;
};

// What a node hands down to the nodes below it.
struct Place {
  int node;
  MessageId parent;  // the nearest message above that is kept
  QString thinking;  // stands in a node of its own, above the answer
};

QString fenced(const QString& text, const QString& language) {
  return text.isEmpty() ? QString() : "```" + language + '\n' + text + "\n```";
}

QString partsOf(const Json& content) {
  QString text;
  const Json& parts = memberOf(content, "parts");
  if (!parts.is_array()) return text;
  for (const Json& part : parts) {
    if (part.is_string())
      appendParagraph(text, textIn(part));
    else if (textOf(part, "content_type") == "image_asset_pointer")
      appendParagraph(text, QStringLiteral("[picture]"));
    else
      appendParagraph(text, textOf(part, "text"));  // speech, written down
  }
  return text;
}

QString thoughtsOf(const Json& content) {
  QString text;
  const Json& thoughts = memberOf(content, "thoughts");
  if (!thoughts.is_array()) return text;
  for (const Json& thought : thoughts) {
    appendParagraph(text, textOf(thought, "summary"));
    appendParagraph(text, textOf(thought, "content"));
  }
  return text;
}

QString textOfContent(const Json& content) {
  const QString kind = textOf(content, "content_type");
  if (kind == "thoughts" || kind == "reasoning_recap" || kind.endsWith("editable_context")) return {};
  if (kind == "code") {
    const QString language = textOf(content, "language");
    return fenced(textOf(content, "text"), language == "unknown" ? QString() : language);
  }
  if (kind == "execution_output") return fenced(textOf(content, "text"), {});
  QString text = partsOf(content);
  appendParagraph(text, textOf(content, "text"));
  if (text.isEmpty()) text = textOf(content, "result");
  return text;
}

class Conversation {
 public:
  explicit Conversation(const Json& json) : m_json(json) { readNodes(); }

  ChatRecord take() {
    m_chat.summary.title = textOf(m_json, "title");
    m_chat.summary.createdMs = wholeOf(m_json, "create_time", 1000);
    m_chat.summary.changedMs = wholeOf(m_json, "update_time", 1000);
    m_chat.summary.archived = flagOf(m_json, "is_archived");
    m_chat.summary.pinned = memberOf(m_json, "pinned_time").is_number();
    for (int node = 0; node < size(); ++node)
      if (m_nodes[at(node)].parent < 0) walk(node);
    for (int node = 0; node < size(); ++node) walk(node);  // circles, which only a damaged file has
    m_chat.shownLeaf = m_idOf.value(m_places.value(textOf(m_json, "current_node"), -1), 0);
    return std::move(m_chat);
  }

 private:
  static std::size_t at(int node) { return static_cast<std::size_t>(node); }
  int size() const { return static_cast<int>(m_nodes.size()); }

  void readNodes() {
    for (const auto& [id, node] : memberOf(m_json, "mapping").items()) {
      m_places.insert(QString::fromStdString(id), size());
      m_nodes.push_back({.json = &node, .children = {}});
    }
    for (int node = 0; node < size(); ++node) {
      m_nodes[at(node)].parent = m_places.value(textOf(*m_nodes[at(node)].json, "parent"), -1);
      if (m_nodes[at(node)].parent >= 0) m_nodes[at(m_nodes[at(node)].parent)].children.push_back(node);
    }
    for (Node& node : m_nodes) sortChildren(node);
  }

  // In the order of the node's own list; those that it does not name stand behind.
  void sortChildren(Node& node) {
    const Json& listed = memberOf(*node.json, "children");
    if (!listed.is_array() || node.children.size() < 2) return;
    QHash<int, int> order;
    for (const Json& child : listed)
      order.insert(m_places.value(textIn(child), -1), static_cast<int>(order.size()));
    const int last = static_cast<int>(listed.size());
    std::ranges::stable_sort(node.children, {}, [&](int child) { return order.value(child, last); });
  }

  // Depth first without recursion: a chat may be deep.
  void walk(int root) {
    std::vector<Place> open;
    open.push_back({root, 0, {}});
    while (!open.empty()) {
      Place place = std::move(open.back());
      open.pop_back();
      Node& node = m_nodes[at(place.node)];
      if (std::exchange(node.seen, true)) continue;
      const Json& message = memberOf(*node.json, "message");
      if (message.is_object()) take(message, place);
      m_idOf.insert(place.node, place.parent);
      for (auto child = node.children.rbegin(); child != node.children.rend(); ++child)
        open.push_back({*child, place.parent, place.thinking});
    }
  }

  void take(const Json& json, Place& place) {
    const Json &content = memberOf(json, "content"), &metadata = memberOf(json, "metadata");
    appendParagraph(place.thinking, thoughtsOf(content));
    appendParagraph(m_chat.settings.instructions, textOf(content, "user_instructions"));
    MessageRecord message;
    message.text = textOfContent(content);
    if (message.text.isEmpty() || flagOf(metadata, "is_visually_hidden_from_conversation")) return;
    message.id = static_cast<MessageId>(m_chat.messages.size()) + 1;
    message.parent = place.parent;
    message.role = roleNamed(textOf(memberOf(json, "author"), "role"));
    message.createdMs = wholeOf(json, "create_time", 1000);
    if (message.role == MessageRole::kAssistant) {
      message.thinking = std::exchange(place.thinking, {});
      message.provenance.model = textOf(metadata, "model_slug");
      const QString status = textOf(json, "status");
      if (!status.isEmpty() && status != "finished_successfully") message.state = MessageState::kStopped;
    }
    place.parent = message.id;
    m_chat.messages.push_back(std::move(message));
  }

  const Json& m_json;
  std::vector<Node> m_nodes;
  QHash<QString, int> m_places;
  QHash<int, MessageId> m_idOf;  // of a node: its message, or the nearest one above
  ChatRecord m_chat;
};

}  // namespace

bool looksLikeChatGpt(const Json& conversation) { return memberOf(conversation, "mapping").is_object(); }

ChatRecord chatGptChat(const Json& conversation) { return Conversation(conversation).take(); }

}  // namespace vitrine
