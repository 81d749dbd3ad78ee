// ChatTree: a chat out of nodes that name their parents, as most programs write branches.
//
// A node has any number of messages, one below the other: none for a root that carries nothing. What is empty
// is left out, and what hangs below it goes to the nearest message above. Thinking in an assistant's message
// of its own belongs to the answer below it. A system message that all branches begin with becomes the chat's
// instructions, for only these are read by prompts. Thread: values.
#pragma once

#include <QHash>
#include <QStringList>
#include <vector>

#include "chat_record.h"
#include "import_report.h"

namespace vitrine {

class ChatTree {
 public:
  struct Node {
    QString id;
    QString parent = {};        // unknown: a root
    QStringList children = {};  // their order; those that it does not name stand behind
    std::vector<MessageRecord> messages = {};
  };

  explicit ChatTree(ImportNotes& notes) : m_notes(notes) {}

  // Of two nodes with the same id, the second one cannot be named as a parent.
  void add(Node node);
  // Below the node that was added last.
  void append(std::vector<MessageRecord> messages);
  const QString& last() const { return m_last; }

  // Makes the chat's messages, once; the branch of the node `shown` is the shown one.
  void finish(ChatRecord& chat, const QString& shown);

 private:
  struct Place;

  void link();
  void walk(int root, ChatRecord& chat);
  void put(MessageRecord message, Place& place, ChatRecord& chat);
  void putThinking(Place& place, ChatRecord& chat);
  static void liftInstructions(ChatRecord& chat);

  struct Linked {
    Node node;
    std::vector<int> children = {};
    int parent = -1;
    bool seen = false;
    MessageId message = 0;  // the last of its own, or the nearest one above
  };

  ImportNotes& m_notes;
  std::vector<Linked> m_nodes;
  QHash<QString, int> m_places;
  QString m_last;
};

}  // namespace vitrine
