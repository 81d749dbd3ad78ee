// Traces of other programs: version 3 reads whatever was added to it or is missing, other versions are
// refused.
#include "events/trace_bytes.h"
#include "vitrine/run_script.h"

#include <QTest>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

using namespace vitrine;
using namespace vitrine::test;

namespace {

using Json = nlohmann::ordered_json;

// A trace as JSON: header, events and end.
std::vector<Json> parsed(const std::string& bytes) {
  std::vector<Json> lines;
  for (const std::string& line : linesOf(bytes)) lines.push_back(Json::parse(line));
  return lines;
}

std::string bytesOf(const std::vector<Json>& lines) {
  std::string bytes;
  for (const Json& line : lines) bytes += line.dump() + "\n";
  return bytes;
}

// goodTrace() after `change` of each event.
std::string edited(const std::function<void(Json&)>& change) {
  std::vector<Json> lines = parsed(goodTrace());
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) change(lines[i]);
  return bytesOf(lines);
}

// goodTrace() with an event more after each `interval` events; the numbers count up.
std::string lengthened(std::size_t interval, const Json& body) {
  const std::vector<Json> lines = parsed(goodTrace());
  std::vector<Json> longer = {lines.front()};
  std::int64_t added = 0;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    Json& line = longer.emplace_back(lines[i]);
    line["number"] = line["number"].get<std::int64_t>() + added;
    if (i % interval != 0 || line["event"] == "snapshot" || lines[i + 1].value("event", "") == "snapshot")
      continue;
    Json more = line;
    more["number"] = line["number"].get<std::int64_t>() + 1;
    more.update(body);
    longer.push_back(more);
    ++added;
  }
  longer.push_back({{"end", {{"events", longer.size() - 1}}}});
  return bytesOf(longer);
}

std::string goldenFile(const char* name) { return std::string(TRACE_GOLDENS) + "/" + name; }

// Whether all of `part` stands in `whole`: members of objects, items of lists, equal values.
bool holds(const Json& whole, const Json& part) {
  if (part.is_object()) {
    for (const auto& [key, value] : part.items())
      if (!whole.contains(key) || !holds(whole[key], value)) return false;
    return true;
  }
  if (part.is_array()) {
    if (whole.size() != part.size()) return false;
    for (std::size_t i = 0; i < part.size(); ++i)
      if (!holds(whole[i], part[i])) return false;
    return true;
  }
  return whole == part;
}

// Whether a field "name:type" of a schema is the older one; an enum, "name:one of a, b", may have more words.
bool fieldIncludes(const std::string& field, const std::string& older) {
  const QString text = QString::fromStdString(field), olderText = QString::fromStdString(older);
  const QString oneOf = QStringLiteral(":one of ");
  if (!olderText.contains(oneOf)) return text == olderText;
  if (text.section(oneOf, 0, 0) != olderText.section(oneOf, 0, 0)) return false;
  const QStringList words = text.section(oneOf, 1).split(", ");
  for (const QString& word : olderText.section(oneOf, 1).split(", "))
    if (!words.contains(word)) return false;
  return true;
}

}  // namespace

class TestTraceVersions : public QObject {
  Q_OBJECT

 private slots:
  void aMissingFieldHasItsDefault() {
    const std::map<std::string, std::string> dropped = {{"request_finished", "ttft_ns"},
                                                        {"token_sampled", "logprob"},
                                                        {"step_finished", "phase_ns"},
                                                        {"sequence_preempted", "freed_blocks"},
                                                        {"request_submitted", "beam_width"}};
    int drops = 0;
    const std::string bytes = edited([&](Json& event) {
      const auto field = dropped.find(event["event"].get<std::string>());
      if (field != dropped.end()) drops += static_cast<int>(event["data"].erase(field->second));
    });
    QVERIFY(drops > 100);
    TraceReport report;
    QCOMPARE(verdict(bytes, &report), std::string());
    QCOMPARE(report.skipped, std::int64_t{0});
    QVERIFY(report.unknown.empty() && report.whole);
    parseTrace(bytes, [](const Event& event) {
      if (const auto* finished = bodyOf<RequestFinished>(event)) QCOMPARE(finished->ttftNs, std::int64_t{0});
      if (const auto* sampled = bodyOf<TokenSampled>(event)) QCOMPARE(sampled->logprob, 0.0);
      if (const auto* submitted = bodyOf<RequestSubmitted>(event)) QCOMPARE(submitted->asked.beamWidth, 1);
    });
  }

  // Before there was a choice, drawn drafts were accepted by rejection sampling, and no token stood in a
  // rejected one's place.
  void anOlderTraceAcceptedDraftsByRejection() {
    int drafts = 0;
    readTrace(goldenFile("version-3.vitrine"), [&](const Event& event) {
      if (const auto* loaded = bodyOf<EngineLoaded>(event))
        QVERIFY(loaded->options.speculation.acceptance == DraftAcceptance::kRejection);
      const auto* verified = bodyOf<DraftVerified>(event);
      if (verified == nullptr) return;
      ++drafts;
      for (const DraftJudgement& one : verified->judgements) QCOMPARE(one.chosen, -1);
    });
    QVERIFY(drafts > 0);
  }

  // Before there was a choice, products were in float32: not what is chosen today.
  void anOlderTraceMultipliedInFloat32() {
    int runs = 0;
    readTrace(goldenFile("version-3.vitrine"), [&](const Event& event) {
      const auto* loaded = bodyOf<EngineLoaded>(event);
      if (loaded == nullptr) return;
      QVERIFY(loaded->options.compute == Compute::kF32);
      ++runs;
    });
    QVERIFY(runs > 0);
  }

  // It has no option of the swap tiers but the blocks, and 0 for what no eviction keeps.
  void theOptionsOfAnOlderTraceAreValid() {
    int runs = 0;
    readTrace(goldenFile("version-3.vitrine"), [&](const Event& event) {
      const auto* stored = bodyOf<EngineLoaded>(event);
      if (stored == nullptr) return;
      EngineLoaded loaded = *stored;
      QVERIFY(loaded.options.eviction == Eviction::kNone && loaded.options.windowTokens == 0);
      loaded.inputsRecorded = true;
      Event changed = event;
      changed.body = Boxed<EngineLoaded>(loaded);
      RunScript script;
      script.add(changed);
      const EngineOptions options = script.options();
      options.validate();
      QCOMPARE(options.windowTokens, EngineOptions().windowTokens);
      QCOMPARE(options.hostSwapBytes, 2 * loaded.bytesPerBlock);
      QCOMPARE(options.diskSwapBytes, 32 * loaded.bytesPerBlock);
      QVERIFY(options.policy == Policy::kPriority && options.blockSize == 4 && options.numBlocks == 7);
      ++runs;
    });
    QCOMPARE(runs, 1);
  }

  // A phase more or less than this program knows.
  void aListOfAnotherLengthReads() {
    bool longer = false;
    const std::string bytes = edited([&](Json& event) {
      if (event["event"] != "step_finished") return;
      Json& times = event["data"]["phase_ns"];
      longer = !longer;
      longer ? times.push_back(7) : times.erase(times.size() - 1);
    });
    QCOMPARE(verdict(bytes), std::string());
  }

  // A state cannot do without some fields: the error is that of a damaged trace.
  void aMissingFieldThatTheStateNeedsIsFound() {
    const std::string bytes = edited([](Json& event) {
      if (event["event"] == "engine_loaded") event["data"].erase("num_blocks");
    });
    const std::string said = verdict(bytes);
    QVERIFY2(said.starts_with("file_corrupt: line 2: "), said.c_str());
  }

  void anUnknownFieldIsPassedOver() {
    const std::string bytes = edited([](Json& event) {
      event["colour"] = "green";
      event["data"]["colour"] = {{"red", 1}, {"green", {1, 2}}};
      if (event["event"] == "engine_loaded") event["data"]["model"]["colour"] = 7;
    });
    TraceReport report;
    QCOMPARE(verdict(bytes, &report), std::string());
    QCOMPARE(report.skipped, std::int64_t{0});
    QVERIFY(report.unknown.empty());
  }

  void anUnknownEventIsSkippedAndCounted() {
    TraceReport plain, report;
    QCOMPARE(verdict(goodTrace(), &plain), std::string());
    const std::string bytes =
        lengthened(10, {{"event", "prefix_guessed"}, {"data", {{"sequence", 1}, {"tokens", {1, 2}}}}});
    QCOMPARE(verdict(bytes, &report), std::string());
    QVERIFY(report.skipped > 100 && report.whole);
    QCOMPARE(report.unknown, (std::map<std::string, std::int64_t>{{"prefix_guessed", report.skipped}}));
    QCOMPARE(report.events, plain.events);
    QCOMPARE(report.steps, plain.steps);
    QCOMPARE(report.snapshots, plain.snapshots);

    std::int64_t accepted = 0, skipped = 0, last = -1;
    const TraceReading reading = parseTrace(
        bytes, [&](const Event&) { ++accepted; },
        [&](const Event& event) {
          ++skipped;
          QVERIFY(event.number > last && event.run == 7);
          last = event.number;
        });
    QCOMPARE(accepted, plain.events);
    QCOMPARE(skipped, report.skipped);
    QCOMPARE(reading.unknown, report.unknown);
  }

  // A skipped event has a number, so that one that is lost is still found.
  void aLostUnknownEventIsAGap() {
    std::vector<std::string> lines = linesOf(lengthened(10, {{"event", "prefix_guessed"}}));
    const auto unknown = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
      return line.find("prefix_guessed") != std::string::npos;
    });
    lines.erase(unknown);
    const std::string said = verdict(joined(lines));
    QVERIFY2(said.find("an event is missing or repeated") != std::string::npos, said.c_str());
  }

  void anEventWithAnUnknownWordIsSkipped() {
    const std::string bytes = edited([](Json& event) {
      if (event["event"] == "phase_started" && event["phase"] == "commit") event["data"]["phase"] = "wonder";
    });
    TraceReport report;
    QCOMPARE(verdict(bytes, &report), std::string());
    QCOMPARE(report.skipped, std::int64_t{report.steps});
    QCOMPARE(report.unknown,
             (std::map<std::string, std::int64_t>{{"phase_started (phase \"wonder\")", report.skipped}}));
  }

  // Without engine_loaded nothing could be read, so its options have their defaults.
  void anUnknownOptionOfTheEngineHasItsDefault() {
    const std::string bytes = edited([](Json& event) {
      if (event["event"] != "engine_loaded") return;
      event["data"]["policy"] = "by_colour";
      event["data"]["speculation"]["draft"] = "oracle";
    });
    TraceReport report;
    QCOMPARE(verdict(bytes, &report), std::string());
    QCOMPARE(report.skipped, std::int64_t{0});
    QCOMPARE(report.unknown, (std::map<std::string, std::int64_t>{{"engine_loaded (policy \"by_colour\")", 1},
                                                                  {"engine_loaded (draft \"oracle\")", 1}}));
    parseTrace(bytes, [](const Event& event) {
      if (const auto* loaded = bodyOf<EngineLoaded>(event)) QVERIFY(loaded->options.policy == Policy::kFcfs);
    });
  }

  void aStateThatNeedsASkippedEventSaysSo() {
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("t.vitrine").toStdString();
    std::ofstream(file, std::ios::binary) << edited([](Json& event) {
      if (event["event"] == "block_freed") event["event"] = "block_let_go";
    });
    try {
      verifyTrace(file);
      QFAIL("it was believed");
    } catch (const EngineError& error) {
      QCOMPARE(error.code(), ErrorCode::kFileCorrupt);
      QVERIFY2(error.hint().find("block_let_go") != std::string::npos, error.hint().c_str());
    }
  }

  void unknownNamesAreBounded() {
    int events = 0;
    const std::string bytes = edited([&](Json& event) {
      if (event["event"] != "engine_loaded")
        event["event"] = std::string(1000, 'x') + std::to_string(events++);
    });
    const TraceReading reading = parseTrace(bytes, [](const Event&) {});
    QCOMPARE(reading.skipped, std::int64_t{events});
    QVERIFY(reading.unknown.begin()->first.size() < 70);
    const std::string named = edited([&](Json& event) {
      if (event["event"] != "engine_loaded") event["event"] = "x" + std::to_string(events++);
    });
    const TraceReading many = parseTrace(named, [](const Event&) {});
    QCOMPARE(many.unknown.size(), std::size_t{33});
    QCOMPARE(many.unknown.at("others"), many.skipped - 32);
  }

  void anotherVersionIsRefused_data() {
    QTest::addColumn<QString>("version");
    QTest::addColumn<QString>("hint");
    QTest::newRow("1") << "1"
                       << "record the trace again";
    QTest::newRow("2") << "2"
                       << "record the trace again";
    QTest::newRow("4") << "4"
                       << "the newer program";
  }
  void anotherVersionIsRefused() {
    QFETCH(QString, version);
    QFETCH(QString, hint);
    const std::string number = version.toStdString();
    try {
      parseTrace("{\"format\":\"vitrine-trace\",\"version\":" + number + "}\n", [](const Event&) {});
      QFAIL("it was read");
    } catch (const EngineError& error) {
      QCOMPARE(error.code(), ErrorCode::kUnsupported);
      QCOMPARE(std::string(error.what()), "trace version " + number + " is not known here");
      QVERIFY2(error.hint().find("version 3") != std::string::npos, error.hint().c_str());
      QVERIFY2(error.hint().find(hint.toStdString()) != std::string::npos, error.hint().c_str());
    }
  }

  void aRecordedVersion2IsRefused() {
    const std::string file = goldenFile("version-2.vitrine");
    try {
      verifyTrace(file);
      QFAIL("it was read");
    } catch (const EngineError& error) {
      QCOMPARE(error.code(), ErrorCode::kUnsupported);
      QCOMPARE(std::string(error.what()), file + ": trace version 2 is not known here");
      QVERIFY(error.hint().find("record the trace again") != std::string::npos);
    }
  }

  void theGoldenRunVerifies() {
    const TraceReport report = verifyTrace(goldenFile("version-3.vitrine"));
    QVERIFY(report.whole && report.unknown.empty());
    QCOMPARE(report.steps, 13);
  }

  // What version 3 once wrote it can write for good: each event comes back with all its values, under its
  // names.
  void theGoldensComeBackWhole_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("a run") << "version-3.vitrine";
    QTest::newRow("every event of the first version 3") << "every-event-3.vitrine";
  }
  void theGoldensComeBackWhole() {
    QFETCH(QString, name);
    const std::string bytes = test::bytesOf(goldenFile(name.toUtf8().constData()));
    const std::vector<Json> lines = parsed(bytes);
    std::size_t at = 0;
    const TraceReading reading = parseTrace(bytes, [&](const Event& event) {
      const Json& stored = lines.at(++at);
      const Json now = Json::parse(eventToJson(event));
      QVERIFY2(holds(now, stored), (stored.dump() + "\n" + now.dump()).c_str());
    });
    QCOMPARE(at, lines.size() - 2);
    QVERIFY(reading.whole && reading.unknown.empty());
  }

  // No event and no field of version 3 is ever taken away or has another type; an enum only gets more words.
  void todaysSchemaHoldsTheGoldenOne() {
    const Json then = parsed(test::bytesOf(goldenFile("every-event-3.vitrine"))).front()["schema"];
    const Json now = parsed(goodTrace()).front()["schema"];
    QVERIFY(then["events"].size() >= 46 && then["structs"].size() >= 14);
    for (const char* part : {"events", "structs"})
      for (const auto& [name, fields] : then[part].items()) {
        QVERIFY2(now[part].contains(name), name.c_str());
        for (const Json& field : fields) {
          const auto includes = [&](const Json& one) { return fieldIncludes(one, field); };
          QVERIFY2(std::any_of(now[part][name].begin(), now[part][name].end(), includes),
                   (name + " " + field.get<std::string>()).c_str());
        }
      }
  }
};

QTEST_APPLESS_MAIN(TestTraceVersions)
#include "tst_trace_versions.moc"
