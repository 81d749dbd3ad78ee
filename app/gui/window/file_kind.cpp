#include "gui/window/file_kind.h"

#include <QFileInfo>

#include "bench_results/bench_results.h"
#include "gui/parts/file_head.h"
#include "history/chat_import.h"
#include "lessons/lesson_text.h"
#include "scenarios/scenario.h"
#include "vitrine/error.h"
#include "vitrine/files.h"
#include "vitrine/gguf_name.h"

namespace vitrine {

namespace {

constexpr std::size_t kMostLookedAt = std::size_t{8} << 20;

bool isBenchResults(const QString& path) {
  try {
    return looksLikeBenchResults(readWholeFile(path.toStdString(), kMostBenchBytes));
  } catch (const EngineError&) {
    return false;
  }
}

bool isLesson(const QString& path) {
  try {
    return looksLikeLesson(readWholeFile(path.toStdString(), kMostLessonBytes));
  } catch (const EngineError&) {
    return false;
  }
}

}  // namespace

bool isByContents(FileKind kind, const QString& path) {
  if (kind == FileKind::kTrace) {
    constexpr std::size_t kHeader = 1024;  // the format stands first in the first line
    const std::string head = fileHead(path, kHeader);
    return head.empty() || head.find("\"vitrine-trace\"") != std::string::npos;
  }
  if (kind != FileKind::kScenario) return true;
  try {
    return looksLikeScenario(readWholeFile(path.toStdString(), kMostLookedAt));
  } catch (const EngineError&) {
    return true;
  }
}

bool isForChat(const QString& path) {
  const FileKind kind = fileKind(path);
  return kind == FileKind::kOther || !isByContents(kind, path);
}

FileKind fileKind(const QString& path) {
  const QFileInfo file(path);
  const QString ending = file.suffix().toLower();
  // Contains, not ends: what a killed program left of a trace has an ending behind it.
  if (file.fileName().contains(QLatin1String(".vitrine"))) return FileKind::kTrace;
  if (file.isDir() || isGgufName(path.toStdString())) return FileKind::kModel;
  if (ending == u"md") return isLesson(path) ? FileKind::kLesson : FileKind::kOther;
  if (ending != u"json" && ending != u"jsonl" && ending != u"zip") return FileKind::kOther;
  if (ending == u"json" && isBenchResults(path)) return FileKind::kBenchResults;
  const bool isLarge = ending != u"zip" && file.size() > static_cast<qint64>(kMostLookedAt);
  if (file.isFile() && (isLarge || looksLikeChats(path.toStdString(), kMostLookedAt)))
    return FileKind::kChats;
  return ending == u"json" ? FileKind::kScenario : FileKind::kOther;
}

}  // namespace vitrine
