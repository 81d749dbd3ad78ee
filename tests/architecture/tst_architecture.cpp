// Rules about the sources: which room may include which (engine/README.md, "The house"), and that counted
// texts have their plurals.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTest>
#include <map>
#include <set>

namespace {

// For each room, the rooms whose headers it may include; its own and engine/include always.
const std::map<QString, std::set<QString>> kEngineRooms = {
    {"include", {}},
    {"core", {}},
    {"formats", {"core"}},
    {"text", {"core", "formats"}},
    {"grammar", {"core", "formats", "text"}},
    {"cache", {"core"}},
    {"scheduling", {"core", "cache"}},
    {"backends", {"core", "formats"}},
    {"models", {"core", "formats", "backends"}},
    {"sampling", {"core"}},
    {"events", {"core", "formats"}},
    {"prose", {}},
    {"execution", {"core", "cache", "scheduling", "backends", "models"}},
    {"speculation", {"core", "cache", "scheduling", "backends", "models", "sampling", "execution"}},
    {"runtime",
     {"core", "formats", "text", "grammar", "events", "cache", "scheduling", "backends", "models", "sampling",
      "execution", "speculation"}},
};

// The same for the rooms of app/; but for the window's, their own files stand without a room's name.
const std::map<QString, std::set<QString>> kProgramRooms = {
    {"common", {}},
    {"scenarios", {"common"}},
    {"lessons", {"common", "scenarios"}},
    {"bench_results", {}},
    {"quiz", {}},
    {"compare", {"common", "scenarios"}},
    {"catalog", {}},
    {"page", {}},
    {"watch", {}},
    {"connect", {"common"}},
    {"cli", {"common", "scenarios", "lessons", "quiz", "compare", "bench_results", "page", "server"}},
    {"server", {"common", "page"}},
    {"history", {}},
    {"instance", {}},
    {"desk", {"common", "history", "widgets"}},
    {"gui",
     {"common", "scenarios", "lessons", "compare", "bench_results", "catalog", "history", "instance", "desk",
      "page", "server", "watch", "connect", "widgets"}},
};

// The rooms of app/gui, floor by floor: a room includes those of the floors below it, and main.cpp all.
const std::vector<std::set<QString>> kWindowFloors = {
    {"parts", "machine"},
    {"bench", "settings", "commands"},
    {"help", "runs", "questions", "serving", "load"},
    {"inspect", "scenario", "lessons", "turns"},
    {"library", "bars", "answers", "compare"},
    {"chat"},
    {"panels"},
    {"window"},
    {"drivers"},
};

// Only these rooms know Qt, and catalog, history and instance of it only what needs no display.
const std::set<QString> kQtRooms = {"catalog", "gui", "desk", "history", "instance"};

// The same for the rooms of widgets/.
const std::map<QString, std::set<QString>> kWidgetRooms = {
    {"support", {}},
    {"markdown", {"support"}},
    {"session", {"support"}},
    {"painting", {"support", "session"}},
    {"requests", {"support", "session", "painting"}},
    {"memory", {"support", "session", "painting"}},
    {"prompt", {"support", "session", "painting"}},
    {"explain", {"support", "session", "painting"}},
    {"plots", {"support", "session", "painting"}},
    {"time", {"support", "session", "painting"}},
    {"batch", {"support", "session", "painting"}},
    {"sampler", {"support", "session", "painting"}},
    {"layers", {"support", "session", "painting"}},
    {"beams", {"support", "session", "painting"}},
    {"speculation", {"support", "session", "painting"}},
    {"predict", {"support", "session"}},
    {"weights", {"support", "session", "painting"}},
    {"conversation", {"support", "session", "painting", "markdown"}},
    {"message", {"support", "session", "painting", "markdown", "conversation"}},
    {"chat", {"support", "session", "painting", "markdown", "conversation", "message"}},
};

// Of widgets/markdown the files that know Qt. The others are the parser, which the fuzzer builds without it,
// and the highlighter.
const std::set<QString> kMarkdownWithQt = {
    "document_writer", "markdown_formats", "markdown_look", "markdown_page", "markdown_text",
    "maths_box",       "maths_font",       "maths_object",  "maths_setter",  "written_text"};

struct Include {
  QString file, target;
  int line;
};

std::vector<QString> sourcesBelow(const QString& folder) {
  std::vector<QString> files;
  QDirIterator walk(QStringLiteral(VITRINE_SOURCE_DIR "/") + folder, {"*.h", "*.cpp", "*.cu", "*.cuh"},
                    QDir::Files, QDirIterator::Subdirectories);
  while (walk.hasNext()) files.push_back(walk.next());
  if (files.empty()) qFatal("no sources below %s", qPrintable(folder));  // rules about nothing hold always
  return files;
}

QStringList linesOf(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) qFatal("%s cannot be read", qPrintable(path));
  return QString::fromUtf8(file.readAll()).split(u'\n');
}

// Written without a raw string: moc 6.4 loses its way in one that holds a quotation mark.
std::vector<Include> includesOf(const QString& path) {
  static const QRegularExpression pattern(QStringLiteral("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]"));
  std::vector<Include> found;
  int number = 0;
  for (const QString& line : linesOf(path)) {
    ++number;
    if (const auto match = pattern.match(line); match.hasMatch())
      found.push_back({path, match.captured(1), number});
  }
  return found;
}

// The types that a source defines, with their namespaces, as the formatter writes them: at the beginning of a
// line. Those of unnamed namespaces are the file's own.
std::vector<QString> typesOf(const QString& path) {
  static const QRegularExpression opens(QStringLiteral("^(?:inline )?namespace ?([\\w:]*) ?\\{"));
  static const QRegularExpression defines(QStringLiteral(
      "^(?:struct|class|union|enum|enum class) (?:alignas\\(.*\\) )?(\\w+)(?: final)?(?: :.*| \\{.*)?$"));
  std::vector<QString> found;
  QStringList within;
  for (const QString& line : linesOf(path)) {
    if (const auto match = opens.match(line); match.hasMatch())
      within << match.captured(1);
    else if (line.startsWith(QLatin1String("}  // namespace")) && !within.isEmpty())
      within.removeLast();
    else if (const auto type = defines.match(line); type.hasMatch() && !within.contains(QString()))
      found.push_back(within.join(QStringLiteral("::")) + QStringLiteral("::") + type.captured(1));
  }
  return found;
}

QByteArray place(const Include& include) {
  return QStringLiteral("%1:%2 includes %3").arg(include.file).arg(include.line).arg(include.target).toUtf8();
}

bool isQtHeader(const QString& target) {
  static const QRegularExpression qt(QStringLiteral("^(Q[A-Z]|Qt|qcustomplot)"));
  return qt.match(target).hasMatch();
}

bool isTorchHeader(const QString& target) {
  return target.startsWith("torch/") || target.startsWith("ATen/") || target.startsWith("c10/");
}

}  // namespace

class TestArchitecture : public QObject {
  Q_OBJECT

 private slots:
  void engineRoomsIncludeOnlyWhatTheyMay() {
    int seen = 0;
    const QString root = QStringLiteral(VITRINE_SOURCE_DIR "/engine/");
    for (const QString& path : sourcesBelow("engine")) {
      const QString room = path.mid(root.size()).section('/', 0, 0);
      QVERIFY2(kEngineRooms.contains(room), qPrintable("a room without rules: " + path));
      for (const Include& include : includesOf(path)) {
        const QString target = include.target.section('/', 0, 0);
        if (!kEngineRooms.contains(target) || target == room) continue;
        QVERIFY2(kEngineRooms.at(room).contains(target), place(include));
        ++seen;
      }
    }
    QVERIFY(seen > 20);
  }

  // Events carry reasons as data: only windows, command line and servers turn them into sentences.
  void theEngineMakesNoProse() {
    for (const QString& path : sourcesBelow("engine"))
      for (const Include& include : includesOf(path))
        QVERIFY2(!include.target.startsWith("vitrine/prose/") || path.contains("/prose/"), place(include));
  }

  // A program that has two types of one name mixes up what the compiler makes of templates with them.
  void noTwoTypesShareAName() {
    std::map<QString, QString> fileOf;
    for (const char* folder : {"engine", "widgets", "app"})
      for (const QString& path : sourcesBelow(folder))
        for (const QString& type : typesOf(path)) {
          const auto [known, isNew] = fileOf.try_emplace(type, path);
          QVERIFY2(isNew || known->second == path,
                   qPrintable(type + " stands in " + known->second + " and in " + path));
        }
    QVERIFY(fileOf.size() > 500);
  }

  // A name leads to one place: a header and its source stand together, or the header is public.
  void noTwoFoldersOfTheEngineShareAStem() {
    std::map<QString, QString> folderOf;
    const QString root = QStringLiteral(VITRINE_SOURCE_DIR "/engine/");
    for (const QString& path : sourcesBelow("engine")) {
      const QString name = path.mid(root.size());
      if (name.startsWith("include/")) continue;
      const QString folder = name.section('/', 0, -2), stem = name.section('/', -1).section('.', 0, 0);
      const auto [first, isNew] = folderOf.emplace(stem, folder);
      QVERIFY2(isNew || first->second == folder,
               qPrintable(stem + " in " + first->second + " and in " + folder));
    }
    QVERIFY(folderOf.size() > 100);
  }

  void engineKnowsNoQt() {
    for (const QString& path : sourcesBelow("engine"))
      for (const Include& include : includesOf(path)) QVERIFY2(!isQtHeader(include.target), place(include));
  }

  void torchStaysInItsModule() {
    for (const QString& folder : {QStringLiteral("engine"), QStringLiteral("widgets"), QStringLiteral("app")})
      for (const QString& path : sourcesBelow(folder))
        for (const Include& include : includesOf(path))
          QVERIFY2(!isTorchHeader(include.target) || path.contains("/engine/backends/torch/"),
                   place(include));
  }

  void publicHeadersUseTheStandardLibraryAlone() {
    // The reader of JSON declares the trees that it makes.
    const auto ofReader = [](const Include& include) {
      return include.file.endsWith("/json_reader.h") && include.target == "nlohmann/json_fwd.hpp";
    };
    for (const QString& path : sourcesBelow("engine/include"))
      for (const Include& include : includesOf(path))
        QVERIFY2(include.target.startsWith("vitrine/") || !include.target.contains('/') || ofReader(include),
                 place(include));
  }

  void widgetsAndProgramsSeeOnlyThePublicHeaders() {
    for (const QString& folder : {QStringLiteral("widgets"), QStringLiteral("app")})
      for (const QString& path : sourcesBelow(folder))
        for (const Include& include : includesOf(path))
          QVERIFY2(!kEngineRooms.contains(include.target.section('/', 0, 0)), place(include));
  }

  // The standard library opens a file without a limit, and nlohmann's parser reads JSON without one:
  // vitrine/files.h and vitrine/json_reader.h read within bounds.
  void filesFromOutsideAreReadInOnePlace() {
    static const QRegularExpression unbounded(
        QStringLiteral("(?i)parse_event_t|parser_callback_t|json\\w*::(sax_)?parse\\b|json\\w*::accept\\b|"
                       "std::ifstream"));
    // Three files of the system, the reader itself, and one of msgpack that has bounds of its own.
    const std::set<QString> allowed = {"engine/execution/swap_file_name.cpp", "app/cli/bench/trial.cpp",
                                       "engine/backends/cpu/host_memory.cpp",
                                       "engine/include/vitrine/json_reader.h", "app/connect/kv_events.cpp"};
    const QString root = QStringLiteral(VITRINE_SOURCE_DIR "/");
    int seen = 0;
    for (const QString& folder : {QStringLiteral("engine"), QStringLiteral("widgets"), QStringLiteral("app")})
      for (const QString& path : sourcesBelow(folder)) {
        QFile source(path);
        QVERIFY(source.open(QIODevice::ReadOnly));
        const bool found = QString::fromUtf8(source.readAll()).contains(unbounded);
        QVERIFY2(!found || allowed.contains(path.mid(root.size())), qPrintable(path));
        ++seen;
      }
    QVERIFY(seen > 100);
  }

  // What the programs share is below them.
  void programRoomsIncludeOnlyWhatTheyMay() {
    int seen = 0;
    for (const auto& [room, allowed] : kProgramRooms) {
      for (const QString& path : sourcesBelow("app/" + room)) {
        for (const Include& include : includesOf(path)) {
          QVERIFY2(kQtRooms.contains(room) || !isQtHeader(include.target), place(include));
          const QString target = include.target.section('/', 0, 0);
          const bool known =
              include.target.contains('/') && (kProgramRooms.contains(target) || target == "widgets");
          if (!known || target == room) continue;
          QVERIFY2(allowed.contains(target), place(include));
          ++seen;
        }
      }
    }
    QVERIFY(seen > 5);
    const QDir app(QStringLiteral(VITRINE_SOURCE_DIR "/app"));
    for (const QString& room : app.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
      QVERIFY2(kProgramRooms.contains(room), qPrintable("a room without rules: app/" + room));
  }

  // Boost's templates take a compiler ten seconds a source.
  void theNetworkIsBehindFourSources() {
    int seen = 0;
    for (const QString& path : sourcesBelow("app"))
      for (const Include& include : includesOf(path)) {
        if (!include.target.startsWith("boost/")) continue;
        const QString name = QFileInfo(path).completeBaseName();
        const bool isNetwork =
            name == "http_server" || name == "http_connection" || name == "socket_connection";
        const bool isWatched = path.endsWith("/app/watch/event_stream.cpp");
        QVERIFY2((path.contains("/app/server/") && isNetwork) || isWatched, place(include));
        QVERIFY2(!path.endsWith("/http_server.h"), place(include));
        ++seen;
      }
    QVERIFY(seen > 3);
  }

  // Its registry has locks, for which a step of the engine would wait.
  void thePrometheusLibraryIsBehindOneSource() {
    int seen = 0;
    for (const QString& path : sourcesBelow("app"))
      for (const Include& include : includesOf(path)) {
        if (!include.target.startsWith("prometheus/")) continue;
        QVERIFY2(path.endsWith("/server/metrics_text.cpp"), place(include));
        ++seen;
      }
    QVERIFY(seen > 0);
  }

  // A bare GPU server builds without it.
  void theZeroMqLibraryIsBehindOneSource() {
    int seen = 0;
    for (const QString& path : sourcesBelow("app"))
      for (const Include& include : includesOf(path)) {
        if (!include.target.startsWith("zmq")) continue;
        QVERIFY2(path.endsWith("/connect/kv_feed.cpp"), place(include));
        ++seen;
      }
    QVERIFY(seen > 0);
  }

  // The fuzzer builds the reader of what other programs send, without Qt.
  void startMessagesAreReadWithoutQt() {
    int seen = 0;
    for (const QString& path : sourcesBelow("app/instance"))
      if (QFileInfo(path).baseName() == "start_message")
        for (const Include& include : includesOf(path)) {
          QVERIFY2(!isQtHeader(include.target), place(include));
          ++seen;
        }
    QVERIFY(seen > 5);
  }

  // Chats can be kept, searched and exported without a window.
  void theHistoryUsesQtCoreAndSqlAlone() {
    int seen = 0;
    for (const QString& path : sourcesBelow("app/history"))
      for (const Include& include : includesOf(path)) {
        if (!isQtHeader(include.target)) continue;
        const bool core = QFileInfo::exists(QStringLiteral(VITRINE_QT_HEADERS "/QtCore/") + include.target);
        const bool sql = QFileInfo::exists(QStringLiteral(VITRINE_QT_HEADERS "/QtSql/") + include.target);
        QVERIFY2(core || sql, place(include));
        ++seen;
      }
    QVERIFY(seen > 20);
  }

  // Models are found and downloaded without a window, so that tests need none.
  void theCatalogHasNoWidgets() {
    static const QRegularExpression shown(QStringLiteral(
        "^(QtWidgets|QtGui|QWidget|QDialog|QApplication|QGuiApplication|QPainter|QPixmap|QImage|QIcon|QColor|"
        "QFont|QFileDialog|QMessageBox|QStandardItemModel)\\b"));
    int seen = 0;
    for (const QString& path : sourcesBelow("app/catalog"))
      for (const Include& include : includesOf(path)) {
        QVERIFY2(!shown.match(include.target).hasMatch(), place(include));
        seen += isQtHeader(include.target) ? 1 : 0;
      }
    QVERIFY(seen > 20);
  }

  void widgetRoomsIncludeOnlyWhatTheyMay() {
    int seen = 0;
    const QString root = QStringLiteral(VITRINE_SOURCE_DIR "/widgets/");
    for (const QString& path : sourcesBelow("widgets")) {
      const QString room = path.mid(root.size()).section('/', 0, 0);
      QVERIFY2(kWidgetRooms.contains(room), qPrintable("a room without rules: " + path));
      for (const Include& include : includesOf(path)) {
        if (!include.target.startsWith("widgets/")) continue;
        const QString target = include.target.section('/', 1, 1);
        QVERIFY2(target == room || kWidgetRooms.at(room).contains(target), place(include));
        ++seen;
      }
    }
    QVERIFY(seen > 100);
  }

  void windowRoomsIncludeOnlyTheFloorsBelow() {
    std::map<QString, std::size_t> floorOf;
    for (std::size_t floor = 0; floor < kWindowFloors.size(); ++floor)
      for (const QString& room : kWindowFloors[floor]) floorOf[room] = floor;
    int seen = 0;
    const QString root = QStringLiteral(VITRINE_SOURCE_DIR "/app/gui/");
    for (const QString& path : sourcesBelow("app/gui")) {
      const QString name = path.mid(root.size()), room = name.section('/', 0, 0);
      if (name == "main.cpp") continue;
      QVERIFY2(floorOf.contains(room), qPrintable("a room without rules: " + path));
      for (const Include& include : includesOf(path)) {
        const QString target = include.target;
        // A header beside a source is named with its room, too.
        QVERIFY2(target.contains('/') || !QFileInfo::exists(QFileInfo(path).path() + '/' + target),
                 place(include));
        if (!target.startsWith("gui/")) continue;
        const QString other = target.section('/', 1, 1);
        QVERIFY2(floorOf.contains(other), place(include));
        QVERIFY2(other == room || floorOf.at(other) < floorOf.at(room), place(include));
        ++seen;
      }
    }
    QVERIFY(seen > 300);
  }

  // A room's CMakeLists.txt says which of its files are models and which are views. The linker keeps them
  // apart only where a model calls what a view defines.
  void modelsIncludeNoView() {
    static const QRegularExpression word(QStringLiteral("[\\w.]+"));
    static const QRegularExpression named(QStringLiteral("_(model|words)\\.(h|cpp)$"));
    std::set<QString> models, views;
    for (const auto& [room, allowed] : kWidgetRooms) {
      if (room == "support" || room == "markdown") continue;
      const QString folder = "widgets/" + room + '/';
      std::set<QString>* kind = nullptr;
      for (const QString& line : linesOf(QStringLiteral(VITRINE_SOURCE_DIR "/") + folder + "CMakeLists.txt"))
        for (auto match = word.globalMatch(line); match.hasNext();) {
          const QString text = match.next().captured();
          if (text == "MODELS")
            kind = &models;
          else if (text == "VIEWS")
            kind = &views;
          else if (text.contains('.'))
            kind->insert(folder + text);
        }
    }
    for (const QString& path : views) QVERIFY2(!named.match(path).hasMatch(), qPrintable(path));
    int seen = 0;
    for (const QString& model : models)
      for (const Include& include : includesOf(QStringLiteral(VITRINE_SOURCE_DIR "/") + model)) {
        QVERIFY2(!views.contains(include.target), place(include));
        seen += include.target.startsWith("widgets/") ? 1 : 0;
      }
    QVERIFY(seen > 100 && views.size() > 100);
  }

  // The parser of Markdown reads bytes without Qt, and each of the two libraries is behind one source.
  void markdownIsParsedWithoutQt() {
    int seen = 0;
    for (const QString& path : sourcesBelow("widgets/markdown")) {
      const QString name = QFileInfo(path).baseName();
      for (const Include& include : includesOf(path)) {
        const bool qt = isQtHeader(include.target) || include.target.startsWith("widgets/support/");
        QVERIFY2(!qt || kMarkdownWithQt.contains(name), place(include));
        QVERIFY2(!include.target.startsWith("md4c") || path.endsWith("/piece_parser.cpp"), place(include));
        const bool highlight = include.target.startsWith("srchilite/") || include.target.startsWith("boost/");
        QVERIFY2(!highlight || path.endsWith("/code_highlighter.cpp"), place(include));
        seen += qt || highlight || include.target.startsWith("md4c");
      }
    }
    QVERIFY(seen > 10);
  }

  // vitrine/program_files.h finds the program's own files; a second way would find others.
  void theOwnExecutableIsFoundInOnePlace() {
    for (const QString& folder : {QStringLiteral("engine"), QStringLiteral("widgets"), QStringLiteral("app")})
      for (const QString& path : sourcesBelow(folder)) {
        QFile source(path);
        QVERIFY(source.open(QIODevice::ReadOnly));
        static const QRegularExpression own(
            QStringLiteral("/proc/self/exe|applicationDirPath|applicationFilePath"));
        const bool found = QString::fromUtf8(source.readAll()).contains(own);
        QVERIFY2(!found || path.endsWith("/engine/core/program_files.cpp"), qPrintable(path));
      }
  }

  // A program's file and a public header of the engine with one name would be taken for one another.
  void noProgramFileHasTheNameOfAPublicHeader() {
    std::set<QString> taken;
    for (const QString& path : sourcesBelow("engine/include")) taken.insert(QFileInfo(path).baseName());
    std::map<QString, QString> own;  // by name: the folder
    for (const QString& folder : {QStringLiteral("widgets"), QStringLiteral("app")})
      for (const QString& path : sourcesBelow(folder)) {
        const QString name = QFileInfo(path).baseName(), place = QFileInfo(path).path();
        if (name == "main") continue;
        QVERIFY2(!taken.contains(name), qPrintable(path));
        const auto [known, isNew] = own.emplace(name, place);
        QVERIFY2(isNew || known->second == place, qPrintable(path + " and one in " + known->second));
      }
  }

  // What moc makes of a class would be a unit of its own otherwise, which parses all headers once more.
  void aMetaObjectIsCompiledWithItsSource() {
    static const QRegularExpression macro(QStringLiteral("\\bQ_(OBJECT|GADGET|NAMESPACE)\\b"));
    int seen = 0;
    for (const QString& folder : {QStringLiteral("widgets"), QStringLiteral("app")})
      for (const QString& path : sourcesBelow(folder)) {
        const QFileInfo header(path), source(path.chopped(1) + "cpp");
        QFile text(path);
        if (!path.endsWith(".h") || !source.exists()) continue;
        QVERIFY(text.open(QIODevice::ReadOnly));
        if (!QString::fromUtf8(text.readAll()).contains(macro)) continue;
        const QString made = "moc_" + header.baseName() + ".cpp";
        const auto includes = includesOf(source.filePath());
        QVERIFY2(!includes.empty() && includes.back().target == made,
                 qPrintable(source.filePath() + " does not end with #include \"" + made + '"'));
        ++seen;
      }
    QVERIFY(seen > 200);
  }

  // The comment at the head of a file ends with the files to read next.
  void filesToReadNextAreThere() {
    static const QRegularExpression names(QStringLiteral("[\\w/.-]+\\.(?:h|cpp|cu|cuh|md)\\b"));
    static const QRegularExpression text(QStringLiteral("Read next: (.*)"));
    std::set<QString> known;  // with as many of their folders as a pointer may name
    const QString root = QStringLiteral(VITRINE_SOURCE_DIR "/");
    for (const char* folder : {"engine", "widgets", "app", "tests"}) {
      QDirIterator walk(root + folder, {"*.h", "*.cpp", "*.cu", "*.cuh", "*.md"}, QDir::Files,
                        QDirIterator::Subdirectories);
      while (walk.hasNext())
        for (QString path = walk.next().mid(root.size()); !path.isEmpty(); path = path.section('/', 1))
          known.insert(path);
    }
    int seen = 0;
    for (const char* folder : {"engine", "widgets", "app", "tests"})
      for (const QString& path : sourcesBelow(folder)) {
        QString head;
        for (const QString& line : linesOf(path)) {
          if (!line.startsWith("//")) break;
          head += line.mid(2);
        }
        const auto pointers = text.match(head);
        if (!pointers.hasMatch()) continue;
        for (auto match = names.globalMatch(pointers.captured(1)); match.hasNext();) {
          QString name = match.next().captured();
          while (name.startsWith("../")) name.remove(0, 3);
          QVERIFY2(known.contains(name), qPrintable(path + " points at " + name));
          ++seen;
        }
      }
    QVERIFY(seen > 500);
  }

  void noPublicNameIsAQtMacro() {
    static const QRegularExpression macro(QStringLiteral("\\b(slots|signals|emit)\\s*[(;=:]"));
    for (const QString& path : sourcesBelow("engine/include")) {
      QFile file(path);
      QVERIFY(file.open(QIODevice::ReadOnly));
      for (int line = 1; !file.atEnd(); ++line) {
        const QString text = QString::fromUtf8(file.readLine()).section("//", 0, 0);
        QVERIFY2(!macro.match(text).hasMatch(), qPrintable(QString("%1:%2").arg(path).arg(line)));
      }
    }
  }

  // Without its plural forms a text shows "token(s)".
  void everyCountedTextHasItsPlurals() {
    QFile file(QStringLiteral(VITRINE_SOURCE_DIR "/resources/translations/vitrine_en.ts"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString known = QString::fromUtf8(file.readAll()).replace("&apos;", "'").replace("&quot;", "\"");
    static const QRegularExpression seam(QStringLiteral("\"\\s*\n\\s*\"")),
        counted(QStringLiteral("\"([^\"\\n]*%n[^\"\\n]*)\""));
    int seen = 0;
    for (const QString& folder : {QStringLiteral("widgets"), QStringLiteral("app/gui")})
      for (const QString& path : sourcesBelow(folder)) {
        QFile source(path);
        QVERIFY(source.open(QIODevice::ReadOnly));
        for (auto match = counted.globalMatch(QString::fromUtf8(source.readAll()).remove(seam));
             match.hasNext();) {
          const QString text = match.next().captured(1);
          QVERIFY2(known.contains("<source>" + text + "</source>"), qPrintable(path + ": " + text));
          ++seen;
        }
      }
    QVERIFY(seen > 10);
  }
};

QTEST_APPLESS_MAIN(TestArchitecture)
#include "tst_architecture.moc"
