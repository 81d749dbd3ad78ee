// The engine from outside: requests in, tokens and events out, and what happens when something is refused,
// withdrawn or fails.
#include "support/event_log.h"
#include "support/tiny_engine.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <cmath>
#include <functional>

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;

const TinyModel& model() {
  static const TinyModel tiny;
  return tiny;
}

[[maybe_unused]] ErrorCode codeOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const EngineError& error) {
    return error.code();
  }
  return ErrorCode::kIo;  // no error: no test expects this one
}

Tokens answer(Engine& engine, Request request) {
  const RequestId id = engine.submit(std::move(request));
  engine.run();
  return engine.takeResult(id).sequences.at(0).tokenIds;
}

}  // namespace

class TestEngine : public QObject {
  Q_OBJECT

 private slots:
  void generatesAsManyTokensAsAsked() {
    EventLog log;
    const auto engine = model().engine(tinyOptions(), log);
    QCOMPARE(answer(*engine, tinyRequest({1, 2, 3, 4, 5, 6}, 10)).size(), std::size_t{10});
    QVERIFY(!engine->hasWork());
  }
};

QTEST_APPLESS_MAIN(TestEngine)
#include "tst_engine.moc"
