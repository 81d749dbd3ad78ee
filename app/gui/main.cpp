// Vitrine, the desktop program.
#include <QApplication>
#include <QCommandLineParser>
#include <algorithm>
#include <string_view>

#include "main_window.h"
#include "program_icon.h"
#include "vitrine/program_files.h"
#include "widgets/support/theme.h"
#include "widgets/support/translations.h"

namespace {

// packaging/man/vitrine.1.in describes the same options.
struct CommandLine {
  QCommandLineParser parser;
  QCommandLineOption model{QStringLiteral("model"),
                           QApplication::translate("main", "A Hugging Face model folder to open."),
                           QStringLiteral("folder")};
  QCommandLineOption perspective{QStringLiteral("perspective"),
                                 QApplication::translate("main", "Start with chat, step or present."),
                                 QStringLiteral("name")};

  explicit CommandLine(const QCoreApplication& app) {
    parser.setApplicationDescription(
        QApplication::translate("main", "Learn how LLM inference works, by looking."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOptions({model, perspective});
    parser.addPositionalArgument(
        QStringLiteral("file"),
        QApplication::translate("main", "A trace (.vitrine), a scenario (.json) or a model folder to open."),
        QStringLiteral("[file]"));
    parser.process(app);
  }
};

bool asksForWordsAlone(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc, [](std::string_view word) {
    return word == "-h" || word == "--help" || word == "--help-all" || word == "-v" || word == "--version";
  });
}

}  // namespace

int main(int argc, char** argv) {
  QCoreApplication::setOrganizationName(QStringLiteral("Vitrine"));
  QCoreApplication::setApplicationName(QStringLiteral("Vitrine"));
  QCoreApplication::setApplicationVersion(QString::fromLatin1(vitrine::version()));
  if (asksForWordsAlone(argc, argv)) {  // works without a display too
    QCoreApplication app(argc, argv);
    vitrine::installTranslations(app);
    const CommandLine answered(app);  // does not return
  }

  QApplication app(argc, argv);
  QGuiApplication::setDesktopFileName(QStringLiteral(VITRINE_APP_ID));
  QApplication::setWindowIcon(vitrine::programIcon());
  QApplication::setFont(vitrine::readable(QApplication::font()));
  vitrine::installTranslations(app);
  const CommandLine line(app);

  vitrine::MainWindow window;
  vitrine::Settings settings;
  window.show();
  window.showPerspective(vitrine::Perspectives::fromKey(
      line.parser.isSet(line.perspective) ? line.parser.value(line.perspective) : settings.perspective()));
  if (const QStringList files = line.parser.positionalArguments(); !files.isEmpty())
    window.open(files.first());
  else
    window.openModel(line.parser.isSet(line.model) ? line.parser.value(line.model) : settings.lastModel());
  return QApplication::exec();
}
