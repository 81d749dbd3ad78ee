// Requests with a grammar in a whole engine: what is answered belongs to it, whatever decodes it; when an
// answer ends; what is refused; and that each draw is the model's own, given what is allowed.
#include "grammar/derive.h"
#include "grammar/gbnf.h"
#include "support/letter_tokenizer.h"
#include "support/replaying_sink.h"
#include "support/tiny_engine.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <cmath>
#include <random>
#include <set>

using namespace vitrine;

namespace {

TinyModel withLetters() {
  static const ModelConfig config = tinyConfig();
  return TinyModel(config);
}

Request lettersRequest(const std::string& grammar, int maxTokens = 24) {
  Request request;
  request.prompt = "Once";
  request.maxTokens = maxTokens;
  request.grammar = grammar;
  return request;
}

bool takes(const std::string& grammar, const std::string& text) {
  const Grammar parsed = parseGbnf(grammar);
  return test::Recogniser(parsed).accepts(text);
}

}  // namespace

class TestAnswerGrammar : public QObject {
  Q_OBJECT

  TinyModel m_model = withLetters();
  ReplayingSink m_sink;

  std::unique_ptr<Engine> engine(const EngineOptions& options = tinyOptions(64)) {
    m_model.tokenizer = std::make_shared<LetterTokenizer>();
    m_sink = ReplayingSink();
    return m_model.engine(options, m_sink, &m_model);
  }
  RequestResult ask(Engine& engine, const Request& request) {
    const RequestId id = engine.submit(request);
    engine.run();
    return engine.takeResult(id);
  }
  QByteArray refusal(const Request& request) {
    try {
      engine()->submit(request);
      return "taken";
    } catch (const EngineError& error) {
      return error.what();
    }
  }

 private slots:
  void whatEndsBelongsToTheGrammar_data() {
    QTest::addColumn<int>("beams");
    QTest::addColumn<int>("answers");
    QTest::addColumn<int>("drafter");
    QTest::addColumn<bool>("ignoreEos");
    QTest::newRow("alone") << 1 << 1 << 0 << false;
    QTest::newRow("several answers") << 1 << 4 << 0 << false;
    QTest::newRow("ignoring the end") << 1 << 2 << 0 << true;
    QTest::newRow("beams") << 4 << 3 << 0 << false;
    QTest::newRow("beams that ignore the end") << 3 << 3 << 0 << true;
    QTest::newRow("n-gram drafts") << 1 << 1 << static_cast<int>(DraftMethod::kNgram) << false;
    QTest::newRow("a model's drafts") << 1 << 2 << static_cast<int>(DraftMethod::kModel) << false;
    QTest::newRow("the first layers' drafts") << 1 << 1 << static_cast<int>(DraftMethod::kEarlyExit) << true;
  }
  void whatEndsBelongsToTheGrammar() {
    QFETCH(int, beams);
    QFETCH(int, answers);
    QFETCH(int, drafter);
    QFETCH(bool, ignoreEos);
    EngineOptions options = tinyOptions(96);
    options.speculation.drafter = static_cast<DraftMethod>(drafter);
    options.speculation.draftLength = 3;
    options.speculation.exitLayer = 1;
    options.speculation.draftModel = "the other one";
    const auto machine = engine(options);
    int whole = 0;
    for (const char* grammar :
         {"root ::= [A-F] [a-f]{2,4} \"x\"?", "root ::= (\"yes\" | \"no\" [0-9])+ \"0\"",
          "root ::= \"A\" root \"B\" | \"a\" root \"b\" | [x-z]", "root ::= [a-z]{2}"})
      for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Request request = lettersRequest(grammar);
        request.beamWidth = beams;
        request.sequences = answers;
        request.ignoreEos = ignoreEos;
        request.sampling = {.temperature = beams > 1 ? 0 : 1.5, .seed = seed};
        for (const SequenceResult& answer : ask(*machine, request).sequences) {
          if (answer.reason != FinishReason::kStop) continue;
          QVERIFY2(takes(grammar, answer.text), (std::string(grammar) + ": " + answer.text).c_str());
          ++whole;
        }
      }
    QVERIFY2(whole > 12 * answers, QByteArray::number(whole).constData());
  }

  // Some models end with a token that their tokenizer takes for text: it ends no answer before it is whole.
  void anEndTokenIsNoText() {
    const auto letters = std::make_shared<LetterTokenizer>();
    ModelConfig config = tinyConfig();
    config.eosTokens = letters->encode("U", false);
    TinyModel model(config);
    model.tokenizer = letters;
    m_sink = ReplayingSink();
    const auto machine = model.engine(tinyOptions(64), m_sink, &model);
    int whole = 0;
    for (const char* grammar : {"root ::= [T-W]{6}", "root ::= \"T\" [A-Z]{1,4} \"W\""})
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Request request = lettersRequest(grammar);
        request.sampling = {.temperature = 1.5, .seed = seed};
        const SequenceResult answer = ask(*machine, request).sequences.front();
        if (answer.reason != FinishReason::kStop) continue;
        QVERIFY2(takes(grammar, answer.text), (std::string(grammar) + ": " + answer.text).c_str());
        ++whole;
      }
    QVERIFY2(whole >= 24, QByteArray::number(whole).constData());
  }

  // Where nothing can follow, the answer ends with its last letter; it needs no end token.
  void anAnswerEndsWithItsLastLetter() {
    const auto machine = engine();
    Request request = lettersRequest("root ::= \"Gi\" [0-9]");
    const SequenceResult answer = ask(*machine, request).sequences.front();
    QCOMPARE(answer.tokenIds.size(), 3U);
    QVERIFY(answer.reason == FinishReason::kStop && answer.text.starts_with("Gi"));
    request.maxTokens = 2;
    const SequenceResult cut = ask(*machine, request).sequences.front();
    QVERIFY(cut.reason == FinishReason::kLength && cut.text == "Gi");
  }

  // The letters have no question mark: what cannot be written is no whole answer.
  void anAnswerThatCannotGoOnIsCut() {
    const auto machine = engine();
    const SequenceResult answer = ask(*machine, lettersRequest("root ::= \"Gi\" \"?\"")).sequences.front();
    QVERIFY(answer.reason == FinishReason::kLength && answer.text == "Gi");
    Request beams = lettersRequest("root ::= [A-C]{2} \"?\"");
    beams.beamWidth = 2;
    QVERIFY(ask(*machine, beams).sequences.front().reason == FinishReason::kLength);
  }

  // Also not where it allows fewer answers than the search has beams.
  void aSearchGivesNoForbiddenAnswer() {
    const auto machine = engine();
    for (const int maxTokens : {1, 24}) {
      Request request = lettersRequest("root ::= \"A\" | \"B\"", maxTokens);
      request.beamWidth = request.sequences = 4;
      std::set<std::string> texts;
      const RequestResult result = ask(*machine, request);
      for (const SequenceResult& answer : result.sequences) {
        QVERIFY(answer.reason == FinishReason::kStop && std::isfinite(answer.score));
        texts.insert(answer.text);
      }
      QCOMPARE(result.sequences.size(), texts.size());
      QVERIFY((texts == std::set<std::string>{"A", "B"}));
      QCOMPARE(m_sink.error, std::string());
    }
  }

  // Drafts by the same draw change no token, as without a grammar.
  void draftsChangeNoToken() {
    Request request = lettersRequest("root ::= ([A-F] [a-f]+ | [0-9]{2,4})*", 40);
    request.sampling = {.temperature = 1.2, .seed = 3};
    const auto plain = ask(*engine(), request).sequences.front().tokenIds;
    for (const DraftMethod drafter : {DraftMethod::kNgram, DraftMethod::kModel, DraftMethod::kEarlyExit}) {
      EngineOptions options = tinyOptions(64);
      options.speculation.drafter = drafter;
      options.speculation.adaptive = false;
      options.speculation.exitLayer = 1;
      options.speculation.draftModel = "the other one";
      const auto machine = engine(options);
      QCOMPARE(ask(*machine, request).sequences.front().tokenIds, plain);
      QVERIFY(m_sink.count<DraftProposed>() > 0);
    }
  }

  // A model that drafts for itself is never rejected: what it drafts is masked as what it draws.
  void draftsAreMaskedAsWell() {
    EngineOptions options = tinyOptions(64);
    options.speculation.drafter = DraftMethod::kModel;
    options.speculation.adaptive = false;
    options.speculation.draftModel = "the same one";
    const auto machine = engine(options);
    Request request = lettersRequest("root ::= [A-F] [a-f]{30}", 40);
    request.sampling = {.temperature = 1.5, .seed = 5};
    ask(*machine, request);
    QVERIFY(m_sink.count<DraftProposed>() > 2);
    QCOMPARE(m_sink.count<DraftRolledBack>(), 0);
  }

  void theEventSaysWhereTheAnswerIs() {
    std::vector<GrammarMasked> all;
    struct Sink final : EventSink {
      void publish(const Event& event) override {
        if (const auto* masked = bodyOf<GrammarMasked>(event)) found->push_back(*masked);
      }
      std::vector<GrammarMasked>* found;
    } sink;
    sink.found = &all;
    m_model.tokenizer = std::make_shared<LetterTokenizer>();
    const auto machine = m_model.engine(tinyOptions(), sink);
    ask(*machine, lettersRequest("root ::= name digits \"z\"\nname ::= \"Ab\"\ndigits ::= [0-3]{1,2}"));
    QVERIFY(all.size() >= 4);
    QCOMPARE(all[0].rules, (std::vector<std::string>{"root", "name"}));
    QCOMPARE(all[0].expected, "A");
    QCOMPARE(all[0].allowed, 1);
    QCOMPARE(all[0].position, 4);
    QCOMPARE(all[2].rules, (std::vector<std::string>{"root", "digits"}));
    QCOMPARE(all[2].expected, "0-3");
    QCOMPARE(all[2].allowed, 4);
    QVERIFY(!all[2].mayEnd);
  }

  void whatIsWrongIsRefused() {
    QVERIFY(refusal(lettersRequest("root ::= a")).contains("there is no rule \"a\""));
    QVERIFY(refusal(lettersRequest("root ::= \"\"")).contains("no token of the model's vocabulary begins"));
    QVERIFY(refusal(lettersRequest("root ::= \"?\"")).contains("no token of the model's vocabulary begins"));
    Request request = lettersRequest("root ::= \"A\"");
    request.choice = {"B"};
    QVERIFY(refusal(request).contains("each say what the whole answer is"));
    request = lettersRequest("");
    request.choice = {""};
    QVERIFY(refusal(request).contains("--choice must not be empty"));
    request = lettersRequest("root ::= \"ABC\"");
    request.outputIds = {0, 2};  // "AC"
    QVERIFY(refusal(request).contains("no beginning of an answer"));
    request.outputIds = {0, 1, 2};
    QVERIFY(refusal(request).contains("a whole answer of the grammar"));
    request.outputIds = {0, 1};
    QCOMPARE(refusal(request), "taken");
    m_model.tokenizer = nullptr;
    ReplayingSink sink;
    request.prompt.clear();
    request.tokenIds = {9};
    const auto machine = m_model.engine(tinyOptions(), sink);
    QVERIFY_THROWS_EXCEPTION(EngineError, machine->submit(request));
  }

  // The forced beginning counts as written.
  void aForcedBeginningIsFollowed() {
    const auto machine = engine();
    Request request = lettersRequest("root ::= \"AB\" [0-4] \"C\"");
    request.outputIds = {0, 1};
    const SequenceResult answer = ask(*machine, request).sequences.front();
    QVERIFY2(takes(request.grammar, answer.text), answer.text.c_str());
  }

  // Each draw: the model's own probabilities, given what is allowed. Chi-square over 40,000 first letters, at
  // temperature 1.5; with 14 degrees of freedom, 36.1 is passed once in a thousand times by chance.
  void drawsAreTheModelsOwnGivenTheGrammar() {
    const auto machine = engine();
    const auto prompt = LetterTokenizer().encode("Once", false);
    const std::vector<float> logits = machine->nextLogits(prompt, 0).logits;
    std::vector<TokenId> allowed;
    for (TokenId id = 0; id < 61; ++id)
      if (std::string_view("ADGJMPSVYbehk09").find(LetterTokenizer::kLetters[static_cast<std::size_t>(id)]) !=
          std::string_view::npos)
        allowed.push_back(id);
    double total = 0;
    const auto weight = [&](TokenId id) { return std::exp(logits[static_cast<std::size_t>(id)] / 1.5); };
    for (const TokenId id : allowed) total += weight(id);
    std::map<TokenId, int> counts;
    constexpr int kDraws = 40'000;
    constexpr int kAtOnce = 400;
    for (int i = 0; i < kDraws; i += kAtOnce) {
      std::vector<RequestId> ids;
      for (int k = 0; k < kAtOnce; ++k) {
        Request request = lettersRequest("root ::= [ADGJMPSVYbehk09]{3}", 1);
        request.sampling = {.temperature = 1.5, .seed = static_cast<std::uint64_t>(i + k)};
        ids.push_back(machine->submit(request));
      }
      machine->run();
      for (const RequestId id : ids) {
        ++counts[machine->takeResult(id).sequences.front().tokenIds.front()];
        machine->forget(id);
      }
    }
    double square = 0;
    int drawn = 0;
    for (const TokenId id : allowed) {
      const double expected = kDraws * weight(id) / total;
      QVERIFY(expected > 5);
      square += (counts[id] - expected) * (counts[id] - expected) / expected;
      drawn += counts[id];
    }
    QCOMPARE(drawn, kDraws);  // nothing else
    QVERIFY2(square < 36.1, QByteArray::number(square).constData());
  }
};

QTEST_GUILESS_MAIN(TestAnswerGrammar)
#include "tst_answer_grammar.moc"
