// The file of chats, and what SQLite writes beside it, is readable by its owner alone.
//
// SQLite gives -wal, -shm and -journal the rights that the file has when it makes them. Thread: any.
#pragma once

#include <QString>

namespace vitrine {

// An empty file where there is none, which is a database without tables. What cannot be made is left to
// SQLite, which says why.
void makePrivateFile(const QString& file);

// Takes the rights of others from the file and from what lies beside it. Of a file of another owner it
// cannot.
void takeRightsOfOthers(const QString& file);

}  // namespace vitrine
