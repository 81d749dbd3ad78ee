// A file is there whole or not at all, whatever happens while it is written.
#include "vitrine/output_file.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <fstream>
#include <iterator>

#include "support/refusal.h"

using namespace vitrine;
using namespace vitrine::test;

namespace fs = std::filesystem;

namespace {

std::string contentOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int filesIn(const fs::path& folder) {
  return static_cast<int>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

class TestOutputFile : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    m_scratch = std::make_unique<QTemporaryDir>();
    m_folder = m_scratch->path().toStdString();
    m_file = m_folder / "answer.txt";
  }

  void theNameStandsForTheWholeFileAlone() {
    const std::string text(200'000, 'x');
    OutputFile out(m_file);
    out.write(text);
    out.write("end");
    QVERIFY(!fs::exists(m_file));
    out.finish();
    QCOMPARE(contentOf(m_file), text + "end");
    QCOMPARE(filesIn(m_folder), 1);
  }

  void withoutFinishNothingHappened() {
    std::ofstream(m_file) << "before";
    { OutputFile(m_file).write(std::string(200'000, 'x')); }
    QCOMPARE(contentOf(m_file), std::string("before"));
    QCOMPARE(filesIn(m_folder), 1);
  }

  void aFullDiskLeavesWhatWasThere() {
    std::ofstream(m_file) << "before";
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{10'000, before.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string said = refusal([&] {
      OutputFile out(m_file);
      out.write(std::string(20'000, 'x'));
      out.finish();
    });
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
    QVERIFY2(said.starts_with("io: ") && said.find("answer.txt") != std::string::npos, said.c_str());
    QCOMPARE(contentOf(m_file), std::string("before"));
    QCOMPARE(filesIn(m_folder), 1);
  }

  void aLinkStaysALinkAndAFileKeepsItsMode() {
    std::ofstream(m_file) << "before";
    QCOMPARE(::chmod(m_file.c_str(), 0640), 0);
    fs::create_symlink("answer.txt", m_folder / "link");
    OutputFile out(m_folder / "link");
    out.write("after");
    out.finish();
    QVERIFY(fs::is_symlink(m_folder / "link"));
    QCOMPARE(contentOf(m_file), std::string("after"));
    QCOMPARE(static_cast<int>(fs::status(m_file).permissions()), 0640);
  }

  void aDeviceIsWrittenToAndKept() {
    OutputFile null("/dev/null");
    null.write("gone");
    null.finish();
    QVERIFY(fs::is_character_file("/dev/null"));
    OutputFile full("/dev/full");
    full.write("too much");
    VERIFY_REFUSED(full.finish(), "io", "/dev/full");
  }

  void aPlaceThatCannotBeIsRefusedAtOnce() {
    VERIFY_REFUSED(OutputFile(m_folder / "none" / "answer.txt"), "io", "answer.txt");
    VERIFY_REFUSED(OutputFile{m_folder}, "io", "");
  }

 private:
  std::unique_ptr<QTemporaryDir> m_scratch;
  fs::path m_folder, m_file;
};

QTEST_APPLESS_MAIN(TestOutputFile)
#include "tst_output_file.moc"
