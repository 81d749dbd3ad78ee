#include "gui/help/diagnostics.h"

#include <QApplication>
#include <QLocale>
#include <QScreen>
#include <QSysInfo>
#include <QThread>
#include <type_traits>

#include "catalog/model_estimate.h"
#include "gui/parts/process_figures.h"
#include "gui/settings/settings.h"
#include "vitrine/option_schema.h"
#include "vitrine/place_name.h"
#include "vitrine/program_files.h"
#include "widgets/support/field_style.h"

namespace vitrine {

namespace {

QString mebibytes(double bytes) {
  return QString::number(bytes / (1 << 20), 'f', 0) + QStringLiteral(" MiB");
}

void addProgram(QStringList& lines) {
  lines += QStringLiteral("Vitrine %1").arg(QLatin1String(version()));
  lines += QStringLiteral("Qt %1, built with %2, platform %3, style %4")
               .arg(QLatin1String(qVersion()), QStringLiteral(QT_VERSION_STR),
                    QGuiApplication::platformName(), FieldStyle::desktopStyle());
  lines += QStringLiteral("System: %1, %2 %3, %4")
               .arg(QSysInfo::prettyProductName(), QSysInfo::kernelType(), QSysInfo::kernelVersion(),
                    QSysInfo::currentCpuArchitecture());
  lines += QStringLiteral("Language: %1").arg(QLocale().name());
  lines += QStringLiteral("Processor threads: %1").arg(QThread::idealThreadCount());
  lines += QStringLiteral("Memory: %1 available, %2 used by Vitrine")
               .arg(mebibytes(static_cast<double>(availableMemory())), mebibytes(residentMiB() * (1 << 20)));
}

void addEngine(QStringList& lines, const std::optional<EngineLoaded>& engine) {
  if (!engine) {
    lines += QStringLiteral("Machine: none");
    return;
  }
  const ModelInfo& model = engine->model;
  const QString computing =
      engine->threads > 0 ? QStringLiteral("%1 threads").arg(engine->threads) : QStringLiteral("GPU");
  lines +=
      QStringLiteral("Machine: %1, %2, %3")
          .arg(QString::fromStdString(engine->backend), QString::fromStdString(engine->device), computing);
  const QString name = QString::fromStdString(withPlaceNames(model.name));
  lines +=
      QStringLiteral("Model: %1, family %2, weights %3 (%4), chat format %5")
          .arg(name, QString::fromStdString(model.family), QString::fromStdString(model.weightType),
               mebibytes(static_cast<double>(model.weightBytes)), QString::fromStdString(model.chatFormat));
  lines +=
      QStringLiteral("Shape: %1 layers, hidden %2, %3 heads, %4 KV heads of %5, vocabulary %6, context %7")
          .arg(model.layers)
          .arg(model.hiddenSize)
          .arg(model.heads)
          .arg(model.kvHeads)
          .arg(model.headDim)
          .arg(model.vocabularySize)
          .arg(model.contextLength);
}

template <class Value>
QString wordOf(const Value& value) {
  if constexpr (Named<Value>)
    return QString::fromLatin1(nameOf(value));
  else if constexpr (std::is_same_v<Value, std::string>)
    return value.empty() ? QStringLiteral("(empty)") : QStringLiteral("(set)");
  else if constexpr (std::is_same_v<Value, bool>)
    return value ? QStringLiteral("on") : QStringLiteral("off");
  else
    return QString::number(value);
}

// Those that are not the window's defaults.
void addOptions(QStringList& lines, const EngineOptions& options) {
  const EngineOptions defaults = Settings::defaultEngineOptions();
  QStringList changed;
  forEachEngineOption([&](const auto& info, const auto& access) {
    if (access(options) != access(defaults))
      changed += QStringLiteral("%1=%2").arg(QLatin1String(info.key), wordOf(access(options)));
  });
  lines +=
      QStringLiteral("Options: %1").arg(changed.isEmpty() ? QStringLiteral("defaults") : changed.join(u' '));
}

void addScreens(QStringList& lines) {
  for (const QScreen* screen : QGuiApplication::screens()) {
    const QSize size = screen->size();
    lines += QStringLiteral("Screen: %1×%2, scale %3, %4 dpi")
                 .arg(size.width())
                 .arg(size.height())
                 .arg(screen->devicePixelRatio())
                 .arg(screen->logicalDotsPerInch());
  }
}

}  // namespace

QString diagnosticsText(const DiagnosticsFacts& facts) {
  QStringList lines;
  addProgram(lines);
  addEngine(lines, facts.engine);
  addOptions(lines, facts.options);
  addScreens(lines);
  lines += QStringLiteral("Theme: %1, text %2 %").arg(facts.theme).arg(facts.textPercent);
  lines += QStringLiteral("Last messages: %1")
               .arg(facts.codes.isEmpty() ? QStringLiteral("none") : facts.codes.join(QStringLiteral(", ")));
  return lines.join(u'\n') + u'\n';
}

}  // namespace vitrine
