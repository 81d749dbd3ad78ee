// The tour saves a picture of every panel and view in every theme, and of the window in its sizes.
#include "gui/drivers/tour.h"

#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QImage>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "support/on_pretended_gpu.h"
#include "support/window_bench.h"

using namespace vitrine;
using namespace vitrine::test;

class TestTour : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void everyViewHasItsPicture() {
    const QTemporaryDir folder;
    MainWindow window;
    QCOMPARE(Tour(window, folder.path(), 0).walk(), 0);
    QStringList names = {"timeline", "token",   "chat-settings", "about",
                         "keys",     "palette", "settings",      "welcome"};
    for (const char* view :
         {"lanes", "text", "batch", "layers-exits", "layers-attention", "layers-time", "layers-launches",
          "beams", "speculation", "batch-drafts", "inside", "bench", "bench-compared", "bench-roofline",
          "chat-reading", "chat-find", "chat-beside", "models", "models-get"})
      for (const char* size : {"1024x700", "1366x768", "1920x1080"})
        names << QStringLiteral("%1-%2").arg(QLatin1String(view), QLatin1String(size));
    for (const auto* dock : window.findChildren<QDockWidget*>()) names << dock->objectName();
    for (const char* perspective : {"chat", "step", "present", "form", "served"})
      for (const char* size : {"1024x700", "1366x768", "1920x1080"})
        names << QStringLiteral("window-%1-%2").arg(QLatin1String(perspective), QLatin1String(size));
    for (const QString& name : names)
      for (const char* theme : {"light", "dark", "high-contrast"}) {
        const QImage picture(
            QDir(folder.path()).filePath(QStringLiteral("%1-%2.png").arg(name, QLatin1String(theme))));
        QVERIFY2(!picture.isNull() && picture.width() > 100, qPrintable(name));
        if (name.startsWith("window-"))
          QVERIFY2(name.endsWith(QStringLiteral("%1x%2").arg(picture.width()).arg(picture.height())),
                   qPrintable(QStringLiteral("%1 in %2: %3x%4")
                                  .arg(name, theme)
                                  .arg(picture.width())
                                  .arg(picture.height())));
      }
  }

  // Every scenario, and the chat.
  void itWalksOnAGpu() {
    const OnPretendedGpu pretended;
    const QTemporaryDir folder;
    MainWindow window;
    window.computeOn(Device::kCuda);
    QStringList devices;
    connect(&window.host(), &EngineHost::loaded, &window, [&] { devices << window.host().device(); });
    QCOMPARE(Tour(window, folder.path(), 0).walk(std::array{ColourScheme::kLight}), 0);
    devices.removeDuplicates();
    QCOMPARE(devices, QStringList("Pretended GPU"));
    QVERIFY(QFile::exists(folder.filePath("bench-roofline-1920x1080-light.png")));
  }

  void aFolderThatCannotBeMadeIsAnError() {
    const QTemporaryDir folder;
    QFile file(folder.filePath("taken"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    MainWindow window;
    QCOMPARE(Tour(window, folder.filePath("taken/inside"), 0).walk(), 1);
  }
};

QTEST_MAIN(TestTour)
#include "tst_tour.moc"
