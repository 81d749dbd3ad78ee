// PromptModel: the tokens of a prompt as rows, and what there is to say about them: whose words a token is,
// which line of the template wrote it, and what that line wrote in all.
//
// It belongs to no run. It has a session because views do; the session may be an empty one. Thread: the
// window's. Read next: seen_prompt.h, widgets/prompt/prompt_view.h.
#pragma once

#include <memory>
#include <set>

#include "widgets/prompt/seen_prompt.h"
#include "widgets/session/session_model.h"

namespace vitrine {

class PromptModel : public RowsModel<SeenToken> {
  Q_OBJECT
 public:
  // Whose a token is, in the order of the bar.
  enum class Owner : std::uint8_t { kSystem, kUser, kModel, kOther, kTemplate };
  static constexpr int kOwners = 5;

  explicit PromptModel(Session* session, QObject* parent = nullptr);

  void setPrompt(std::shared_ptr<const SeenPrompt> prompt);  // null: none
  const SeenPrompt& prompt() const { return *m_prompt; }

  Owner owner(int row) const;
  static Owner ownerOf(const std::string& role);  // of a message's words
  int count(Owner owner) const { return m_counts[static_cast<std::size_t>(owner)]; }
  // What stands beside the line that a message begins with: "2 user", "answer"; empty for other tokens.
  QString heading(int row) const;
  bool opensGroup(int row) const;  // a message, or the generation prompt, begins with it
  bool isOfAnswer(int row) const { return m_prompt->answerBegins >= 0 && row >= m_prompt->answerBegins; }
  int writer(int row) const { return row < 0 || row >= rowCount() ? -1 : at(row).writer; }
  std::set<int> writersIn(int line) const;
  int templateLine(int row) const;  // 0: none, the tokenizer put it there
  int firstThatDiffers() const;     // from the prompt before; -1: none, or there is nothing before

  // "Token 12 of 61: "Hello", id 9707. The words of message 2, user, by line 9."
  QString describe(int row) const;
  // "Line 9 wrote this: the role and the words of message 3, and text of its own."
  QString whatWrote(int row) const;
  // "Line 9 wrote 24 tokens, in 3 messages."
  QString whatLineWrote(int line) const;

  // "The template leaves out: message 3 (tool) “22 degrees”; message 5 (tool) “Rain.”" Empty: nothing is.
  QString whatIsLeftOut() const;
  // "The first 143 tokens are those of the last prompt and its answer: the KV can be taken from the prefix
  // cache, in whole blocks. Token 144 differs: the template drops earlier thoughts." Empty: nothing is known.
  QString whatIsShared() const;

 protected:
  const TableColumns& columns() const override;
  QVariant otherData(const QModelIndex& index, int role) const override;
  void refresh() override {}

 private:
  QString messageName(int message) const;  // "message 3, user"

  std::shared_ptr<const SeenPrompt> m_prompt;
  int m_counts[kOwners] = {};
};

// The name of whose words they are, for a legend.
QString ownerName(PromptModel::Owner owner);

}  // namespace vitrine
