// Chats from one database to another of the same version: from a file that cannot be written to memory, and
// back when it can. Thread: the databases'.
#pragma once

#include "chat_record.h"
#include "history_database.h"

namespace vitrine {

// All that can be read. False: some could not. `to` must be empty and have the tables.
bool copyAll(HistoryDatabase& from, HistoryDatabase& to);

// `to` then has of this chat what `from` has: perhaps nothing. Part of the caller's transaction on `to`.
// Throws SqlFailure.
void replaceChat(HistoryDatabase& from, HistoryDatabase& to, ChatId chat);

}  // namespace vitrine
