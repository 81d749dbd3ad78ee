// Which requests are served, by their headers alone.
#include "server/access_rules.h"

#include <QTest>

using namespace vitrine;
using namespace vitrine::server;

namespace {

constexpr const char* kToken = "0123456789abcdef";

// The status of a request with these headers; 0: it is served.
int statusOf(const AccessRules& rules, const HttpFields& headers, Access needed = Access::kSteer) {
  const auto refusal = rules.refusal({"GET", "/v1/models", "", headers, ""}, needed);
  return refusal ? refusal->status() : 0;
}

}  // namespace

class TestAccessRules : public QObject {
  Q_OBJECT

 private slots:
  void onLoopbackItsOwnNamesCount() {
    const AccessRules rules = AccessRules::forAddress("127.0.0.1", {"Box.Local"}, "");
    for (const char* host : {"localhost", "localhost:8000", "LOCALHOST:9", "127.0.0.1:8000", "[::1]:8000",
                             "[::1]", "box.local:1"})
      QVERIFY2(statusOf(rules, {{"host", host}}) == 0, host);
    for (const char* host :
         {"", "evil.example", "evil.example:8000", "localhost.evil.example", "192.168.0.9:8000",
          "127.0.0.1.evil.example", "localhost:8000:1", "[::2]", "localhost:x"})
      QVERIFY2(statusOf(rules, {{"host", host}}) == 403, host);
    QCOMPARE(statusOf(rules, {}), 400);
    QCOMPARE(statusOf(rules, {{"host", "localhost"}, {"host", "evil.example"}}), 400);
  }

  void elsewhereAddressesCountAndNamesDoNot() {
    const AccessRules rules = AccessRules::forAddress("0.0.0.0", {"box"}, kToken);
    const std::string bearer = std::string("Bearer ") + kToken;
    for (const char* host : {"192.168.0.9:8000", "[fe80::1]:8000", "box:8000", "localhost"})
      QVERIFY2(statusOf(rules, {{"host", host}, {"authorization", bearer}}) == 0, host);
    QCOMPARE(statusOf(rules, {{"host", "evil.example"}, {"authorization", bearer}}), 403);
  }

  void pagesOfOtherSitesAreRefused() {
    const AccessRules rules = AccessRules::forAddress("127.0.0.1", {}, "");
    const auto from = [&](const char* origin) {
      return statusOf(rules, {{"host", "localhost:8000"}, {"origin", origin}});
    };
    QCOMPARE(from("http://localhost:8000"), 0);
    for (const char* origin : {"http://localhost:3000", "https://localhost:8000", "http://127.0.0.1:8000",
                               "null", "", "http://evil.example", "http://localhost:8000.evil.example"})
      QVERIFY2(from(origin) == 403, origin);
  }

  void theTokenIsAskedFor() {
    const AccessRules rules = AccessRules::forAddress("127.0.0.1", {}, kToken);
    const auto with = [&](const std::string& authorization) {
      return statusOf(rules, {{"host", "localhost"}, {"authorization", authorization}});
    };
    QCOMPARE(with(std::string("Bearer ") + kToken), 0);
    QCOMPARE(with(std::string("bearer  ") + kToken), 0);
    for (const std::string& wrong :
         {std::string(), std::string(kToken), std::string("Bearer"), std::string("Bearer "),
          std::string("Basic ") + kToken, std::string("Bearer ") + kToken + "0",
          std::string("Bearer 0123456789abcde"), std::string("Bearer 0123456789abcdeF"),
          std::string("Bearer ") + kToken + kToken})
      QVERIFY2(with(wrong) == 401, wrong.c_str());
    QCOMPARE(statusOf(rules, {{"host", "localhost"}}), 401);
    QCOMPARE(statusOf(rules, {{"host", "localhost"}}, Access::kOpen), 0);
    const std::string right = std::string("Bearer ") + kToken;
    QCOMPARE(statusOf(rules, {{"host", "localhost"}, {"authorization", right}, {"authorization", right}}),
             401);
  }

  void aSecondTokenWatchesAlone() {
    const std::string watches = "fedcba9876543210";
    const AccessRules rules = AccessRules::forAddress("127.0.0.1", {}, kToken, watches);
    const auto with = [&](const std::string& token, Access needed) {
      return statusOf(rules, {{"host", "localhost"}, {"authorization", "Bearer " + token}}, needed);
    };
    QCOMPARE(with(watches, Access::kWatch), 0);
    QCOMPARE(with(watches, Access::kSteer), 403);
    QCOMPARE(with(kToken, Access::kWatch), 0);
    QCOMPARE(with(kToken, Access::kSteer), 0);
    QCOMPARE(with(watches + "0", Access::kWatch), 401);
    QCOMPARE(with("", Access::kWatch), 401);
    // Without one, nothing takes its place.
    const AccessRules one = AccessRules::forAddress("127.0.0.1", {}, kToken);
    QCOMPARE(statusOf(one, {{"host", "localhost"}, {"authorization", "Bearer "}}, Access::kWatch), 401);
    QCOMPARE(statusOf(one, {{"host", "localhost"}}, Access::kWatch), 401);
  }

  // A page cannot send Authorization with a WebSocket.
  void aSocketMayBringItsTokenAsAProtocol() {
    const AccessRules rules = AccessRules::forAddress("127.0.0.1", {}, kToken);
    const auto with = [&](const std::string& protocols, const HttpFields& more = {}) {
      HttpFields headers = {{"host", "localhost"},
                            {"connection", "keep-alive, Upgrade"},
                            {"upgrade", "WebSocket"},
                            {"sec-websocket-protocol", protocols}};
      headers.insert(headers.end(), more.begin(), more.end());
      return statusOf(rules, headers);
    };
    const std::string token = std::string("vitrine.token.") + kToken;
    QCOMPARE(with("vitrine.v1, " + token), 0);
    QCOMPARE(with(token + " ,vitrine.v1"), 0);
    QCOMPARE(with("vitrine.v1", {{"sec-websocket-protocol", token}}), 0);
    QCOMPARE(with("vitrine.v1"), 401);
    QCOMPARE(with("vitrine.token."), 401);
    QCOMPARE(with(token + "0"), 401);
    QCOMPARE(with(token + ", " + token), 401);
    QCOMPARE(with(token, {{"authorization", "Bearer mine"}}), 401);
    QCOMPARE(with(token, {{"origin", "http://evil.example"}}), 403);
    // Of a request that stays one the protocols say nothing.
    QCOMPARE(statusOf(rules, {{"host", "localhost"}, {"sec-websocket-protocol", token}}), 401);
  }

  void aRefusalShowsNoSecret() {
    const AccessRules rules = AccessRules::forAddress("127.0.0.1", {}, kToken);
    const HttpAnswer answer =
        rules
            .refusal({"GET", "/", "", {{"host", "localhost"}, {"authorization", "Bearer mine"}}, ""},
                     Access::kSteer)
            ->toAnswer();
    QVERIFY(answer.body.find(kToken) == std::string::npos && answer.body.find("mine") == std::string::npos);
    QCOMPARE(answer.headers.front().first, std::string("WWW-Authenticate"));
  }

  void tokensAreChecked() {
    requireToken(kToken);
    for (const std::string& bad : {std::string(), std::string("short"), std::string(513, 'x'),
                                   std::string("0123456789 abcdef"), std::string("0123456789\nabcdef"),
                                   std::string("0123456789\xc3\xa4"
                                               "abcdef")}) {
      try {
        requireToken(bad);
        QFAIL("it was taken");
      } catch (const UsageError& error) {
        QVERIFY(bad.size() < 6 || QByteArray(error.what()).indexOf(bad.c_str()) < 0);
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestAccessRules)
#include "tst_access_rules.moc"
