// fileHead: the first bytes of a file, which tell its kind. Thread: any. Never waits for a pipe, never
// throws.
#pragma once

#include <QString>
#include <string>

namespace vitrine {

// Fewer bytes of a shorter file; none of what is no plain file or cannot be read: opening it says why.
std::string fileHead(const QString& path, std::size_t bytes);

}  // namespace vitrine
