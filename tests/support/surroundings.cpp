// What a test of the window finds around it, the same on every machine: fonts and screens. Linked into each
// of them, it is in force before the application is made.
//
// The fonts come from a fontconfig file of the tests' own, so that what else is installed does not matter:
// VITRINE_TEST_FONTS names the set (dejavu, noto-sans, noto-cjk; dejavu when it is not set). The offscreen
// platform gets four screens: a roomy one, 1366x768, 1024x700 and 1920x1080, in device-independent pixels at
// any scale.
#include <QApplication>
#include <QFontInfo>
#include <QtGlobal>
#include <map>

namespace {

const QByteArray kFolder = VITRINE_SURROUNDINGS "/";

QByteArray fontSet() {
  const QByteArray set = qgetenv("VITRINE_TEST_FONTS");
  return set.isEmpty() ? QByteArray("dejavu") : set;
}

const bool kInForce = [] {
  qputenv("FONTCONFIG_FILE", kFolder + fontSet() + ".conf");
  const QByteArray platform = qgetenv("QT_QPA_PLATFORM");
  if (platform.isEmpty() || platform == "offscreen") {
    const QByteArray screens = qEnvironmentVariableIsSet("QT_SCALE_FACTOR") ? "screens-150" : "screens-100";
    qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + kFolder + screens + ".json");
  }
  return true;
}();

void requireFonts() {
  const std::map<QByteArray, const char*> families = {
      {"dejavu", "DejaVu Sans"}, {"noto-sans", "Noto Sans"}, {"noto-cjk", "Noto Sans CJK"}};
  const QString found = QFontInfo(QGuiApplication::font()).family();
  if (!found.startsWith(QLatin1String(families.at(fontSet()))))
    qFatal("The tests' font %s is not installed, %s came instead. packaging/install test brings it.",
           families.at(fontSet()), qPrintable(found));
}

}  // namespace

Q_COREAPP_STARTUP_FUNCTION(requireFonts)
