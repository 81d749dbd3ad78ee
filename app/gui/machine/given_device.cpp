#include "gui/machine/given_device.h"

#include <QCoreApplication>
#include <QStringList>
#include <type_traits>

#include "common/option_words.h"
#include "vitrine/error.h"
#include "vitrine/option_schema.h"

namespace vitrine {
namespace {

constexpr int kMostEchoed = 40;  // characters of a wrong word

// use(info) with the engine's option.
template <class Use>
void withDeviceInfo(const Use& use) {
  forEachEngineOption([&](const auto& info, const auto&) {
    if constexpr (std::is_same_v<decltype(info), const OptionInfo<Device>&>) use(info);
  });
}

QStringList deviceWords() {
  QStringList words;
  for (const char* word : Names<Device>::list) words << QLatin1String(word);
  return words;
}

QString shortened(const QString& word) {
  return word.size() <= kMostEchoed ? word : word.left(kMostEchoed) + QStringLiteral("…");
}

}  // namespace

QCommandLineOption deviceOption() {
  QString name, help;
  withDeviceInfo([&](const OptionInfo<Device>& info) {
    name = QString::fromStdString(spelledKey(info));
    help = QString::fromStdString(helpOf(info));
  });
  //: %1: what the option does, %2: the words that it takes
  help = QCoreApplication::translate("main", "For this start, %1: %2.")
             .arg(help, deviceWords().join(QStringLiteral(", ")));
  return {name, help, name};
}

Device givenDevice(const QString& word) {
  const auto device = fromName<Device>(word.toStdString());
  if (!device)
    throw EngineError(ErrorCode::kInvalidArgument,
                      "there is no device \"" + shortened(word).toStdString() + '"',
                      "give --device one of: " + deviceWords().join(QStringLiteral(", ")).toStdString());
  if (device == Device::kCpu) return *device;
  const DeviceInfo info = knownDevices().at(static_cast<std::size_t>(*device));
  if (!info.canCompute()) throw EngineError(ErrorCode::kUnavailable, info.problem, info.hint);
  return *device;
}

}  // namespace vitrine
