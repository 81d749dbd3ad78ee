// A run that is seen from outside: its events are those of a trace that holds, whatever a server sends.
#include "connect/outside_run.h"

#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "vitrine/trace.h"
#include "vitrine/trace_verifier.h"

using namespace vitrine;
using namespace vitrine::connect;

namespace {

SeenEngine vllm() { return {"http://10.0.0.5:8000", "vLLM", "Qwen3", 4096, 16}; }

struct Seen {
  std::int64_t now = 0;
  OutsideRun run{vllm(), [this] { return now += 1000; }};
  TraceVerifier verifier;
  std::vector<Event> events;

  void take() {
    for (Event& event : run.take()) {
      verifier.add(event);
      events.push_back(std::move(event));
    }
  }
  const SequenceState& sequence(SequenceId id) const { return run.state().sequences.at(id); }
};

ChatChunk chunkOf(std::string text, std::vector<ChatToken> tokens = {}) {
  return {"", std::move(text), std::move(tokens)};
}

Request asked(const char* name) {
  Request request;
  request.name = name;
  request.prompt = "Why?";
  return request;
}

KvEventBatch batchOf(KvEvent event) { return {0, {std::move(event)}, {}, 0}; }
KvStored stored(std::vector<KvHash> hashes, std::optional<KvHash> parent) {
  return {std::move(hashes), parent, {}, 16, "GPU", {}, 0};
}

template <typename T>
const T* lastOf(const std::vector<Event>& events) {
  for (auto event = events.rbegin(); event != events.rend(); ++event)
    if (const T* body = bodyOf<T>(*event)) return body;
  return nullptr;
}

}  // namespace

class TestOutsideRun : public QObject {
  Q_OBJECT

 private slots:
  void anAnswerIsARequest() {
    Seen seen;
    const RequestId request = seen.run.submit(asked("chat"));
    seen.take();
    QVERIFY(seen.events.size() == 2 && bodyOf<EngineLoaded>(seen.events[0])->isFromOutside());
    QVERIFY(seen.run.state().isFromOutside());
    QCOMPARE(seen.run.state().waiting.size(), std::size_t{1});
    seen.run.add(request, chunkOf("Hi", {{"Hi", -0.5, {{"Yo", -2.0}, {"Hi", -0.5}}}}));
    seen.run.add(request, chunkOf(" you", {{" you", -1.0}}));
    ChatChunk last;
    last.end = FinishReason::kStop;
    last.usage = ChatUsage{7, 2, 4};
    seen.run.add(request, last);
    QCOMPARE(seen.run.state().running.size(), std::size_t{1});
    seen.run.end(request);
    seen.take();
    QVERIFY(!seen.run.isUnderWay(request));
    QCOMPARE(seen.sequence(1).text, std::string("Hi you"));
    QCOMPARE(seen.sequence(1).tokens.size(), std::size_t{2});
    QCOMPARE(seen.run.state().step, 2);
    const auto* finished = lastOf<RequestFinished>(seen.events);
    QVERIFY(finished->reason == FinishReason::kStop && finished->promptTokens == 7 &&
            finished->cachedTokens == 4 && finished->ttftNs > 0 && finished->totalNs > finished->ttftNs);
    const auto* candidates = lastOf<TokenCandidates>(seen.events);
    QVERIFY(candidates->pieces == std::vector<std::string>({"Hi", "Yo"}));
    QCOMPARE(candidates->stages.at(0).top.at(0).token, candidates->chosen);
    QVERIFY(qAbs(candidates->stages.at(0).top.at(0).probability - std::exp(-0.5F)) < 1e-6F);
  }

  // One text, one number, in answers and among alternatives.
  void aTextKeepsItsNumber() {
    Seen seen;
    const RequestId request = seen.run.submit(asked("chat"));
    for (const char* text : {"a", "b", "a"}) seen.run.add(request, chunkOf(text));
    seen.take();
    QVERIFY(seen.sequence(1).tokens == std::vector<TokenId>({-2, -3, -2}));
    QVERIFY(lastOf<TokenSampled>(seen.events)->logprob > 0);  // not told
  }

  // The text of a character comes with the last token that has bytes of it; a stop string's text never comes.
  void aTokenHasItsPartOfTheText() {
    Seen seen;
    const RequestId request = seen.run.submit(asked("chat"));
    seen.run.add(request, chunkOf("ab", {{"a", -1}, {"b", -1}}));
    seen.run.add(request, chunkOf("", {{"\xc3", -1}}));
    seen.run.add(request, chunkOf("\xc3\xa9!", {{"\xa9", -1}, {"!", -1}}));
    seen.run.add(request, chunkOf("", {{"</s>", -1}}));
    seen.take();
    std::vector<std::string> texts;
    for (const Event& event : seen.events)
      if (const auto* sampled = bodyOf<TokenSampled>(event)) texts.push_back(sampled->text);
    QVERIFY(texts == std::vector<std::string>({"a", "b", "", "\xc3\xa9", "!", ""}));
    QCOMPARE(seen.sequence(1).text, std::string("ab\xc3\xa9!"));
  }

  void aThoughtHasMarks() {
    Seen seen;
    const RequestId request = seen.run.submit(asked("chat"));
    for (const char* thought : {"Hm", ", so"}) seen.run.add(request, {thought, ""});
    for (const char* text : {"Yes", "."}) seen.run.add(request, chunkOf(text));
    seen.take();
    QCOMPARE(seen.sequence(1).text, std::string("<think>\nHm, so\n</think>\n\nYes."));
  }

  void anAnswerWithoutAnEndHasFailed() {
    Seen seen;
    const RequestId first = seen.run.submit(asked("one")), second = seen.run.submit(asked("two"));
    seen.run.add(first, chunkOf("a"));
    seen.run.end(first);
    seen.run.end(second, FinishReason::kCancelled);  // it never had a token
    seen.take();
    QCOMPARE(seen.sequence(1).finishReason, FinishReason::kFailed);
    QVERIFY(seen.run.state().requests.at(2).cancelled);
    QCOMPARE(lastOf<RequestFinished>(seen.events)->ttftNs, 0);
  }

  // A block keeps its place; one that goes leaves it to the next one.
  void kvEventsAreCachedBlocks() {
    Seen seen;
    const auto cached = [&] {
      std::vector<std::uint64_t> hashes;
      for (const BlockState& block : seen.run.state().blocks) hashes.push_back(block.hash);
      return hashes;
    };
    seen.run.add(batchOf(stored({11, 12}, std::nullopt)));
    seen.run.add(batchOf(stored({12, 13}, 11)));  // told again
    seen.take();
    QVERIFY(cached() == std::vector<std::uint64_t>({11, 12, 13}));
    QCOMPARE(seen.run.state().step, 2);
    QCOMPARE(lastOf<BlockCached>(seen.events)->parentHash, std::uint64_t{12});
    seen.run.add(batchOf(KvRemoved{{12, 99}, "GPU", 0}));
    seen.run.add(batchOf(stored({14}, 13)));
    seen.take();
    QVERIFY(cached() == std::vector<std::uint64_t>({11, 14, 13}));
    // What lies elsewhere is no block of the device; a hash of another group is another block.
    KvStored elsewhere = stored({15}, std::nullopt), group = stored({11}, std::nullopt);
    elsewhere.medium = "CPU";
    group.group = 1;
    seen.run.add(batchOf(elsewhere));
    seen.run.add(batchOf(KvRemoved{{11}, "CPU", 0}));
    seen.run.add(batchOf(group));
    seen.take();
    QCOMPARE(cached().size(), std::size_t{4});
    seen.run.add(batchOf(KvCleared{}));
    seen.take();
    QVERIFY(cached() == std::vector<std::uint64_t>(4, 0));
  }

  // A trace with both is damaged: an engine of ours has a pool.
  void aPoolIsNotSeenFromOutside() {
    Seen seen;
    Event loaded = seen.run.take().front();
    EngineLoaded body = *bodyOf<EngineLoaded>(loaded);
    body.options.numBlocks = 4;
    loaded.body = body;
    MachineState state;
    QVERIFY_THROWS_EXCEPTION(EngineError, state.apply(loaded));
    body.options.numBlocks = 0;
    body.server.clear();
    loaded.body = body;
    QVERIFY_THROWS_EXCEPTION(EngineError, state.apply(loaded));
  }

  // Requests that begin, write and end in any order: every event fits, and so does a trace of them.
  void whateverComesIsARunThatHolds() {
    QTemporaryDir folder;
    for (unsigned seed = 0; seed < 20; ++seed) {
      Seen seen;
      std::mt19937 random(seed);
      std::vector<RequestId> open;
      for (int i = 0; i < 200; ++i) {
        const auto pick = [&] { return open[random() % open.size()]; };
        switch (open.empty() ? random() % 2 * 6 : random() % 8) {
          case 0:
            open.push_back(seen.run.submit(asked("r")));
            break;
          case 1: {
            const RequestId request = pick();
            seen.run.end(request, random() % 2 == 0 ? std::optional(FinishReason::kCancelled) : std::nullopt);
            std::erase(open, request);
            break;
          }
          case 6:
          case 7: {
            const KvHash hash = random() % 20, parent = random() % 20;
            if (random() % 3 == 0)
              seen.run.add(batchOf(KvRemoved{{hash, parent}, "", 0}));
            else if (random() % 20 == 0)
              seen.run.add(batchOf(KvCleared{}));
            else
              seen.run.add(batchOf(stored({hash}, parent)));
            break;
          }
          default:
            seen.run.add(pick(), chunkOf(random() % 3 == 0 ? "" : "x", {{"x", -1, {{"x", -1}, {"y", -2}}}}));
        }
        seen.take();
      }
      const std::string file = folder.filePath(QString::number(seed)).toStdString();
      {
        TraceWriter writer(file);
        for (const Event& event : seen.events) writer.publish(event);
        writer.finish();
      }
      const TraceReport report = verifyTrace(file);
      QCOMPARE(report.events - report.snapshots, static_cast<std::int64_t>(seen.events.size()));
    }
  }
};

QTEST_APPLESS_MAIN(TestOutsideRun)
#include "tst_outside_run.moc"
