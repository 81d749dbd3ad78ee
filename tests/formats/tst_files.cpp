// Files from outside: what is read, what is refused and with which words, and that nothing waits or grows
// without end.
#include "vitrine/files.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include <QTemporaryDir>
#include <QTest>

#include "formats/input_file.h"
#include "support/refusal.h"

using namespace vitrine;
using namespace vitrine::test;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMost = 1 << 20;

class Folder {
 public:
  fs::path operator/(const char* name) const { return fs::path(m_scratch.path().toStdString()) / name; }
  fs::path write(const char* name, const std::string& bytes) const {
    std::ofstream(*this / name, std::ios::binary) << bytes;
    return *this / name;
  }
  fs::path pipe(const char* name) const {
    return ::mkfifo((*this / name).c_str(), 0600) == 0 ? *this / name : fs::path();
  }

 private:
  QTemporaryDir m_scratch;
};

std::string readPart(const InputFile& file, std::size_t offset, std::size_t count) {
  std::string bytes(count, '\0');
  file.read(offset, std::as_writable_bytes(std::span(bytes)), "the part");
  return bytes;
}

}  // namespace

class TestFiles : public QObject {
  Q_OBJECT

 private slots:
  void readsWholeFiles() {
    const Folder folder;
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{65535}, std::size_t{65536},
                                   std::size_t{65537}, kMost}) {
      std::string bytes(size, 'x');
      for (std::size_t i = 0; i < size; i += 7) bytes[i] = static_cast<char>(i);
      QVERIFY(readWholeFile(folder.write("f", bytes), kMost) == bytes);
    }
    VERIFY_REFUSED(readWholeFile(folder.write("f", std::string(kMost + 1, 'x')), kMost), "file_corrupt",
                   "is longer than the 1048576 bytes");
    QVERIFY(!readWholeFile("/proc/self/status", kMost).empty());  // whose size is said to be 0
  }

  void saysWhatIsNoFile() {
    const Folder folder;
    VERIFY_REFUSED(readWholeFile(folder / "none", kMost), "file_not_found", "none does not exist");
    VERIFY_REFUSED(readWholeFile(folder.write("f", "x") / "below", kMost), "file_not_found",
                   "does not exist");
    VERIFY_REFUSED(readWholeFile(folder / ".", kMost), "file_unreadable", "is a folder, not a file");
    VERIFY_REFUSED(readWholeFile(folder.pipe("p"), kMost), "file_unreadable", "is a pipe, not a file");
    VERIFY_REFUSED(readWholeFile("/dev/zero", kMost), "file_unreadable", "is a device, not a file");
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = (folder / "s").string();
    QVERIFY(name.size() < sizeof address.sun_path);
    std::memcpy(address.sun_path, name.data(), name.size());
    QCOMPARE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    VERIFY_REFUSED(readWholeFile(name, kMost), "file_unreadable", "is a socket, not a file");
    ::close(socket);
  }

  void saysWhichLinkLeadsInACircle() {
    const Folder folder;
    fs::create_symlink("b", folder / "a");
    fs::create_symlink("a", folder / "b");
    VERIFY_REFUSED(readWholeFile(folder / "a", kMost), "file_unreadable", "a is a symbolic link loop");
    VERIFY_REFUSED(InputFile(folder / "b"), "file_unreadable", "b is a symbolic link loop");
    QVERIFY(isThere(folder / "a"));
    fs::create_symlink("nothing", folder / "c");
    QVERIFY(!isThere(folder / "c"));
    QVERIFY(!isThere(folder / "d"));
    QVERIFY(isThere(folder.pipe("p")));
    fs::create_symlink("f", folder / "g");
    folder.write("f", "text");
    QCOMPARE(readWholeFile(folder / "g", kMost), std::string("text"));
  }

  // A pipe whose writer comes late, writes in two parts and goes.
  void takesAPipeWhereOneMayStand() {
    const Folder folder;
    const fs::path path = folder.pipe("p");
    std::thread writer([&] {
      const int out = ::open(path.c_str(), O_WRONLY);  // returns when the reader is there
      for (const char* part : {"one ", "two"}) {
        static_cast<void>(!::write(out, part, std::strlen(part)));
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
      ::close(out);
    });
    const std::string text = readWholeFile(path, kMost, InputKind::kFileOrPipe);
    writer.join();
    QCOMPARE(text, std::string("one two"));
    QCOMPARE(readWholeFile("/dev/null", kMost, InputKind::kFileOrPipe), std::string());
  }

  void whatNeverEndsIsLeftAtTheLimit() {
    VERIFY_REFUSED(readWholeFile("/dev/zero", kMost, InputKind::kFileOrPipe), "file_corrupt",
                   "/dev/zero is longer than the 1048576 bytes");
    std::size_t taken = 0;
    struct Enough {};
    const auto count = [&](std::string_view chunk) {
      taken += chunk.size();
      if (taken > kMost) throw Enough();
    };
    QVERIFY_THROWS_EXCEPTION(Enough, readChunks("/dev/zero", count));
    QVERIFY(taken <= kMost + (1 << 16));
  }

  void partsOfAFileStayWhatTheyWere() {
    const Folder folder;
    const fs::path path = folder.write("w", "0123456789");
    const InputFile file(path);
    QCOMPARE(file.size(), std::size_t{10});
    QCOMPARE(readPart(file, 3, 4), std::string("3456"));
    QCOMPARE(readPart(file, 10, 0), std::string());
    fs::resize_file(path, 5);
    VERIFY_REFUSED(readPart(file, 3, 4), "file_corrupt", "w became shorter while the part was read");
    VERIFY_REFUSED(readPart(file, 0, 2), "file_corrupt", "became shorter");  // the rest belongs to it
    fs::resize_file(path, 10);
    fs::last_write_time(path, fs::file_time_type::clock::now() + std::chrono::seconds(1));
    VERIFY_REFUSED(readPart(file, 0, 2), "file_corrupt", "w was written to while the part was read");
    VERIFY_REFUSED(InputFile(folder.write("e", "")), "file_unreadable", "is empty");
    VERIFY_REFUSED(InputFile(folder.pipe("p")), "file_unreadable", "is a pipe, not a file");
  }
};

QTEST_APPLESS_MAIN(TestFiles)
#include "tst_files.moc"
