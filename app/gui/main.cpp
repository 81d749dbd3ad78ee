// Vitrine, the desktop program.
#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QPainter>
#include <QSettings>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "gui/drivers/bench_window.h"
#include "gui/drivers/tour.h"
#include "gui/machine/given_device.h"
#include "gui/runs/remote_run.h"
#include "gui/window/program_window.h"
#include "instance/single_instance.h"
#include "instance/start_socket.h"
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
  QCommandLineOption device = vitrine::deviceOption();
  QCommandLineOption attach{
      QStringLiteral("attach"),
      QApplication::translate("main", "Show the engine of a server, as it goes: http://host:port."),
      QStringLiteral("address")};
  QCommandLineOption bench{
      QStringLiteral("bench-window"),
      QApplication::translate("main", "Measure the window for a minute, print the figures, and quit.")};
  QCommandLineOption json{QStringLiteral("json"),
                          QApplication::translate("main", "With --bench-window: print one JSON object.")};
  QCommandLineOption newInstance{
      QStringLiteral("new-instance"),
      QApplication::translate("main", "Open a window of its own, also where one is open already.")};
  QCommandLineOption tour{
      QStringLiteral("tour"),
      QApplication::translate("main", "Save a picture of every view in every theme there, and end."),
      QStringLiteral("folder")};

  explicit CommandLine(const QCoreApplication& app) {
    parser.setApplicationDescription(
        QApplication::translate("main", "Learn how LLM inference works, by looking."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOptions({model, perspective, device, attach, newInstance, bench, json, tour});
    parser.addPositionalArgument(
        QStringLiteral("file"),
        QApplication::translate(
            "main",
            "A trace (.vitrine), a scenario or bench results (.json), a lesson (.md), exported chats "
            "(.json, .jsonl, .zip), or a model folder to open; several bench results stand side by side. "
            "Any other text, source or PDF goes with the first message of a new chat."),
        QStringLiteral("[file...]"));
    parser.process(app);
  }
};

bool asksForWordsAlone(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc, [](std::string_view word) {
    return word == "-h" || word == "--help" || word == "--help-all" || word == "-v" || word == "--version";
  });
}

void addSizes(QIcon& icon, const QString& file, std::initializer_list<int> sizes) {
  QSvgRenderer drawing(file);
  for (const int size : sizes) {
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    drawing.render(&painter);
    painter.end();
    icon.addPixmap(pixmap);
  }
}

// Drawn here, since QIcon reads SVG only with a plugin that may not be installed.
QIcon programIcon() {
  QIcon icon;
  addSizes(icon, QStringLiteral(":/icons/vitrine-small.svg"), {16, 24});
  addSizes(icon, QStringLiteral(":/icons/vitrine.svg"), {32, 48, 64, 128, 256});
  return icon;
}

// The user's settings stay as they are.
void keepSettingsIn(const QTemporaryDir& folder) {
  QSettings::setDefaultFormat(QSettings::IniFormat);
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
}

int walkTour(const QString& folder, std::optional<vitrine::Device> device) {
  const QTemporaryDir settings;
  keepSettingsIn(settings);
  vitrine::MainWindow window;
  if (device) window.computeOn(*device);
  return vitrine::Tour(window, folder).walk();
}

bool takesTour(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc,
                     [](std::string_view word) { return word == "--tour" || word.starts_with("--tour="); });
}

vitrine::StartRequest requestOf(const CommandLine& line, const QByteArray& activation) {
  return vitrine::startRequest(line.parser.positionalArguments(), line.parser.value(line.model),
                               line.parser.value(line.perspective), activation);
}

int tell(const vitrine::EngineError& error) {
  std::fprintf(stderr, "vitrine: %s\n%s\n", error.what(), error.hint().c_str());
  return 1;
}

int benchAndPrint(bool asJson, std::optional<vitrine::Device> device) {
  const QTemporaryDir settings;
  keepSettingsIn(settings);
  try {
    vitrine::BenchWindowOptions options;
    options.device = device;
    options.progress = [](const QString& what) {
      std::fprintf(stderr, "measuring: %s\n", qUtf8Printable(what));
    };
    const vitrine::BenchReport report = vitrine::benchWindow(options);
    std::fputs(asJson ? report.json().constData() : report.table().toUtf8().constData(), stdout);
    return 0;
  } catch (const vitrine::EngineError& error) {
    return tell(error);
  }
}

// What comes with a window of its own.
struct OwnWindow {
  std::optional<vitrine::Device> device;
  std::optional<vitrine::watch::ServerPlace> server;
};

vitrine::watch::ServerPlace givenServer(const QString& text) {
  if (const auto place = vitrine::serverPlace(text)) return *place;
  throw vitrine::EngineError(vitrine::ErrorCode::kInvalidArgument,
                             "--attach: \"" + text.toStdString() + "\" is no address of a server",
                             "Write http://host:port, or the link to the server's page.");
}

// The window itself, from the command line to its end.
int showWindow(const CommandLine& line, const OwnWindow& own, vitrine::SingleInstance& instance) {
  vitrine::ProgramWindow program(own.device, vitrine::Settings().chatsFileAtStart());
  program.show();
  instance.serve(
      {[&program](const vitrine::StartRequest& request) { return program.handed().takes(request); },
       [&program](const vitrine::StartRequest& request) { program.handed().open(request); }});
  QObject::connect(qApp, &QCoreApplication::aboutToQuit, &instance, &vitrine::SingleInstance::close);
  if (own.server)
    program.handed().beginAttached(*own.server, requestOf(line, {}));
  else
    program.handed().begin(requestOf(line, {}));
  return QApplication::exec();
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

  if (takesTour(argc, argv) && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
    qputenv("QT_QPA_PLATFORM", "offscreen");
  const int given = argc;
  const QByteArray activation = qgetenv("XDG_ACTIVATION_TOKEN");  // before Qt uses it up
  QApplication app(argc, argv);
  QGuiApplication::setDesktopFileName(QStringLiteral(VITRINE_APP_ID));
  QApplication::setWindowIcon(programIcon());
  QApplication::setFont(vitrine::readable(QApplication::font()));
  const QLocale locale = vitrine::localeFor(vitrine::Settings().language());
  QLocale::setDefault(locale);
  vitrine::installTranslations(app, locale);
  const CommandLine line(app);
  OwnWindow own;
  try {
    if (line.parser.isSet(line.device)) own.device = vitrine::givenDevice(line.parser.value(line.device));
    if (line.parser.isSet(line.attach)) own.server = givenServer(line.parser.value(line.attach));
  } catch (const vitrine::EngineError& error) {
    return tell(error);
  }
  if (line.parser.isSet(line.tour)) return walkTour(line.parser.value(line.tour), own.device);
  if (line.parser.isSet(line.bench)) return benchAndPrint(line.parser.isSet(line.json), own.device);

  // A device, a server and Qt's own options (-style, -platform, ...) are for a process, so they come with a
  // window of their own.
  const bool sharesWindow =
      !line.parser.isSet(line.newInstance) && !own.device && !own.server && argc == given;
  vitrine::SingleInstance instance(
      vitrine::startSocket({QSettings().fileName(), vitrine::Settings::chatsFile()}));
  if (instance.begin(sharesWindow ? std::optional(requestOf(line, activation)) : std::nullopt)) {
    std::fputs("vitrine: handed to the window that is open (--new-instance opens another)\n", stderr);
    return 0;
  }
  return showWindow(line, own, instance);
}
