// The tables of a history file, their version, and the way from one version to the next.
//
// The version is SQLite's user_version; application_id says that the file is ours. A new version is one more
// list of statements in history_schema.cpp. Thread: the database's. Read next: history_store.h.
#pragma once

#include <span>

#include "history_database.h"

namespace vitrine {

// What leads from one version to the next: its statements, one after the other.
using Migration = std::span<const char* const>;

// migrations()[n] leads from version n to n + 1, and version 0 is an empty file.
std::span<const Migration> migrations();
int newestSchemaVersion();

// Looks at a file without changing it. Returns its version, 0 for an empty one. Throws SqlFailure: kNewer,
// kForeign, kBroken, and what reading gives.
int checkedVersion(HistoryDatabase& database);

// Brings the database to the version of the last step, all of the way or none of it.
void migrate(HistoryDatabase& database, std::span<const Migration> steps);

}  // namespace vitrine
