// The device in the window: which can be chosen and why not, what a choice changes, whose limits are in
// sight, and how a GPU's memory is shared. The GPU is a module of the tests that computes on the CPU
// (support/pretended_gpu.cpp).
#include "gui/bars/device_menu.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTemporaryDir>

#include "catalog/device_sizes.h"
#include "catalog/model_reading.h"
#include "gui/bars/status_strip.h"
#include "gui/parts/message_bar.h"
#include "gui/questions/roof_measurer.h"
#include "gui/settings/device_words.h"
#include "gui/settings/engine_options_dialog.h"
#include "support/on_pretended_gpu.h"
#include "support/window_bench.h"
#include "vitrine/random_model.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr qint64 kMib = qint64{1} << 20;

QAction* deviceAction(const QWidget& parent, Device device) {
  const auto* menu = parent.findChild<DeviceMenu*>();
  return menu != nullptr ? menu->findChild<QAction*>(QLatin1String(nameOf(device))) : nullptr;
}

LoadOrder orderFor(Device device, const std::filesystem::path& model = builtinModelDirectory()) {
  LoadOrder order;
  order.model = model;
  order.options.device = device;
  order.options.numBlocks = 64;
  order.options.threads = device == Device::kCpu ? 1 : 0;
  return order;
}

// The host and what hears it of the roof, as the window wires them.
struct RoofBench {
  Session session;
  EngineHost host;
  OperationsModel operations{&session};
  RoofMeasurer measurer{host, operations, nullptr};
  std::vector<MachineRoof> told;

  RoofBench() {
    host.deliverTo([this](std::vector<Event> events) { session.append(std::move(events)); });
    QObject::connect(&measurer, &RoofMeasurer::known, &host,
                     [this](const MachineRoof& roof) { told.push_back(roof); });
    Detail detail;
    detail.operations = true;
    host.setDetail(detail);
  }
  // Loads, and computes a step whose operations are shown.
  bool stepOn(Device device) {
    QSignalSpy loaded(&host, &EngineHost::loaded);
    LoadOrder order = orderFor(device);
    ChatOrder question;
    question.dialogue.messages = {{ChatRole::kUser, "Hello!"}};
    question.request.maxTokens = 4;
    order.staged = {question};
    host.load(std::move(order));
    if (!waitUntil([&] { return loaded.count() == 1 && host.mode() == MachineMode::kPaused; })) return false;
    host.step();
    return waitUntil([&] {
      return operations.rowCount() > 0 && operations.roof() != nullptr && !told.empty() &&
             told.back().isOfGpu() == (device == Device::kCuda);
    });
  }
};

}  // namespace

class TestDeviceChoice : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }
  void init() { QSettings().clear(); }

  void theMenuNamesTheDevices() {
    const OnPretendedGpu pretended;
    DeviceFinder finder;
    Device now = Device::kCpu;
    QWidget parent;
    DeviceMenu menu(
        finder, [&] { return now; }, &parent);
    QSignalSpy known(&finder, &DeviceFinder::known), chosen(&menu, &DeviceMenu::deviceChosen);
    emit menu.aboutToShow();
    QVERIFY(waitUntil([&] { return known.count() == 1; }));
    QAction *cpu = deviceAction(parent, Device::kCpu), *gpu = deviceAction(parent, Device::kCuda);
    QVERIFY(cpu->isChecked() && cpu->isEnabled() && gpu->isEnabled());
    QCOMPARE(gpu->text(), QString("GPU (Pretended GPU)"));
    QVERIFY2(gpu->toolTip().contains("in its own memory"), qPrintable(gpu->toolTip()));
    gpu->trigger();
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen[0][0].value<Device>(), Device::kCuda);
    QVERIFY(cpu->isChecked());  // until the machine is there
    now = Device::kCuda;
    emit menu.aboutToShow();
    QVERIFY(gpu->isChecked());
    gpu->trigger();
    QCOMPARE(chosen.count(), 1);
  }

  void aDeviceThatCannotComputeIsDimmedAndSaysWhy() {
    const WithoutGpu nothing;
    DeviceFinder finder;
    QWidget parent;
    DeviceMenu menu(
        finder, [] { return Device::kCpu; }, &parent);
    EngineOptionsDialog dialog(Settings::defaultEngineOptions());
    connect(&finder, &DeviceFinder::known, &dialog, &EngineOptionsDialog::setDevices);
    emit menu.aboutToShow();
    QVERIFY(waitUntil([&] { return !finder.devices().empty(); }));
    const QAction* gpu = deviceAction(parent, Device::kCuda);
    QVERIFY(!gpu->isEnabled());
    QVERIFY2(gpu->text().contains("cannot be used"), qPrintable(gpu->text()));
    QVERIFY2(gpu->toolTip().contains("libvitrine_cuda.so"), qPrintable(gpu->toolTip()));
    const auto* box = dialog.findChild<QComboBox*>(QStringLiteral("device"));
    const auto* list = qobject_cast<QStandardItemModel*>(box->model());
    QVERIFY(list->item(0)->isEnabled() && !list->item(1)->isEnabled());
    QString said;
    for (const QLabel* label : dialog.findChildren<QLabel*>())
      if (label->accessibleName() == "Devices that cannot be used" && !label->isHidden())
        said = label->text();
    QVERIFY2(said.contains("libvitrine_cuda.so"), qPrintable(said));
    dialog.QWidget::show();
    QVERIFY2(dialog.width() <= 1000 && dialog.height() <= 700, QByteArray::number(dialog.width()));
  }

  void threadsAreTheProcessors() {
    EngineOptionsDialog dialog(Settings::defaultEngineOptions());
    dialog.setDevices({{.device = Device::kCpu, .name = "AVX2"}, {.device = Device::kCuda, .name = "A GPU"}});
    auto* const box = dialog.findChild<QComboBox*>(QStringLiteral("device"));
    const auto* const threads = dialog.findChild<QSpinBox*>(QStringLiteral("threads"));
    QCOMPARE(box->itemText(1), QString("GPU (A GPU)"));
    QVERIFY(threads->isEnabledTo(&dialog));
    box->setCurrentIndex(1);
    QVERIFY(!threads->isEnabledTo(&dialog));
    QCOMPARE(dialog.options().device, Device::kCuda);
  }

  // The operations stand under the limits of the device that computed them; what shows limits besides, such
  // as estimates, is told the new ones.
  void anotherDeviceBringsItsOwnLimits() {
    const OnPretendedGpu pretended;
    RoofBench bench;
    QVERIFY(bench.stepOn(Device::kCpu));
    QVERIFY(!bench.operations.roof()->isOfGpu());
    QVERIFY(bench.stepOn(Device::kCuda));
    QVERIFY(bench.operations.roof()->isOfGpu());
    QVERIFY(bench.told.back().isOfGpu());
    const auto before = bench.told.size();
    bench.measurer.want();
    QVERIFY(bench.told.size() == before + 1 && bench.told.back().isOfGpu());
    QVERIFY(bench.stepOn(Device::kCpu));
    QVERIFY(!bench.operations.roof()->isOfGpu() && !bench.told.back().isOfGpu());
  }

  void whatTheLimitsAreWantedForHearsOfAnotherDevice() {
    const OnPretendedGpu pretended;
    RoofBench bench;
    bench.measurer.want();
    bench.host.load(orderFor(Device::kCpu));
    QVERIFY(waitUntil([&] { return bench.told.size() == 1; }));
    bench.host.load(orderFor(Device::kCuda));  // nothing asks again
    QVERIFY(waitUntil([&] { return bench.told.size() == 2; }));
    QVERIFY(!bench.told[0].isOfGpu() && bench.told[1].isOfGpu());
  }

  // By the share of the GPU's memory that is left beside the weights, not of the host's.
  void aPoolIsAShareOfTheGpusMemory() {
    const OnPretendedGpu pretended;
    const QTemporaryDir folder;
    const std::filesystem::path model = std::filesystem::path(folder.path().toStdString()) / "model";
    makeRandomModel("tiny", model);
    EngineHost host;
    host.setAvailableMemory([] { return kMib; });
    QSignalSpy loaded(&host, &EngineHost::loaded);
    LoadOrder order = orderFor(Device::kCuda, model);
    order.options.numBlocks = 0;
    order.options.maxSequences = 4096;
    order.kvShare = KvShare::kQuarter;
    const EngineOptions options = order.options;
    host.load(std::move(order));
    QVERIFY(waitUntil([&] { return loaded.count() == 1; }));
    const int blocks =
        fitKvPool(sizesOf(model), options, forModelAndPool(1024 * kMib), KvShare::kQuarter).blocks;
    QCOMPARE(loaded[0][3].toInt(), blocks);
    QVERIFY(blocks > kBuiltinBlocks);
  }

  // The machine that is open goes before one comes that has no room beside it.
  void aGpuTooSmallForTwoMachinesHoldsOne() {
    const OnPretendedGpu pretended(600);
    EngineHost host;
    QSignalSpy loaded(&host, &EngineHost::loaded), failed(&host, &EngineHost::noticed);
    LoadOrder large = orderFor(Device::kCuda);
    large.options.kvMemoryBytes = 400 * kMib;
    large.options.numBlocks = 0;
    for (const int count : {1, 2}) {
      host.load(large);
      QVERIFY(waitUntil([&] { return loaded.count() == count || failed.count() > 0; }));
      QVERIFY2(failed.isEmpty(), failed.isEmpty() ? "" : qPrintable(failed[0][0].value<Notice>().message));
      QVERIFY(deviceMemory(Device::kCuda)->peakBytes < 600 * kMib);
    }
  }

  void aModelsSizesAreTheDevices() {
    FoundModel model;
    model.parameters = 1000;
    model.weightBytes = model.bytesReadPerToken = 560;  // 4.5 bits each
    model.cacheBytesPerToken = 400;
    EngineOptions options;
    QCOMPARE(sizesOnDevice(model, options).weightBytes, 560);
    options.device = Device::kCuda;
    const auto sizes = [&] {
      const FoundModel there = sizesOnDevice(model, options);
      return std::pair(there.weightBytes, there.cacheBytesPerToken);
    };
    QCOMPARE(sizes(), std::pair(qint64{2000}, qint64{200}));
    model.weightBytes = 2000;
    QCOMPARE(sizes(), std::pair(qint64{2000}, qint64{200}));
    model.weightBytes = 4000;
    QCOMPARE(sizes(), std::pair(qint64{4000}, qint64{400}));
    options.weightType = WeightType::kBf16;
    QCOMPARE(sizes(), std::pair(qint64{2000}, qint64{200}));
    model.weightBytes = 2500;  // the embedding twice
    options.weightType = WeightType::kF32;
    QCOMPARE(sizes(), std::pair(qint64{5000}, qint64{400}));
    model.weightBytes = 4000;
    options.quantization = Quantization::kInt8;
    QCOMPARE(sizes(), std::pair(qint64{1063}, qint64{200}));  // 8.5 bits each
    options.quantization = Quantization::kInt4;
    QCOMPARE(sizes(), std::pair(qint64{563}, qint64{200}));
  }

  void productsInInt8AreSaid() {
    EngineOptions options = Settings().engineOptions();
    options.quantization = Quantization::kInt8;
    for (const Compute asked : {Compute::kAuto, Compute::kF32}) {
      options.compute = asked;
      Settings().setEngineOptions(options);
      ShownWindow shown;
      QVERIFY(shown.openModel());
      const auto labels = shown.window.status().findChildren<QLabel*>();
      const auto device = std::ranges::find(labels, QString("Device"), &QLabel::accessibleName);
      QVERIFY(device != labels.end());
      QCOMPARE(shown.window.status().deviceText().contains(", int8 products"), asked == Compute::kAuto);
      QCOMPARE((*device)->toolTip().contains("Products are in int8"), asked == Compute::kAuto);
    }
  }

  void aChoiceLoadsTheModelThereAndIsKept() {
    const OnPretendedGpu pretended;
    ShownWindow shown;
    QVERIFY(shown.openModel());
    MainWindow& window = shown.window;
    QVERIFY(!window.status().deviceText().contains("GPU"));
    QSignalSpy loaded(&window.host(), &EngineHost::loaded);
    deviceAction(window, Device::kCuda)->trigger();
    QVERIFY(waitUntil([&] { return loaded.count() == 1 && shown.isPaused(); }));
    QCOMPARE(window.status().deviceText(), QString("GPU: Pretended GPU"));
    QCOMPARE(Settings().engineOptions().device, Device::kCuda);
    deviceAction(window, Device::kCpu)->trigger();
    QVERIFY(waitUntil([&] { return loaded.count() == 2 && shown.isPaused(); }));
    QVERIFY(!window.status().deviceText().contains("GPU"));
    QCOMPARE(Settings().engineOptions().device, Device::kCpu);
  }

  void aChoiceThatFailsChangesNothing() {
    const WithoutGpu nothing;
    ShownWindow shown;
    QVERIFY(shown.openModel());
    QSignalSpy failed(&shown.window.host(), &EngineHost::noticed);
    deviceAction(shown.window, Device::kCuda)->trigger();  // before it is known that it cannot compute
    QVERIFY(waitUntil([&] { return failed.count() == 1 && shown.isPaused(); }));
    QVERIFY(!shown.window.status().deviceText().contains("GPU"));
    QCOMPARE(Settings().engineOptions().device, Device::kCpu);
    QVERIFY(shown.stepTimes(1));
  }

  // Also in a scenario, which names a device of its own, and until a person chooses another.
  void theDeviceOfTheStartIsNotKept() {
    const OnPretendedGpu pretended;
    ShownWindow shown;
    MainWindow& window = shown.window;
    window.computeOn(Device::kCuda);
    QVERIFY(shown.openModel());
    QCOMPARE(window.status().deviceText(), QString("GPU: Pretended GPU"));
    QSignalSpy loaded(&window.host(), &EngineHost::loaded);
    const auto isOnGpu = [&](int loads) {
      return waitUntil([&] { return loaded.count() == loads && shown.isPaused(); }) &&
             window.status().deviceText().contains("GPU");
    };
    window.openScenario("six-blocks");
    QVERIFY(isOnGpu(1));
    QCOMPARE(Settings().engineOptions().device, Device::kCpu);
    window.leaveScenario();
    QVERIFY(isOnGpu(2));
    EngineOptions options = Settings().engineOptions();
    options.device = Device::kCuda;
    Settings().setEngineOptions(options);
    deviceAction(window, Device::kCpu)->trigger();
    QVERIFY(!isOnGpu(3) && loaded.count() == 3);
    QCOMPARE(Settings().engineOptions().device, Device::kCpu);
    window.openScenario("six-blocks");
    QVERIFY(!isOnGpu(4) && loaded.count() == 4);
  }

  // Options that are stored with it leave the device that was.
  void optionsThatAreStoredLeaveTheDevice() {
    Settings settings;
    settings.computeOn(Device::kCuda);
    EngineOptions options = settings.engineOptions();
    QCOMPARE(options.device, Device::kCuda);
    options.tokenBudget = 48;
    settings.setEngineOptions(options);
    QCOMPARE(settings.engineOptions().device, Device::kCuda);
    QCOMPARE(Settings().engineOptions().device, Device::kCpu);
    QCOMPARE(Settings().engineOptions().tokenBudget, 48);
  }

  // The settings name a GPU that is gone: the window has a machine all the same, and says why.
  void aGpuThatIsGoneLeavesTheBuiltInModelOnTheCpu() {
    const WithoutGpu nothing;
    EngineOptions options = Settings().engineOptions();
    options.device = Device::kCuda;
    Settings().setEngineOptions(options);
    ShownWindow shown;
    QVERIFY(shown.openModel());
    QVERIFY(!shown.window.status().deviceText().isEmpty());
    QVERIFY(!shown.window.status().deviceText().contains("GPU"));
    QCOMPARE(Settings().engineOptions().device, Device::kCuda);  // it may come again
  }
};

QTEST_MAIN(TestDeviceChoice)
#include "tst_device_choice.moc"
