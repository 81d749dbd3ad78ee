// The window in another language: every text has its words in each, with the same placeholders; nothing that
// is in sight stays English; and the language is chosen at once, while the run goes on from the same step.
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QProcess>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QXmlStreamReader>

#include "gui/bars/phase_strip.h"
#include "gui/compare/compare_opening.h"
#include "gui/compare/compare_window.h"
#include "gui/lessons/lesson_guide.h"
#include "gui/lessons/lesson_model.h"
#include "gui/panels/panel_dock.h"
#include "gui/parts/message_bar.h"
#include "gui/window/program_window.h"
#include "support/window_bench.h"
#include "vitrine/state_digest.h"
#include "widgets/explain/headline_view.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

const QString kSources = QStringLiteral(VITRINE_SOURCE_DIR);

struct Message {
  QString context, source;
  QStringList words;  // one, or one for each form of a number
  bool isFinished = false;
};

std::vector<Message> messagesOf(const QString& file) {
  QFile read(file);
  std::vector<Message> all;
  if (!read.open(QIODevice::ReadOnly)) return all;
  QXmlStreamReader xml(&read);
  QString context;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    const QStringView name = xml.name();
    if (name == u"name") context = xml.readElementText();
    if (name == u"message") all.push_back({context, {}, {}, false});
    if (name == u"source") all.back().source = xml.readElementText();
    if (name == u"numerusform") all.back().words << xml.readElementText();
    if (name != u"translation") continue;
    all.back().isFinished = !xml.attributes().hasAttribute("type");
    // Forms are elements of their own.
    QString words;
    while (xml.readNext() == QXmlStreamReader::Characters) words += xml.text();
    if (xml.tokenType() == QXmlStreamReader::StartElement)
      all.back().words << xml.readElementText();
    else
      all.back().words << words;
  }
  return xml.hasError() ? std::vector<Message>() : all;
}

QStringList placeholdersOf(const QString& text) {
  static const QRegularExpression placeholder("%L?\\d|%L?n");
  QStringList all;
  for (auto match = placeholder.globalMatch(text); match.hasNext();) all << match.next().captured();
  all.removeDuplicates();
  all.sort();
  return all;
}

bool hasIdeograph(const QString& text) {
  return std::ranges::any_of(text, [](QChar c) { return c.script() == QChar::Script_Han; });
}

// Names, numbers and marks are the same in any language.
bool mayStayLatin(const QString& text) {
  static const QRegularExpression names(
      "^(Vitrine|English|KV|CPU|GPU|top-[kp]|T|k, "
      "p|R\\d+|[A-Z]|AVX.*|NEON.*|Qt|logits?|ITL|TTFT|p\\d\\d|Alt.*|Ctrl.*|"
      "F\\d+|token…|Built-in model( ▾)?|RoPE|MLP|fit|state [0-9a-f]+|.*tok/s|.* ms|[0-9a-f ]+|\\W*)$");
  static const QRegularExpression latin("[A-Za-z]{3,}");
  return !latin.match(text).hasMatch() || names.match(text).hasMatch();
}

bool isPrompt(const QString& text) { return text.endsWith('?') || text.startsWith("Tell me"); }

// Texts of the window's parts in sight, and of its menus, each with the kind of part.
QStringList englishIn(const QWidget& window) {
  QStringList english;
  const auto note = [&](const QObject* part, QString text) {
    text.remove('&');
    if (text.isEmpty() || hasIdeograph(text) || mayStayLatin(text)) return;
    english << QString("%1 %2: %3").arg(part->metaObject()->className(), part->objectName(), text);
  };
  for (const QLabel* label : window.findChildren<QLabel*>())
    if (label->isVisible()) note(label, label->text());
  // What the chat suggests to ask is a prompt: the built-in model reads English.
  for (const QAbstractButton* button : window.findChildren<QAbstractButton*>())
    if (button->isVisible() && !isPrompt(button->text())) note(button, button->text());
  for (const QTabBar* tabs : window.findChildren<QTabBar*>())
    for (int i = 0; i < tabs->count(); ++i) note(tabs, tabs->tabText(i));
  for (const PanelDock* dock : window.findChildren<PanelDock*>()) note(dock, dock->windowTitle());
  for (const QAction* action : window.findChildren<QAction*>())
    if (action->isVisible() && !action->isSeparator()) {
      note(action, action->text());
      if (action->toolTip() != QString(action->text()).remove('&')) note(action, action->toolTip());
    }
  return english;
}

}  // namespace

class TestLanguage : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;

  static void speak(const char* language) {
    QLocale::setDefault(QLocale(language));
    installTranslations(*QCoreApplication::instance(), QLocale(language));
  }

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }
  void init() { QSettings().clear(); }
  void cleanup() { speak("en"); }

  void eachTextHasItsWords_data() {
    QTest::addColumn<QString>("file");
    for (const OfferedLanguage& language : offeredLanguages())
      QTest::newRow(qPrintable(language.key))
          << kSources + "/resources/translations/vitrine_" + language.key + ".ts";
  }
  void eachTextHasItsWords() {
    QFETCH(const QString, file);
    const std::vector<Message> all = messagesOf(file);
    QVERIFY(all.size() > 50);
    for (const Message& message : all) {
      const QByteArray where = QString("%1: %2").arg(message.context, message.source).toUtf8();
      QVERIFY2(message.isFinished, where);
      for (const QString& words : message.words) {
        QVERIFY2(!words.isEmpty(), where);
        // English writes no number where it is one.
        QStringList wanted = placeholdersOf(message.source), there = placeholdersOf(words);
        if (file.contains("_en.")) wanted.removeAll("%n"), there.removeAll("%n");
        QVERIFY2(wanted == there, where + " -> " + words.toUtf8());
      }
    }
  }

  // A text that was written since is found here.
  void noTextIsMissing() {
    const QString lupdate = QStringLiteral(VITRINE_LUPDATE);
    if (lupdate.isEmpty()) QSKIP("there is no lupdate here");
    const QTemporaryDir folder;
    const QString copy = folder.filePath("vitrine_zh_CN.ts");
    QVERIFY(QFile::copy(kSources + "/resources/translations/vitrine_zh_CN.ts", copy));
    // The texts of options stand in tables; the command line writes them as literals.
    QProcess texts, run;
    texts.setStandardOutputFile(folder.filePath("option_texts.cpp"));
    texts.start(QStringLiteral(VITRINE_CLI), {"--option-texts"});
    QVERIFY(texts.waitForFinished(60000) && texts.exitCode() == 0);
    run.setWorkingDirectory(kSources);
    run.start(lupdate, {"-silent",
                        "-no-obsolete",
                        "-locations",
                        "none",
                        "-I",
                        ".",
                        "-I",
                        "engine/include",
                        "-I",
                        "app",
                        "-I",
                        "engine",
                        "-tr-function-alias",
                        "Q_DECLARE_TR_FUNCTIONS+=VITRINE_PROSE_CONTEXT",
                        folder.path(),
                        "widgets",
                        "app/gui",
                        "app/desk",
                        "app/catalog",
                        "app/history",
                        "engine/prose",
                        "app/bench_results",
                        "-ts",
                        copy});
    QVERIFY(run.waitForFinished(120000) && run.exitCode() == 0);
    const std::vector<Message> all = messagesOf(copy);
    QVERIFY(all.size() > 3000);
    QStringList missing;
    for (const Message& message : all)
      if (!message.isFinished) missing << message.context + ": " + message.source;
    QVERIFY2(missing.isEmpty(), qPrintable("\n" + missing.join('\n')));
    QCOMPARE(all.size(), messagesOf(kSources + "/resources/translations/vitrine_zh_CN.ts").size());
  }

  void nothingInSightIsEnglish_data() {
    QTest::addColumn<int>("perspective");
    for (const Perspective one : {Perspective::kChat, Perspective::kStep, Perspective::kPresent})
      QTest::newRow(qPrintable(Perspectives::keyOf(one))) << static_cast<int>(one);
  }
  void nothingInSightIsEnglish() {
    QFETCH(const int, perspective);
    speak("zh_CN");
    ShownWindow w(static_cast<Perspective>(perspective));
    QVERIFY(w.openModel());
    if (static_cast<Perspective>(perspective) != Perspective::kChat) QVERIFY(w.stepTimes(2));
    const QStringList english = englishIn(w.window);
    QVERIFY2(english.isEmpty(), qPrintable("\n" + english.join('\n')));
    QVERIFY(w.window.menuBar()->actions().size() > 5);
    if (static_cast<Perspective>(perspective) == Perspective::kStep)
      QVERIFY2(hasIdeograph(w.window.headline().text()), qPrintable(w.window.headline().text()));
  }

  void lessonsAndComparisonsAreSpoken() {
    speak("zh_CN");
    ShownWindow w;
    QVERIFY(w.openModel());
    w.window.lessons().open("paging");
    const LessonModel& lesson = *w.window.panels().lessonModel;
    QVERIFY(lesson.isOpen());
    QVERIFY(hasIdeograph(QString::fromStdString(lesson.lesson().title)));
    QVERIFY2(englishIn(w.window).isEmpty(), qPrintable("\n" + englishIn(w.window).join('\n')));
    CompareWindow& compare =
        *w.window.comparing().open(readScenario("six-blocks", InputKind::kFile, "zh_CN"));
    QVERIFY(waitUntil([&] { return compare.pair().canStep(); }));
    compare.pair().stepBoth();
    QVERIFY(waitUntil([&] { return compare.pair().step() == 1; }));
    QVERIFY2(englishIn(compare).isEmpty(), qPrintable("\n" + englishIn(compare).join('\n')));
    for (const QComboBox* box : {compare.scenarios(), compare.changes()})
      for (int i = 0; i < box->count(); ++i)
        QVERIFY2(hasIdeograph(box->itemText(i)) || mayStayLatin(box->itemText(i)),
                 qPrintable(box->itemText(i)));
  }

  // At once, and the machine goes on where it stood.
  void theRunComesAlong() {
    ProgramWindow program({}, {});
    program.show();
    program.window().showPerspective(Perspective::kStep);
    program.window().openScenario("six-blocks");
    QVERIFY(waitUntil([&] {
      return program.window().host().mode() == MachineMode::kPaused &&
             program.window().loading().current().scenario;
    }));
    for (int i = 1; i <= 5; ++i) {
      program.window().step();
      QVERIFY(waitUntil([&] { return program.window().session().finishedStep() == i; }));
    }
    const std::uint64_t digest = stateDigest(program.window().session().state());
    QSignalSpy remade(&program, &ProgramWindow::remade);
    Settings().language.set("zh_CN");
    emit program.window().languageChosen();
    QVERIFY(waitUntil([&] { return remade.count() == 1; }));
    MainWindow& window = program.window();
    QVERIFY(window.isVisible());
    QVERIFY(waitUntil([&] {
      return window.host().mode() == MachineMode::kPaused && window.session().finishedStep() == 5;
    }));
    QCOMPARE(stateDigest(window.session().state()), digest);
    QTRY_VERIFY(hasIdeograph(window.headline().text()));
    window.step();
    QVERIFY(waitUntil([&] { return window.session().finishedStep() == 6; }));
  }

  void theLessonAndTheModelComeAlong() {
    ProgramWindow program({}, {});
    program.show();
    program.window().showPerspective(Perspective::kStep);
    program.window().openModel({});
    QVERIFY(waitUntil([&] { return program.window().host().mode() == MachineMode::kPaused; }));
    program.window().lessons().open("paging");
    program.window().panels().lessonModel->goTo(2);
    QSignalSpy remade(&program, &ProgramWindow::remade);
    Settings().language.set("zh_CN");
    emit program.window().languageChosen();
    QVERIFY(waitUntil([&] { return remade.count() == 1; }));
    const LessonModel& lesson = *program.window().panels().lessonModel;
    QVERIFY(lesson.isOpen());
    QCOMPARE(lesson.lesson().name, std::string("paging"));
    QCOMPARE(lesson.page(), 2);
    QVERIFY(waitUntil([&] { return program.window().host().mode() == MachineMode::kPaused; }));
  }
};

QTEST_MAIN(TestLanguage)
#include "tst_language.moc"
