// A thousand damaged GGUF files: each loads, or ends with an EngineError, and none takes more than 2 GB or
// long. Bytes are changed where they hurt: lengths and counts become huge, types unknown, files short.
#include <sys/resource.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "models/decoder_harness.h"
#include "models/gguf_of.h"
#include "text/gguf_tokenizer.h"
#include "vitrine/chat_format.h"
#include "vitrine/error.h"

#include <QTest>

using namespace vitrine;
using namespace vitrine::test;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> seeds() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(fs::path(VITRINE_SOURCE_DIR) / "tests/fuzz/seeds/gguf")) {
    std::ifstream file(entry.path(), std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return files;
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : m_random(seed) {}

  std::string mutated(std::string file) {
    for (int i = 1 + below(3); i > 0; --i) change(file);
    return file;
  }

 private:
  int below(std::size_t end) { return static_cast<int>(m_random() % static_cast<unsigned>(end)); }

  void change(std::string& file) {
    // Most of what matters stands before the weights.
    const std::size_t part = below(4) == 0 ? file.size() : std::min<std::size_t>(file.size(), 1400);
    const auto at = static_cast<std::size_t>(below(part));
    switch (below(5)) {
      case 0:
        file[at] = static_cast<char>(m_random());
        break;
      case 1:  // a huge number, or -1
        for (std::size_t i = at; i < std::min(at + 8, file.size()); ++i)
          file[i] = static_cast<char>(below(2) == 0 ? 0xff : 0x7f);
        break;
      case 2:
        file.resize(std::max<std::size_t>(at, 1));
        break;
      case 3:
        file.erase(at, 1 + static_cast<std::size_t>(below(9)));
        break;
      default:
        file.insert(at,
                    file.substr(static_cast<std::size_t>(below(part)), static_cast<std::size_t>(below(40))));
    }
    if (file.empty()) file = "G";
  }

  std::mt19937 m_random;
};

template <typename Work>
bool isRefused(Work work) {
  try {
    work();
    return false;
  } catch (const EngineError& error) {
    if (std::string(error.what()).empty() || error.hint().empty())
      qFatal("an error without words: %s", error.what());
    return true;
  }
}

void loadAll(const std::string& bytes) {
  auto model = modelIn(bytes);
  const ModelConfig config = readGgufConfig(*model);
  const auto weights = openGgufWeights(std::move(model), config);
  const auto backend = makeCpuBackend(1);
  const Decoder decoder(*backend, config, *weights, DType::kF32);
}

}  // namespace

class TestGgufMutations : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
#ifndef __SANITIZE_ADDRESS__  // which reserves more than any limit
    const rlimit most{rlim_t{2} << 30, rlim_t{2} << 30};
    QCOMPARE(setrlimit(RLIMIT_AS, &most), 0);
#endif
  }

  void theSeedsThemselvesLoad() {
    QVERIFY(seeds().size() >= 4);
    for (const std::string& bytes : seeds()) loadAll(bytes);
  }

  void eachIsLoadedOrRefused() {
    const std::vector<std::string> files = seeds();
    Mutator mutator(5);
    int refused = 0, words = 0;
    for (int i = 0; i < 1000; ++i) {
      const std::string bytes = mutator.mutated(files[static_cast<std::size_t>(i) % files.size()]);
      refused += isRefused([&] { loadAll(bytes); });
      words += isRefused([&] {
        const GgufFile file = openBytes(bytes);
        ChatFormat::ofModel(file);
        if (hasGgufTokenizer(file)) readGgufTokenizer(file)->encode("ab A", true);
      });
    }
    qInfo("%d of 1000 models and %d tokenizers were refused", refused, words);
    QVERIFY(refused > 300 && words > 100);  // the damage was real
  }
};

QTEST_APPLESS_MAIN(TestGgufMutations)
#include "tst_gguf_mutations.moc"
