// What the window answers is what the command line generates: a branch from a token that was clicked in the
// window, and the same answer run again, against the program vitrine-cli with the same prompt, beginning,
// seed and sampling, as options of `generate` and as a request line of `run`.
#include <QApplication>
#include <QListWidget>
#include <QMenu>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "cli/cli_runner.h"
#include "common/argument_text.h"
#include "gui/answers/answer_branches.h"
#include "gui/answers/token_looker.h"
#include "support/chat_window.h"
#include "widgets/message/answer_text.h"
#include "widgets/message/token_popup.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr int kMaxTokens = 24, kWord = 3;
const QString kQuestion = QStringLiteral("Tell me a story about a fox.");

// Every number that a draw depends on differs from its default, and the seed needs all 64 bits.
SamplingOptions warm() {
  SamplingOptions sampling;
  sampling.temperature = 0.9;
  sampling.topP = 0.97;
  sampling.repetitionPenalty = 1.05;
  sampling.presencePenalty = 0.2;
  sampling.seed = 0xfedcba9876543211;
  return sampling;
}

QStringList samplingWords(const SamplingOptions& sampling) {
  const auto number = [](double value) { return QString::number(value, 'g', 17); };
  return {"--temperature",
          number(sampling.temperature),
          "--top-p",
          number(sampling.topP),
          "--repetition-penalty",
          number(sampling.repetitionPenalty),
          "--presence-penalty",
          number(sampling.presencePenalty),
          "--seed",
          QString::number(sampling.seed),
          "--max-tokens",
          QString::number(kMaxTokens)};
}

QString joined(const std::vector<TokenId>& ids) {
  QStringList words;
  for (const TokenId id : ids) words << QString::number(id);
  return words.join(',');
}

std::vector<TokenId> idsOf(const QJsonValue& sequences) {
  std::vector<TokenId> ids;
  for (const QJsonValue id : sequences[0][u"token_ids"].toArray()) ids.push_back(id.toInt());
  return ids;
}

// The tokens that the program prints; none when it fails.
std::vector<TokenId> generated(const QStringList& options) {
  const CliResult result = runCli(QStringList{"generate", "--json"} + options);
  if (result.status != 0) qWarning("%s", result.err.data());
  return idsOf(result.json()["sequences"]);
}

class Window : public ChatWindow {
 public:
  explicit Window(const QString& file) : ChatWindow(kMaxTokens, file) {
    emit window.panels().controls->samplingChanged(warm());
    QObject::connect(&window.session(), &Session::requestSubmitted, &window,
                     [this](const RequestSubmitted& submitted) { asked = submitted; });
  }
  qint64 answer() { return chat().at(1).message; }
  std::vector<TokenId> ids() {
    std::vector<TokenId> all;
    for (const AnswerToken& token : desk().history().tokens(answer())) all.push_back(token.id);
    return all;
  }
  bool answeredInPlaceOf(qint64 other) {
    return waitUntil([&] { return answer() != other; }) && answered(2);
  }

  // The program's answer to what was asked last: as options, as a line, and as a person would ask for it.
  std::vector<TokenId> fromOptions() {
    QStringList options = {"--token-ids", joined(asked.asked.tokenIds)};
    if (!asked.asked.outputIds.empty()) options << "--output-ids" << joined(asked.asked.outputIds);
    return generated(options + samplingWords(warm()));
  }
  std::vector<TokenId> fromLine(const QString& file) {
    Json line = {{"token_ids", asked.asked.tokenIds},
                 {"temperature", warm().temperature},
                 {"top_p", warm().topP},
                 {"repetition_penalty", warm().repetitionPenalty},
                 {"presence_penalty", warm().presencePenalty},
                 {"seed", warm().seed},
                 {"max_tokens", kMaxTokens}};
    if (!asked.asked.outputIds.empty()) line["output_ids"] = asked.asked.outputIds;
    const QString written = writeTo(file, QByteArray::fromStdString(oneLine(line)) + '\n');
    const CliResult result = runCli({"run", "--json", "--requests", written});
    if (result.status != 0) qWarning("%s", result.err.data());
    return idsOf(result.json()["requests"][0][u"sequences"]);
  }
  std::vector<TokenId> fromQuestion() {
    QStringList options = {"--chat", "--prompt", kQuestion};
    if (!asked.asked.outputIds.empty()) options << "--output-ids" << joined(asked.asked.outputIds);
    return generated(options + samplingWords(warm()));
  }

  // A click on the first letter of a word of the answer, and one on a token that was not drawn.
  bool branchFromWord(int number) {
    AnswerText* const text = view().answer(answer());
    const QString shown = chat().at(1).text;
    qsizetype at = 0;
    for (int i = 0; i < number; ++i) at = shown.indexOf(u' ', at) + 1;
    const auto byte = static_cast<std::size_t>(shown.left(at).toUtf8().size());
    const QPoint place = text->placeOf(byte, byte + 1).center() - text->viewport()->pos();
    QTest::mouseClick(text->viewport(), Qt::LeftButton, {}, place);
    TokenPopup& popup = window.chats().branches().looker().popup();
    QListWidget* const list = popup.list();
    if (!waitUntil([&] { return popup.isVisible() && list->count() > 1; })) return false;
    constexpr int kDrawn = Qt::UserRole + 1;
    QListWidgetItem* const other = list->item(list->item(0)->data(kDrawn).toBool() ? 1 : 0);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(other).center());
    return true;
  }
  bool runAgain() {
    if (!press(QStringLiteral("⋯"))) return false;
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    if (menu == nullptr) return false;
    for (QAction* action : menu->actions()) {
      if (action->text().remove(u'&') != u"Run again exactly" || !action->isEnabled()) continue;
      QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
      return true;
    }
    menu->close();
    return false;
  }

  RequestSubmitted asked;  // the last one
};

}  // namespace

class TestBranchCli : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void aBranchIsWhatTheProgramGenerates() {
    Window w(m_folder.filePath("branch.db"));
    QVERIFY(w.openModel());
    w.ask(kQuestion);
    QVERIFY(w.answered(2));
    const qint64 first = w.answer();
    const std::vector<TokenId> whole = w.ids();
    QCOMPARE(whole, w.fromOptions());
    QCOMPARE(whole, w.fromQuestion());

    QVERIFY(w.branchFromWord(kWord));
    QVERIFY(w.answeredInPlaceOf(first));
    const qint64 branch = w.answer();
    const std::vector<TokenId> branched = w.ids(), begun = w.asked.asked.outputIds;
    QVERIFY(begun.size() > 1 && begun.size() < branched.size());
    QVERIFY(std::equal(begun.begin(), begun.end(), branched.begin()));
    QVERIFY(!std::equal(begun.begin(), begun.end(), whole.begin()));
    QCOMPARE(branched, w.fromOptions());
    QCOMPARE(branched, w.fromLine(m_folder.filePath("branch.jsonl")));
    QCOMPARE(branched, w.fromQuestion());

    QVERIFY(w.runAgain());
    QVERIFY(w.answeredInPlaceOf(branch));
    QCOMPARE(w.asked.asked.outputIds, begun);
    QCOMPARE(w.ids(), branched);
    QTRY_VERIFY_WITH_TIMEOUT(w.chat().at(1).note.contains("Token for token the same"), kPatience);
  }
};

QTEST_MAIN(TestBranchCli)
#include "tst_branch_cli.moc"
