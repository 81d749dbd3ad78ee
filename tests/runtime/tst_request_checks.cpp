// What submission prepares and rejects, by the limits alone: no engine, no model.
#include "runtime/request_checks.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <optional>

using namespace vitrine;

namespace {

RequestLimits limits() {
  RequestLimits limits;
  limits.vocabularySize = 50;
  limits.contextLength = 40;
  limits.blockSize = 4;
  limits.totalBlocks = 10;
  limits.maxSequences = 3;
  return limits;
}

Request requestOf(int promptTokens, int maxTokens) {
  Request request;
  request.tokenIds.assign(static_cast<std::size_t>(promptTokens), 7);
  request.maxTokens = maxTokens;
  return request;
}

// Nothing when the request is accepted.
std::optional<ErrorCode> refusal(const RequestLimits& limits, Request request) {
  try {
    RequestChecks(limits, nullptr).prepare(request);
  } catch (const EngineError& error) {
    return error.code();
  }
  return std::nullopt;
}

}  // namespace

class TestRequestChecks : public QObject {
  Q_OBJECT

 private slots:
  void aPromptMustLeaveRoomInTheContext() {
    QVERIFY(!refusal(limits(), requestOf(39, 1)));
    QVERIFY(refusal(limits(), requestOf(40, 1)) == ErrorCode::kContextTooLong);
    QVERIFY(!refusal(limits(), requestOf(39, 1000)));  // the context's end ends the answer
  }

  // The frequencies of dynamic rope_scaling are computed within the context alone, and the refusal says so.
  void beyondADynamicContext() {
    const auto hint = [](bool stretches, bool examined) {
      RequestLimits limited = limits();
      limited.stretches = stretches;
      const RequestChecks checks(limited, nullptr);
      Request request = requestOf(50, 1);
      try {
        if (examined)
          checks.requireExaminable(request.tokenIds);
        else
          checks.prepare(request);
      } catch (const EngineError& error) {
        return error.code() == ErrorCode::kContextTooLong ? error.hint() : std::string("another error");
      }
      return std::string("no error");
    };
    for (const bool examined : {false, true}) {
      QVERIFY(hint(true, examined).find("rope_scaling is dynamic") != std::string::npos);
      QVERIFY(hint(false, examined).find("dynamic") == std::string::npos);
    }
  }

  // Without a limit of its own, an answer may be as long as the context, and as the pool alone, has room for.
  void aRequestWithoutALimitFits() {
    const auto granted = [](const RequestLimits& limits, Request request) {
      RequestChecks(limits, nullptr).prepare(request);
      return request.maxTokens;
    };
    RequestLimits roomy = limits();
    roomy.totalBlocks = 100;
    QCOMPARE(granted(roomy, requestOf(10, 0)), 30);
    QCOMPARE(granted(roomy, requestOf(39, 0)), 1);
    QVERIFY(refusal(roomy, requestOf(40, 0)) == ErrorCode::kContextTooLong);
    RequestLimits small = limits();
    small.totalBlocks = 3;
    QCOMPARE(granted(small, requestOf(5, 0)), 3 * small.blockSize - 5);
    QVERIFY(refusal(small, requestOf(3 * small.blockSize, 0)) == ErrorCode::kOutOfMemory);
    Request begun = requestOf(5, 0);
    begun.outputIds = {1, 2};
    QCOMPARE(granted(small, begun), 3 * small.blockSize - 5);
    Request beams = requestOf(small.blockSize + 1, 0);
    beams.beamWidth = 2;
    QCOMPARE(granted(small, beams), small.blockSize - 1);  // a block shared, and one for each beam
  }

  void aForcedBeginningMustLeaveSomethingToWrite() {
    const auto begun = [](std::vector<TokenId> ids, int maxTokens) {
      Request request = requestOf(4, maxTokens);
      request.outputIds = std::move(ids);
      return request;
    };
    RequestLimits ends = limits();
    ends.endTokens = {9};
    QVERIFY(!refusal(ends, begun({1, 2, 3}, 4)));
    QVERIFY(refusal(ends, begun({1, 2, 3}, 3)) == ErrorCode::kInvalidArgument);  // nothing is left to write
    QVERIFY(refusal(ends, begun({1, 50}, 4)) == ErrorCode::kInvalidArgument);    // an unknown id
    QVERIFY(refusal(ends, begun({1, 9, 2}, 4)) == ErrorCode::kInvalidArgument);  // it has ended
    Request goesOn = begun({1, 9, 2}, 4);
    goesOn.ignoreEos = true;
    QVERIFY(!refusal(ends, goesOn));
    Request beams = begun({1}, 4);
    beams.beamWidth = 2;
    QVERIFY(refusal(ends, beams) == ErrorCode::kInvalidArgument);
    Request long36 = begun({1, 2, 3, 4}, 5);
    long36.tokenIds.assign(36, 7);  // with the beginning, the whole context
    QVERIFY(refusal(ends, long36) == ErrorCode::kContextTooLong);
    long36.tokenIds.pop_back();
    QVERIFY(!refusal(ends, long36));
  }

  void aPromptNeedsKnownTokens() {
    QVERIFY(refusal(limits(), requestOf(0, 1)) == ErrorCode::kInvalidArgument);
    for (TokenId token : {-1, 50}) {
      Request request = requestOf(3, 1);
      request.tokenIds[1] = token;
      QVERIFY(refusal(limits(), request) == ErrorCode::kInvalidArgument);
    }
    Request last = requestOf(3, 1);
    last.tokenIds[1] = 49;
    QVERIFY(!refusal(limits(), last));
  }

  void aPromptAsTextNeedsATokenizer() {
    Request request;
    request.prompt = "abc";
    QVERIFY(refusal(limits(), request) == ErrorCode::kUnavailable);
  }

  void thePoolMustHoldTheWholeAnswer() {
    RequestLimits small = limits();
    small.totalBlocks = 5;
    QVERIFY(!refusal(small, requestOf(10, 10)));  // 20 tokens, 5 blocks
    QVERIFY(refusal(small, requestOf(10, 11)) == ErrorCode::kOutOfMemory);
  }

  // Two full blocks of the prompt are shared; each beam needs the other three for itself.
  void thePoolMustHoldAllBeams() {
    Request request = requestOf(8, 12);
    request.beamWidth = 2;
    RequestLimits exact = limits();
    exact.totalBlocks = 2 + 2 * 3;
    QVERIFY(!refusal(exact, request));
    exact.totalBlocks -= 1;
    QVERIFY(refusal(exact, request) == ErrorCode::kOutOfMemory);
  }

  void answersNeedSlots() {
    Request request = requestOf(4, 4);
    request.sequences = 3;
    QVERIFY(!refusal(limits(), request));
    request.sequences = 4;
    QVERIFY(refusal(limits(), request) == ErrorCode::kInvalidArgument);
  }

  void evictionLiftsTheContextLimit() {
    RequestLimits sinks = limits();
    sinks.eviction = {Eviction::kSinks, 4, 1, 4, 0};
    QVERIFY(!refusal(sinks, requestOf(500, 500)));
    QVERIFY(RequestChecks(sinks, nullptr).contextLimit() > 1'000'000);
    sinks.totalBlocks = sinks.eviction.mostBlocks() - 1;
    QVERIFY(refusal(sinks, requestOf(500, 500)) == ErrorCode::kOutOfMemory);
  }

  void beamsNeedACacheThatKeepsEverything() {
    Request request = requestOf(4, 4);
    request.beamWidth = 2;
    QVERIFY(!refusal(limits(), request));
    RequestLimits other = limits();
    other.kvCache = false;
    QVERIFY(refusal(other, request) == ErrorCode::kInvalidArgument);
    other = limits();
    other.eviction = {Eviction::kSinks, 4, 1, 4, 0};
    QVERIFY(refusal(other, request) == ErrorCode::kInvalidArgument);
  }

  void optionsOutOfRangeComeFirst() {
    Request request = requestOf(400, -1);
    QVERIFY(refusal(limits(), request) == ErrorCode::kInvalidArgument);
  }

  void anExaminedPromptMayFillTheContext() {
    const RequestChecks checks(limits(), nullptr);
    const auto refused = [&](const std::vector<TokenId>& tokens) -> std::optional<ErrorCode> {
      try {
        checks.requireExaminable(tokens);
      } catch (const EngineError& error) {
        return error.code();
      }
      return std::nullopt;
    };
    QVERIFY(refused({}) == ErrorCode::kInvalidArgument);
    QVERIFY(refused({50}) == ErrorCode::kInvalidArgument);
    QVERIFY(!refused(std::vector<TokenId>(40, 1)));
    QVERIFY(refused(std::vector<TokenId>(41, 1)) == ErrorCode::kContextTooLong);
  }
};

QTEST_APPLESS_MAIN(TestRequestChecks)
#include "tst_request_checks.moc"
