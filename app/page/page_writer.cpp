#include "page/page_writer.h"

#include <utility>

#include "page/page_files.h"

namespace vitrine::page {

PageWriter::PageWriter(const std::filesystem::path& file, const std::string& title)
    : m_file(file), m_title(title) {
  PageFrame frame = framedPage(title);
  m_file.write(frame.before);
  m_behind = std::move(frame.behind);
}

void PageWriter::write(const std::string& entry) {
  if (m_isFirst) {
    Json header = m_story.header();
    header["title"] = m_title;
    m_file.write("{\"begin\":" + lineOf(header) + ",\"steps\":[");
  }
  m_file.write(std::string(m_isFirst ? "\n" : ",\n") + entry);
  m_isFirst = false;
}

void PageWriter::add(const Event& event) {
  const bool begins = m_log.isEmpty() && isA<StepStarted>(event);
  if (begins) write(m_log.next(m_story));  // the machine before the first step
  m_story.add(event);
  if (isA<StepFinished>(event)) write(m_log.next(m_story));
}

void PageWriter::finish() {
  if (m_log.isEmpty() || m_story.isStepOpen()) write(m_log.next(m_story));
  m_file.write("\n]}\n" + m_behind);
  m_file.finish();
}

}  // namespace vitrine::page
