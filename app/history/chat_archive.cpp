#include "chat_archive.h"

#include <zip.h>

#include <QFile>
#include <QFileInfo>
#include <memory>
#include <vector>

#include "vitrine/error.h"

namespace vitrine {

namespace {

constexpr std::size_t kPiece = 256 << 10;
constexpr zip_int64_t kMostFiles = 1'000'000;
constexpr const char* kExportAgain = "Download or export the archive once more.";

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using Archive = std::unique_ptr<zip_t, Discard>;
using OpenFile = std::unique_ptr<zip_file_t, Discard>;

Archive open(const std::filesystem::path& file) {
  int code = 0;
  Archive archive(zip_open(file.c_str(), ZIP_RDONLY, &code));
  if (archive) return archive;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string words = zip_error_strerror(&error);
  zip_error_fini(&error);
  throw EngineError(ErrorCode::kFileCorrupt, "the ZIP archive cannot be read: " + words, kExportAgain);
}

std::string nameOf(const char* path) {
  const std::string all = path == nullptr ? "" : path;
  return all.substr(all.find_last_of("/\\") + 1);
}

bool isOfChats(const std::string& name) { return name.ends_with(".json") || name.ends_with(".jsonl"); }

class Reader {
 public:
  Reader(Archive archive, const std::atomic<bool>* cancelled, const ArchiveBounds& bounds)
      : m_archive(std::move(archive)), m_cancelled(cancelled), m_bounds(bounds) {}

  void read(const std::function<void(ArchivedFile)>& take) {
    const zip_int64_t files = zip_get_num_entries(m_archive.get(), 0);
    if (files > kMostFiles)
      throw EngineError(ErrorCode::kFileCorrupt, "the ZIP archive has more than a million files",
                        "Unpack it, and choose the files with chats.");
    for (zip_int64_t i = 0; i < files; ++i) {
      const auto index = static_cast<zip_uint64_t>(i);
      ArchivedFile file{.name = nameOf(zip_get_name(m_archive.get(), index, ZIP_FL_ENC_GUESS))};
      if (!isOfChats(file.name)) continue;
      readOne(index, file);
      take(std::move(file));
    }
  }

 private:
  void readOne(zip_uint64_t index, ArchivedFile& file) {
    zip_stat_t about;
    zip_stat_init(&about);
    if (zip_stat_index(m_archive.get(), index, 0, &about) == 0 &&
        (about.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && about.encryption_method != ZIP_EM_NONE)
      throw EngineError(ErrorCode::kUnsupported, "the ZIP archive is encrypted",
                        "Unpack it with its password, and choose the files with chats.");
    const OpenFile opened(zip_fopen_index(m_archive.get(), index, 0));
    if (!opened) {
      file.fault = zip_strerror(m_archive.get());
      return;
    }
    std::vector<char> piece(kPiece);
    for (;;) {
      if (m_cancelled != nullptr && *m_cancelled)
        throw EngineError(ErrorCode::kCancelled, "the import was cancelled");
      const zip_int64_t count = zip_fread(opened.get(), piece.data(), piece.size());
      if (count == 0) return;
      if (count < 0) file.fault = zip_file_strerror(opened.get());
      if (count > 0 && file.bytes.size() + static_cast<std::size_t>(count) > m_bounds.file)
        file.fault = "it has more than " + std::to_string(m_bounds.file >> 20) + " MiB";
      if (!file.fault.empty()) {
        file.bytes = {};
        return;
      }
      file.bytes.append(piece.data(), static_cast<std::size_t>(count));
      m_unpacked += static_cast<std::size_t>(count);
      if (m_unpacked > m_bounds.all)
        throw EngineError(
            ErrorCode::kFileCorrupt,
            "the ZIP archive has more than " + std::to_string(m_bounds.all >> 20) + " MiB of JSON",
            "Unpack it, and import the files with chats one after the other.");
    }
  }

  Archive m_archive;
  const std::atomic<bool>* m_cancelled;
  const ArchiveBounds m_bounds;
  std::size_t m_unpacked = 0;
};

}  // namespace

bool isZip(const std::filesystem::path& path) {
  const QString name = QString::fromStdString(path.string());
  QFile file(name);
  if (!QFileInfo(name).isFile() || !file.open(QIODevice::ReadOnly)) return false;
  const QByteArray magic = file.read(4);
  return magic == QByteArrayView("PK\3\4", 4) ||
         magic == QByteArrayView("PK\5\6", 4);  // that of an empty one
}

void readChatArchive(const std::filesystem::path& file, const std::atomic<bool>* cancelled,
                     const std::function<void(ArchivedFile)>& take, const ArchiveBounds& bounds) {
  Reader(open(file), cancelled, bounds).read(take);
}

}  // namespace vitrine
