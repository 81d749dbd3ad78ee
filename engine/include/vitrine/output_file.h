// OutputFile: a file that is either written whole or not there.
//
// The bytes go to NAME.PID-N.part in the same folder, and finish() renames that file to NAME. So an error
// never leaves an empty or cut file, and a file that had the name before stays whole. A killed program
// leaves the .part file. A device or a pipe (/dev/stdout) is written to directly, and a symbolic link stays
// one. Errors: EngineError(kIo) that names the file. Thread: one at a time.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace vitrine {

class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();  // without finish() it removes what was written
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void finish();  // all bytes are on the disk when this returns

  const std::filesystem::path& path() const { return m_path; }  // as given

 private:
  void open();
  void flush();
  void close();
  [[noreturn]] void fail(const char* what) const;

  const std::filesystem::path m_path;
  std::filesystem::path m_target, m_part;  // m_part is empty when the target is written to directly
  std::string m_waiting;                   // bytes that were not handed to the system yet
  int m_descriptor = -1;
};

}  // namespace vitrine
