#include "formats/stand_in.h"

#include <algorithm>
#include <cctype>
#include <span>

#include "vitrine/error.h"
#include "vitrine/files.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

constexpr std::size_t kBeginning = 512;

[[noreturn]] void refuseAsStandIn(const std::filesystem::path& path, const std::string& what,
                                  const std::string& hint) {
  throw EngineError(ErrorCode::kFileCorrupt, path.string() + " is " + what, hint);
}

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

bool isWebPage(std::string_view beginning) {
  if (beginning.starts_with("\xef\xbb\xbf")) beginning.remove_prefix(3);
  const std::size_t first = beginning.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  const std::string start = lowerCase(beginning.substr(first, 64));
  return start.starts_with("<!doctype html") || start.starts_with("<html") || start.starts_with("<head") ||
         (start.starts_with("<?xml") && lowerCase(beginning).find("<html") != std::string::npos);
}

// "../../blobs/6a5b": where a snapshot of the Hugging Face cache has links.
bool isLinkText(std::string_view text) {
  return text.starts_with("../") && text.find("blobs/") != std::string_view::npos &&
         std::ranges::all_of(text, [](unsigned char c) { return c > ' ' && c < 0x7f; });
}

}  // namespace

void refuseStandIn(const std::filesystem::path& path, std::string_view beginning, std::size_t fileBytes) {
  const std::string bytes = std::to_string(fileBytes) + " bytes of text";
  if (beginning.starts_with("version https://git-lfs.github.com/spec/") ||
      beginning.starts_with("version http://git-media.io/"))
    refuseAsStandIn(path, "a git-lfs pointer, " + bytes + ", and not the file itself",
                    "Run git lfs pull in the folder of the clone, or download the file.");
  if (isWebPage(beginning))
    refuseAsStandIn(
        path, "a web page, not a file of a model",
        "A server or a proxy has sent the page in the file's place; download the file again, logged in if it "
        "asks for that.");
  if (fileBytes == beginning.size() && isLinkText(beginning))
    refuseAsStandIn(
        path, "the text of a link to " + forMessage(std::string(beginning)) + ", and not the file itself",
        "Copy the folder again with its links followed (cp -rL), or download the file.");
}

std::unique_ptr<InputFile> openModelFile(const std::filesystem::path& path) {
  auto file = std::make_unique<InputFile>(path);
  std::string beginning(std::min(kBeginning, file->size()), '\0');
  file->read(0, std::as_writable_bytes(std::span(beginning)), "its beginning");
  refuseStandIn(path, beginning, file->size());
  return file;
}

std::string readModelText(const std::filesystem::path& path, std::size_t mostBytes) {
  std::string text = readWholeFile(path, mostBytes);
  refuseStandIn(path, std::string_view(text).substr(0, kBeginning), text.size());
  return text;
}

}  // namespace vitrine
