// The formats of chats that an import knows, each one a ChatSource. The list of them is the only one: the
// file dialog's kinds and the words of a refusal are made of it.
//
// A source recognises a document by its whole shape, never by one key: programs use the same keys for
// different things. Thread: any; no state. Read next: foreign_message.h, chat_tree.h.
#pragma once

#include <string>
#include <vector>

#include "chat_record.h"
#include "import_report.h"
#include "json_members.h"

namespace vitrine {

class ChatSource {
 public:
  struct Format {
    const char* program;
    const char* files;    // how its exports are called
    const char* endings;  // of their names, with blanks between
  };

  virtual ~ChatSource() = default;
  virtual Format format() const = 0;
  // The document as a tree: JSON, or the list of the lines of JSON Lines.
  virtual bool recognises(const Json& document) const = 0;
  // Takes whatever the JSON is, once it is recognised. What is missing or of a wrong kind is left out. Ids
  // are 1, 2, ... within each chat. Throws EngineError for what a format itself forbids.
  virtual std::vector<ChatRecord> read(const Json& document, ImportNotes& notes) const = 0;
};

// A document that is one chat, a list of chats, or such a list as "conversations".
class ChatListSource : public ChatSource {
 public:
  bool recognises(const Json& document) const override;
  std::vector<ChatRecord> read(const Json& document, ImportNotes& notes) const override;

 protected:
  virtual bool isChat(const Json& entry) const = 0;
  virtual ChatRecord chatOf(const Json& entry, ImportNotes& notes) const = 0;
};

template <class Source>
const ChatSource& theOnly() {
  static const Source source;
  return source;
}

const ChatSource& vitrineChats();
const ChatSource& chatGptChats();
const ChatSource& claudeChats();
const ChatSource& janChats();
const ChatSource& llamaCppChats();
const ChatSource& lmStudioChats();
const ChatSource& messageListChats();
const ChatSource& openWebUiChats();

const std::vector<const ChatSource*>& chatSources();
// nullptr: no source recognises the document.
const ChatSource* sourceOf(const Json& document);
// For a refusal: "ChatGPT (its ZIP or conversations*.json), Claude (...), ... or Vitrine (...)".
std::string chatFormatsInWords();
// For a file dialog: "*.json *.jsonl *.zip".
std::string chatFilePatterns();

}  // namespace vitrine
