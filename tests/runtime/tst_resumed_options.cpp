// Options on their way through a run that is recorded, stored and resumed: none is lost. Every option of the
// table takes it, with a value that is not its default.
#include "events/packed_events.h"
#include "support/event_log.h"
#include "support/other_options.h"
#include "support/tiny_engine.h"
#include "vitrine/place_name.h"
#include "vitrine/trace.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTemporaryDir>
#include <QTest>
#include <functional>

using namespace vitrine;
using namespace vitrine::test;

namespace {

// Such that each of them may be changed alone.
EngineOptions plainOptions() {
  EngineOptions options = tinyOptions();
  options.hostSwapBytes = 1 << 16;
  options.windowTokens = 16;
  options.heavyTokens = 8;
  options.speculation.exitLayer = 1;
  options.weightType = WeightType::kBf16;  // products with float32 weights have one arithmetic
  options.compute = Compute::kF32;
  return options;
}

// visit(key, scope, options) for each option: plainOptions() but for that one.
void forEachOtherOption(const std::function<void(const char*, OptionScope, const EngineOptions&)>& visit) {
  forEachEngineOption([&](const auto& info, const auto& access) {
    EngineOptions options = plainOptions();
    access(options) = otherValue(info, access(options));
    visit(info.key, info.scope, options);
  });
}

// As a trace has them.
EngineOptions withoutPaths(EngineOptions options) {
  options.swapFolder.clear();
  options.speculation.draftModel = placeName(options.speculation.draftModel);
  return options;
}

std::string listed(const std::vector<std::string>& keys) {
  std::string all;
  for (const std::string& key : keys) all += " " + key;
  return all;
}

// A short run, in whose midst options may change.
struct Run {
  explicit Run(const EngineOptions& options, const EngineOptions* later = nullptr) {
    engine = tinyModel().engine(options, log);
    engine->submit(tinyRequest({1, 2, 3}, 8));
    engine->step();
    engine->step();
    if (later != nullptr) engine->setOptions(*later);
    engine->run();
  }

  // Stored as a trace and read again.
  std::shared_ptr<const RunScript> traced() const {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("t.vitrine").toStdString();
    TraceWriter writer(file);
    for (const Event& event : log.events) writer.publish(event);
    writer.finish();
    const auto script = std::make_shared<RunScript>();
    readTrace(file, [&](const Event& event) { script->add(event); });
    return script;
  }

  // Stored as a recording stores its chunks.
  std::shared_ptr<const RunScript> packed() const {
    std::string bytes;
    PackedWriter out(bytes);
    EventPacker packer(out);
    for (const Event& event : log.events) packer.add(event);
    PackedReader in(bytes);
    EventUnpacker unpacker(in);
    const auto script = std::make_shared<RunScript>();
    for (std::size_t i = 0; i < log.events.size(); ++i) script->add(unpacker.next());
    return script;
  }

  EventLog log;
  std::unique_ptr<Engine> engine;
};

}  // namespace

class TestResumedOptions : public QObject {
  Q_OBJECT

 private slots:
  void everyOptionComesBack() {
    int options = 0;
    forEachOtherOption([&](const std::string& key, OptionScope, const EngineOptions& asked) {
      const Run run(asked);
      const EngineOptions& inForce = run.engine->description().options;
      for (const std::string& other : differing(inForce, asked))
        QVERIFY2(other == "prefix_cache" && !asked.kvCache, (key + " changed " + other).c_str());
      std::vector<std::string> lost = differing(run.packed()->options(), inForce);
      QVERIFY2(lost.empty(), (key + ": a recording lost" + listed(lost)).c_str());
      const auto script = run.traced();
      lost = differing(script->options(), withoutPaths(inForce));
      QVERIFY2(lost.empty(), (key + ": a trace lost" + listed(lost)).c_str());

      EventLog log, branch;
      const auto loaded = tinyModel().engine(script->options(), log);
      const auto resumed = loaded->resume(script, script->lastStep() / 2, branch);
      lost = differing(resumed->description().options, withoutPaths(inForce));
      QVERIFY2(lost.empty(), (key + ": the resumed run lost" + listed(lost)).c_str());
      resumed->run();
      QCOMPARE(resumed->rerun()->differsAt, 0);
      ++options;
    });
    QVERIFY(options >= 35);
  }

  void everyOptionThatChangesOnTheWayComesBack() {
    int options = 0;
    forEachOtherOption([&](const std::string& key, OptionScope scope, const EngineOptions& later) {
      if (scope != OptionScope::kStep) return;
      const Run run(plainOptions(), &later);
      const EngineOptions& inForce = run.engine->description().options;
      std::vector<std::string> lost = differing(inForce, later);
      QVERIFY2(lost.empty(), (key + ": the run ignored" + listed(lost)).c_str());
      const auto script = run.traced();
      EventLog log, branch;
      const auto loaded = tinyModel().engine(script->options(), log);
      lost = differing(loaded->description().options, plainOptions());
      QVERIFY2(lost.empty(), (key + ": the beginning has the later value of" + listed(lost)).c_str());
      const auto resumed = loaded->resume(script, script->lastStep(), branch);
      lost = differing(resumed->description().options, withoutPaths(inForce));
      QVERIFY2(lost.empty(), (key + ": the resumed run lost" + listed(lost)).c_str());
      ++options;
    });
    QVERIFY(options >= 15);
  }

  // The engine that resumes keeps what it has loaded, whatever the recording says of it.
  void whatIsLoadedStays() {
    forEachOtherOption([&](const std::string& key, OptionScope scope, const EngineOptions& asked) {
      if (scope != OptionScope::kLoad) return;
      if (key == "weights" || key == "dtype") return;  // another model: refused
      if (key == "compute") return;                    // and another arithmetic
      const auto script = Run(asked).traced();
      EventLog log, branch;
      const auto loaded = tinyModel().engine(plainOptions(), log);
      const auto resumed = loaded->resume(script, 1, branch);
      const auto lost = differing(resumed->description().options, plainOptions());
      QVERIFY2(lost.empty(), (key + ": the resumed run lost" + listed(lost)).c_str());
    });
  }
};

QTEST_APPLESS_MAIN(TestResumedOptions)
#include "tst_resumed_options.moc"
