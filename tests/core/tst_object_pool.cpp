// Memory for objects of one size: apart from each other, aligned, close together, and good in any thread.
#include <QTest>
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "core/object_pool.h"

using namespace vitrine;

namespace {

constexpr std::size_t kBytes = 320;

std::uintptr_t addressOf(const void* object) { return reinterpret_cast<std::uintptr_t>(object); }

struct Pooled {
  std::array<char, kBytes> content;
  static void* operator new(std::size_t bytes) { return allocatePooled(bytes); }
  static void operator delete(void* object, std::size_t bytes) { releasePooled(object, bytes); }
};

}  // namespace

class TestObjectPool : public QObject {
  Q_OBJECT

 private slots:
  void objectsAreAlignedAndApart() {
    std::vector<std::unique_ptr<Pooled>> objects;
    for (int i = 0; i < 1000; ++i) {
      objects.push_back(std::make_unique<Pooled>());
      QCOMPARE(addressOf(objects.back().get()) % kPooledAlignment, 0u);
      objects.back()->content.fill(static_cast<char>(i));
      if (i % 3 == 0) objects.erase(objects.begin() + i / 3);  // holes are filled again
    }
    std::vector<std::uintptr_t> addresses;
    for (const auto& object : objects) {
      QVERIFY(std::ranges::all_of(object->content, [&](char c) { return c == object->content[0]; }));
      addresses.push_back(addressOf(object.get()));
    }
    std::ranges::sort(addresses);
    for (std::size_t i = 1; i < addresses.size(); ++i)
      QVERIFY(addresses[i] - addresses[i - 1] >= sizeof(Pooled));
  }

  // What the pool is for: other allocations in between do not spread the objects over as many pages.
  void objectsShareTheirPages() {
#ifdef __SANITIZE_ADDRESS__
    QSKIP("under AddressSanitizer each object has a piece of the heap of its own");
#endif
    constexpr std::size_t kPage = 4096;
    std::vector<std::unique_ptr<Pooled>> objects;
    std::vector<std::vector<char>> between;
    std::set<std::uintptr_t> pages;
    for (int i = 0; i < 1024; ++i) {
      objects.push_back(std::make_unique<Pooled>());
      between.emplace_back(2 * kPage);
      pages.insert(addressOf(objects.back().get()) / kPage);
    }
    QVERIFY2(pages.size() <= 2 * 1024 * sizeof(Pooled) / kPage, qPrintable(QString::number(pages.size())));
  }

  void anotherThreadMayReleaseThem() {
    std::vector<std::unique_ptr<Pooled>> made;
    std::jthread([&] {
      for (int i = 0; i < 500; ++i) made.push_back(std::make_unique<Pooled>());
    }).join();
    for (auto& object : made) object->content.fill('a');
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&made, t] {
        for (std::size_t i = static_cast<std::size_t>(t); i < made.size(); i += 4) {
          made[i].reset();
          made[i] = std::make_unique<Pooled>();
          made[i]->content.fill('b');
        }
      });
    threads.clear();
    for (const auto& object : made) QCOMPARE(object->content.back(), 'b');
  }
};

QTEST_GUILESS_MAIN(TestObjectPool)
#include "tst_object_pool.moc"
