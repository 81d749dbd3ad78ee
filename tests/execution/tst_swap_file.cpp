// The swap file against a hostile disk: what was written comes back to the byte or as an error; a file is
// private, is removed with its engine, and after a crash by the next engine; files of other owners are not
// touched.
#include "execution/swap_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <random>

#include "execution/swap_file_name.h"
#include "vitrine/error.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;

namespace {

constexpr std::int64_t kBytes = 333;

template <typename Act>
EngineError refusalOf(const Act& act) {
  try {
    act();
  } catch (const EngineError& error) {
    return error;
  }
  return EngineError(ErrorCode::kCancelled, "nothing was refused");
}

std::vector<std::byte> content(int seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::vector<std::byte> bytes(kBytes);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

std::filesystem::path pathOf(const QTemporaryDir& folder) { return folder.path().toStdString(); }

std::vector<std::byte> readBack(SwapFile& file, int slot, SwapKey key) {
  std::vector<std::byte> bytes(kBytes);
  file.read(slot, key, bytes);
  return bytes;
}

void writeText(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

std::string nameOf(const ProcessId& process) { return swapFileName(process, 1); }

// A process that was there and is gone.
ProcessId deadProcess() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return {child, 12345};
}

void writeStale(const std::filesystem::path& folder, const ProcessId& process) {
  const SwapFileHeader header = swapFileHeader(process, kBytes);
  std::ofstream file(folder / nameOf(process), std::ios::binary);
  file.write(reinterpret_cast<const char*>(&header), sizeof header);
  file << "and what was swapped out";
}

}  // namespace

class TestSwapFile : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ::signal(SIGXFSZ, SIG_IGN); }

  void bytesComeBack_data() {
    QTest::addColumn<bool>("visible");
    QTest::newRow("without a name") << false;
    QTest::newRow("with a name") << true;
  }
  void bytesComeBack() {
    QFETCH(bool, visible);
    QTemporaryDir folder;
    {
      SwapFile file(pathOf(folder), kBytes, visible ? SwapFile::Name::kVisible : SwapFile::Name::kNone);
      QVERIFY(QDir(folder.path()).isEmpty());  // nothing before it is needed
      for (int slot : {3, 0, 7}) file.write(slot, {slot + 1, slot}, content(slot));
      file.write(3, {9, 4}, content(33));
      QVERIFY(readBack(file, 3, {9, 4}) == content(33));
      QVERIFY(readBack(file, 7, {8, 7}) == content(7));
      QVERIFY(readBack(file, 0, {1, 0}) == content(0));
      if (visible) QVERIFY(!QDir(folder.path()).isEmpty());
    }
    QVERIFY(QDir(folder.path()).isEmpty());
  }

  void aNamedFileIsPrivateAndLocked() {
    QTemporaryDir folder;
    SwapFile file(pathOf(folder), kBytes, SwapFile::Name::kVisible);
    file.write(0, {1, 0}, content(1));
    struct stat status {};
    QCOMPARE(::stat(file.path().c_str(), &status), 0);
    QCOMPARE(status.st_mode & 0777, 0600u);
    const int other = ::open(file.path().c_str(), O_RDONLY);
    QVERIFY(::flock(other, LOCK_EX | LOCK_NB) != 0);
    ::close(other);
    SwapFile second(pathOf(folder), kBytes, SwapFile::Name::kVisible);
    second.write(0, {1, 0}, content(2));
    QVERIFY(second.path() != file.path());
    QVERIFY(readBack(file, 0, {1, 0}) == content(1));
  }

  // Any single bit of a record: found, and named.
  void aFlippedBitIsFound() {
    QTemporaryDir folder;
    SwapFile file(pathOf(folder), kBytes, SwapFile::Name::kVisible);
    file.write(0, {5, 2}, content(1));
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(file.path()));
    const int raw = ::open(file.path().c_str(), O_RDWR);
    const std::int64_t first = size - kBytes - 32;  // the record with its header
    QCOMPARE(first, std::int64_t{4096});
    for (std::int64_t at = first; at < size; ++at) {
      unsigned char byte = 0;
      QCOMPARE(::pread(raw, &byte, 1, at), ssize_t{1});
      const auto flipped = static_cast<unsigned char>(byte ^ 1u << (at % 8));
      QCOMPARE(::pwrite(raw, &flipped, 1, at), ssize_t{1});
      const EngineError error = refusalOf([&] { readBack(file, 0, {5, 2}); });
      QVERIFY2(error.code() == ErrorCode::kFileCorrupt, qPrintable(QString::number(at)));
      QVERIFY(QString(error.what()).contains("block 2 of sequence 5") && !error.hint().empty());
      QCOMPARE(::pwrite(raw, &byte, 1, at), ssize_t{1});
    }
    ::close(raw);
    QVERIFY(readBack(file, 0, {5, 2}) == content(1));
  }

  void anothersRecordIsNotBelieved() {
    QTemporaryDir folder;
    SwapFile file(pathOf(folder), kBytes, SwapFile::Name::kVisible);
    file.write(0, {5, 2}, content(1));
    QVERIFY(refusalOf([&] { readBack(file, 0, {5, 3}); }).code() == ErrorCode::kFileCorrupt);
    QVERIFY(refusalOf([&] { readBack(file, 0, {6, 2}); }).code() == ErrorCode::kFileCorrupt);
    // An older record of the same place, put back byte for byte: right in itself, and not the last one
    // written.
    std::vector<char> old(kBytes + 32);
    const int raw = ::open(file.path().c_str(), O_RDWR);
    QCOMPARE(::pread(raw, old.data(), old.size(), 4096), static_cast<ssize_t>(old.size()));
    file.write(0, {5, 2}, content(2));
    QCOMPARE(::pwrite(raw, old.data(), old.size(), 4096), static_cast<ssize_t>(old.size()));
    ::close(raw);
    QVERIFY(refusalOf([&] { readBack(file, 0, {5, 2}); }).code() == ErrorCode::kFileCorrupt);
  }

  void aTruncatedFileIsAnError() {
    QTemporaryDir folder;
    SwapFile file(pathOf(folder), kBytes, SwapFile::Name::kVisible);
    file.write(0, {1, 0}, content(1));
    QCOMPARE(::truncate(file.path().c_str(), 4096 + 100), 0);
    const EngineError error = refusalOf([&] { readBack(file, 0, {1, 0}); });
    QVERIFY(error.code() == ErrorCode::kFileCorrupt && QString(error.what()).contains("truncated"));
    QCOMPARE(::truncate(file.path().c_str(), 0), 0);
    QVERIFY(refusalOf([&] { readBack(file, 0, {1, 0}); }).code() == ErrorCode::kFileCorrupt);
    file.write(0, {1, 0}, content(2));  // it goes on all the same
    QVERIFY(readBack(file, 0, {1, 0}) == content(2));
  }

  // The open file stays readable; the name is gone already when it would be removed.
  void aRemovedFolderDoesNoHarm() {
    QTemporaryDir folder;
    const std::filesystem::path inner = pathOf(folder) / "inner";
    std::filesystem::create_directory(inner);
    SwapFile file(inner, kBytes, SwapFile::Name::kVisible);
    file.write(0, {1, 0}, content(1));
    std::filesystem::remove_all(inner);
    QVERIFY(readBack(file, 0, {1, 0}) == content(1));
    SwapFile late(inner, kBytes);
    QVERIFY(refusalOf([&] { late.write(0, {1, 0}, content(1)); }).code() == ErrorCode::kIo);
  }

  void aFolderThatCannotBeWrittenToIsNamed() {
    QTemporaryDir folder;
    const std::filesystem::path plain = pathOf(folder) / "a file";
    writeText(plain, "mine");
    SwapFile file(plain / "below", kBytes);
    const EngineError error = refusalOf([&] { file.write(0, {1, 0}, content(1)); });
    QVERIFY(error.code() == ErrorCode::kIo && QString(error.what()).contains("a file/below"));
    QVERIFY(QString::fromStdString(error.hint()).contains("--swap-folder"));
  }

  // The system refuses to let the file grow, as a full disk does.
  void aFullDiskIsAnErrorAndNotTheEnd() {
    QTemporaryDir folder;
    SwapFile file(pathOf(folder), kBytes);
    file.write(0, {1, 0}, content(1));
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{4096 + 500, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    const EngineError error = refusalOf([&] { file.write(1, {1, 1}, content(2)); });
    ::setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(error.code() == ErrorCode::kIo && !error.hint().empty());
    QVERIFY(readBack(file, 0, {1, 0}) == content(1));
    file.write(1, {1, 1}, content(2));
    QVERIFY(readBack(file, 1, {1, 1}) == content(2));
  }

  // Not even the header: no half-made file stays, and the next write begins anew.
  void aDiskThatIsFullAtOnceLeavesNothing() {
    QTemporaryDir folder;
    SwapFile file(pathOf(folder), kBytes, SwapFile::Name::kVisible);
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit none{0, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &none);
    const EngineError error = refusalOf([&] { file.write(0, {1, 0}, content(1)); });
    ::setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(error.code() == ErrorCode::kIo);
    QVERIFY(QDir(folder.path()).isEmpty());
    file.write(0, {1, 0}, content(1));
    QVERIFY(readBack(file, 0, {1, 0}) == content(1));
  }

  void whatAKilledProcessLeftIsRemoved() {
    QTemporaryDir folder;
    writeStale(pathOf(folder), deadProcess());
    const ProcessId other{deadProcess().number, 777};
    writeText(pathOf(folder) / nameOf(other), "");  // killed before the header was there
    QCOMPARE(removeStaleSwapFiles(pathOf(folder)), 2);
    QVERIFY(QDir(folder.path()).isEmpty());
    QCOMPARE(removeStaleSwapFiles(pathOf(folder) / "nowhere"), 0);
  }

  void nothingElseIsTouched() {
    QTemporaryDir folder;
    const std::filesystem::path path = pathOf(folder);
    const ProcessId dead = deadProcess();
    const std::string right = nameOf(dead), text = "another program's words, longer than a header by far";
    for (const std::string& name :
         {right + "x", "x" + right, std::string("vitrine-swap-.kv"), std::string("vitrine-swap-1-2.kv"),
          std::string("vitrine-swap--1-2-3.kv")})
      writeText(path / name, text);
    writeText(path / right, text);  // our name, not our header
    const std::string number = std::to_string(dead.number);
    writeStale(path, ownProcess());  // a living process
    writeStale(path, {dead.number, 1});
    std::filesystem::rename(path / nameOf({dead.number, 1}),
                            path / nameOf({dead.number, 2}));  // header of another
    writeStale(path, {dead.number, 3});
    const int locked = ::open((path / nameOf({dead.number, 3})).c_str(), O_RDONLY);
    QCOMPARE(::flock(locked, LOCK_EX | LOCK_NB), 0);
    writeText(path / "target", text);
    std::filesystem::create_symlink(path / "target", path / nameOf({dead.number, 4}));
    std::filesystem::create_directory(path / nameOf({dead.number, 5}));
    const auto before = QDir(folder.path()).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot);
    QCOMPARE(removeStaleSwapFiles(path), 0);
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot), before);
    ::close(locked);
    QCOMPARE(removeStaleSwapFiles(path), 1);  // the one that is no longer locked
  }

  // The number of a dead process, used again by one that lives: it started at another time.
  void aNumberUsedAgainIsAnotherProcess() {
    const ProcessId self = ownProcess();
    QVERIFY(isAlive(self));
    QVERIFY2(self.startTime != 0, "the start time of a process is not known: is /proc mounted?");
    QVERIFY(!isAlive({self.number, self.startTime + 1}));
  }
};

QTEST_APPLESS_MAIN(TestSwapFile)
#include "tst_swap_file.moc"
