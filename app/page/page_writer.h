// PageWriter: a run as one HTML file that opens anywhere, without a network and without Vitrine.
//
// The file is the server's page with the run inside: a header and an entry for each step (page_log.h), as
// JSON. Thread: one. Read next: page_files.h.
#pragma once

#include <filesystem>
#include <string>

#include "page/page_log.h"
#include "vitrine/output_file.h"

namespace vitrine::page {

class PageWriter {
 public:
  // `title`: of the document. The file is there when finish() has returned (output_file.h). Throws
  // EngineError(kIo) when it cannot be made.
  PageWriter(const std::filesystem::path& file, const std::string& title);

  // The events of one run in order. Throws EngineError(kIo), and kFileCorrupt for an event that contradicts
  // those before it.
  void add(const Event& event);
  // A step that has not ended is the last entry. Throws EngineError(kIo).
  void finish();

 private:
  void write(const std::string& entry);

  OutputFile m_file;
  const std::string m_title;
  std::string m_behind;
  PageStory m_story;
  PageLog m_log;
  bool m_isFirst = true;  // no entry was written
};

}  // namespace vitrine::page
