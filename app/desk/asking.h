// Asking: how a chat is told to the model's chat template. Thread: values. Read next: vitrine/chat_format.h.
#pragma once

#include <QStringList>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "history/chat_record.h"
#include "vitrine/chat_format.h"

namespace vitrine {

class Desk;

struct Asking {
  std::vector<ChatMend> mends = {};   // the possible mends where the template refuses
  bool typedMarks = false;            // special tokens that a person types count as such
  std::optional<bool> thinking = {};  // whether the model thinks first; nothing: as the window says

  std::string effort = {};  // of its reasoning: one of reasoningEfforts(); empty: as the template does

  void tell(Dialogue& dialogue) const;  // all of it, thinking where it is said
  bool operator==(const Asking&) const = default;
};

const std::vector<std::string>& reasoningEfforts();  // the least first

// As ChatSettings::asking has it. Words of a later version are left out.
Asking askingOf(const QStringList& words);
QStringList toWords(const Asking& asking);
// Of one chat, for its next questions.
void changeAsking(Desk& desk, ChatId chat, const std::function<void(Asking&)>& change);

}  // namespace vitrine
