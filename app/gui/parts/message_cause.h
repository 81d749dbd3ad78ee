// MessageCause: what a message of the bar is about. A message stays for as long as its cause does: until the
// part of the program that said it says that the cause has ended, a newer message of the same cause comes, or
// a person closes it. No other message and no other event takes it away.
//
// Thread: values. Read next: message_bar.h.
#pragma once

#include <cstdint>

namespace vitrine {

enum class MessageCause : std::uint8_t {
  kChatsFile,       // chats are not kept; until their file works
  kMachine,         // a request or a step failed; until another machine or recording is there
  kRecording,       // it goes on in memory; until another one begins
  kPast,            // a part of the recording is lost; until another one begins
  kOpening,         // the last thing that was to be opened; until another is
  kOpened,          // what is open is not whole; until something else is open
  kBuiltinInstead,  // the built-in model is open in the place of another; until something else is open
  kTemplate,        // the open model's chat template is not known; until something else is open
  kUnused,          // tensors of its files that are not used; until something else is open
  kSaving,          // a trace that could not be saved; until one is
  kDraft,           // a draft model, offered or in use; until another model is open
  kModels,          // what the window of models did out of sight
  kChat,            // what was asked of a chat
  kBranch,          // a branch that cannot be computed
  kDownload,        // in the window of models; until something new is downloaded
  kChoice,          // there: a model that cannot be loaded; until one can
  kTensor,  // in the window that looks inside: one that cannot be read; until something else is looked at
};

}  // namespace vitrine
