// The dialog of the machine's options: what is shown is what comes back, knobs that mean nothing are dimmed,
// what does not go together is refused there, and settings remember all of it.
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTest>

#include "engine_options_dialog.h"
#include "settings.h"

using namespace vitrine;

namespace {

EngineOptions unusual() {
  EngineOptions options;
  options.numBlocks = 77;
  options.blockSize = 5;
  options.maxSequences = 9;
  options.tokenBudget = 123;
  options.threads = 3;
  options.batching = Batching::kWindow;
  options.windowMs = 17;
  options.policy = Policy::kDeadline;
  options.agingSteps = 11;
  options.prefixCache = false;
  options.chunkedPrefill = false;
  options.kvType = KvType::kInt8;
  options.preemption = Preemption::kSwap;
  options.hostSwapBytes = std::int64_t{5} << 30;  // more than an int holds
  options.diskSwapBytes = std::int64_t{7} << 20;
  options.attention = "reference";
  options.weightType = WeightType::kF16;
  options.quantization = Quantization::kInt4;
  options.speculation.drafter = DraftMethod::kModel;
  options.speculation.draftModel = "/some/folder";
  options.speculation.draftLength = 6;
  options.speculation.adaptive = true;
  return options;
}

EngineOptions evicting() {
  EngineOptions options = Settings::defaultEngineOptions();
  options.eviction = Eviction::kHeavyHitters;
  options.sinkTokens = 3;
  options.windowTokens = 44;
  options.heavyTokens = 55;
  options.batching = Batching::kSequential;
  options.policy = Policy::kPriority;
  options.kernels = Kernels::kReference;
  return options;
}

bool same(const EngineOptions& a, const EngineOptions& b) {
  const auto fields = [](const EngineOptions& o) {
    return std::tuple(
        std::tuple(o.kernels, o.weightType, o.quantization, o.threads, o.blockSize, o.numBlocks,
                   o.maxSequences, o.tokenBudget, o.batching, o.windowMs, o.policy, o.agingSteps),
        std::tuple(o.kvCache, o.prefixCache, o.chunkedPrefill, o.kvType, o.attention, o.preemption,
                   o.hostSwapBytes, o.diskSwapBytes, o.eviction, o.sinkTokens, o.windowTokens, o.heavyTokens),
        std::tuple(o.speculation.drafter, o.speculation.draftLength, o.speculation.adaptive,
                   o.speculation.draftModel));
  };
  return fields(a) == fields(b);
}

// A knob by what its label says.
template <class Box>
Box* knob(const EngineOptionsDialog& dialog, const QString& label) {
  for (const QLabel* text : dialog.findChildren<QLabel*>())
    if (text->text().remove(u'&') == label) return qobject_cast<Box*>(text->buddy());
  return nullptr;
}

}  // namespace

class TestEngineOptionsDialog : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("VitrineTest");
    QCoreApplication::setApplicationName("engine-options");
  }
  void init() { QSettings().clear(); }
  void cleanupTestCase() { QSettings().clear(); }

  void whatIsShownComesBack() {
    for (const EngineOptions& options :
         {EngineOptions(Settings::defaultEngineOptions()), unusual(), evicting()})
      QVERIFY(same(EngineOptionsDialog(options).options(), options));
  }

  void settingsRememberAllOfIt() {
    for (const EngineOptions& options : {unusual(), evicting(), Settings::defaultEngineOptions()}) {
      Settings().setEngineOptions(options);
      QVERIFY(same(Settings().engineOptions(), options));
    }
  }

  void nonsenseInTheSettingsIsNotBelieved() {
    Settings().setEngineOptions(evicting());
    QSettings().setValue("engine/preemption", 1);  // does not go with eviction
    QVERIFY(same(Settings().engineOptions(), Settings::defaultEngineOptions()));
    QSettings().clear();
    QSettings().setValue("engine/batching", 99);
    QSettings().setValue("engine/blocks", -5);
    QSettings().setValue("engine/attention", "no such kernel");
    QSettings().setValue("engine/hostSwapBytes", "much");
    const EngineOptions options = Settings().engineOptions();
    options.validate();
    QCOMPARE(options.numBlocks, 1);
    QCOMPARE(options.attention, std::string());
  }

  void aKnobIsDimmedWhileItMeansNothing() {
    EngineOptionsDialog dialog(Settings::defaultEngineOptions());
    dialog.QWidget::show();
    auto* window = knob<QSpinBox>(dialog, "Window");
    auto* batching = knob<QComboBox>(dialog, "Batching");
    QVERIFY(window != nullptr && batching != nullptr && !window->isEnabled());
    QTest::keyClick(batching, Qt::Key_Down);
    QTest::keyClick(batching, Qt::Key_Down);
    QVERIFY(dialog.options().batching == Batching::kWindow);
    QVERIFY(window->isEnabled());
    QVERIFY(!knob<QLineEdit>(dialog, "Its folder")->isEnabled());
  }

  void whatDoesNotGoTogetherIsRefusedHere() {
    EngineOptionsDialog dialog(Settings::defaultEngineOptions());
    dialog.QWidget::show();
    auto* eviction = knob<QComboBox>(dialog, "Long contexts");
    auto* preemption = knob<QComboBox>(dialog, "Who gives way");
    QLabel* complaint = nullptr;
    for (QLabel* label : dialog.findChildren<QLabel*>())
      if (label->accessibleName() == "What does not go together") complaint = label;
    QVERIFY(eviction && preemption && complaint && !complaint->isVisible());
    eviction->setCurrentIndex(1);
    preemption->setCurrentIndex(1);
    QVERIFY(complaint->isVisible() && complaint->text().contains("--eviction"));
    auto* start = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    QTest::mouseClick(start, Qt::LeftButton);
    QVERIFY(dialog.isVisible());
    preemption->setCurrentIndex(0);
    QVERIFY(!complaint->isVisible());
    QTest::mouseClick(start, Qt::LeftButton);
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
    QVERIFY(dialog.options().eviction == Eviction::kSinks);
  }

  void defaultsComeBack() {
    EngineOptionsDialog dialog(unusual());
    QTest::mouseClick(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::RestoreDefaults),
                      Qt::LeftButton);
    EngineOptions expected = Settings::defaultEngineOptions();
    QVERIFY(same(dialog.options(), expected));
  }
};

QTEST_MAIN(TestEngineOptionsDialog)
#include "tst_engine_options_dialog.moc"
