// The dialog of the machine's options: what is shown is what comes back, knobs that mean nothing are dimmed,
// what does not go together is refused there, and settings remember all of it.
#include "support/other_options.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTest>

#include "gui/settings/engine_options_dialog.h"
#include "gui/settings/settings.h"

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

bool same(const EngineOptions& a, const EngineOptions& b) { return test::differing(a, b).empty(); }

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

  // Bytes that are no whole MiB and a window that is no whole millisecond included.
  void everyOptionComesBackFromDialogAndSettings() {
    int seen = 0;
    forEachEngineOption([&](const auto& info, const auto& access) {
      EngineOptions options = Settings::defaultEngineOptions();
      options.speculation.draftModel = "/a/model";
      access(options) = test::otherValue(info, access(options));
      const EngineOptions shown = EngineOptionsDialog(options).options();
      QVERIFY2(same(shown, options), info.key);
      Settings().setEngineOptions(options);
      QVERIFY2(same(Settings().engineOptions(), options), info.key);
      ++seen;
    });
    QVERIFY(seen > 30);
  }

  void everySamplingOptionComesBackFromTheSettings() {
    forEachOption<SamplingOptions>([&](const auto& info, auto field) {
      SamplingOptions sampling = Settings::defaultSampling();
      sampling.*field = test::otherValue(info, sampling.*field);
      Settings().setSampling(sampling);
      QVERIFY2(Settings().sampling().*field == sampling.*field, info.key);
    });
    QSettings().setValue("sampling/top_p", 0.0);
    QSettings().setValue("sampling/min_p", "nan");
    QCOMPARE(Settings().sampling().topP, Settings::defaultSampling().topP);
    QCOMPARE(Settings().sampling().minP, Settings::defaultSampling().minP);
  }

  // Each option that the dialog offers has a knob with a tip, on the page of its group.
  void everyOptionHasItsKnob() {
    EngineOptionsDialog dialog(Settings::defaultEngineOptions());
    const auto* pages = dialog.findChild<QTabWidget*>();
    forEachEngineOption([&](const auto& info, const auto&) {
      const auto* box = dialog.findChild<QWidget*>(info.key);
      QCOMPARE(box != nullptr, info.offered);
      if (!box) return;
      QVERIFY2(pages->widget(static_cast<int>(info.page))->isAncestorOf(box), info.key);
      QVERIFY2(box->toolTip().endsWith(u'.') && box->toolTip() == box->accessibleDescription(), info.key);
    });
    QCOMPARE(pages->count(), 4);
  }

  // The window sizes a pool that is left open, by another rule than the engine's own, and the page says
  // which.
  void thePageSaysHowAnOpenPoolIsSized() {
    EngineOptionsDialog dialog(Settings::defaultEngineOptions());
    const auto said = [&] {
      for (const QLabel* label : dialog.findChildren<QLabel*>())
        if (label->accessibleName() == "How the KV pool is sized" && !label->isHidden()) return label->text();
      return QString();
    };
    auto* const memory = knob<QSpinBox>(dialog, "KV memory");
    QVERIFY(memory != nullptr && said().isEmpty());  // of a scenario, say
    dialog.setFittedPool(KvShare::kQuarter);
    QVERIFY2(said().contains("a quarter of the memory that its weights leave free"), qPrintable(said()));
    QVERIFY2(said().contains(QString("%1 blocks").arg(kBuiltinBlocks)), qPrintable(said()));
    QVERIFY2(!memory->text().contains("1 GiB"), qPrintable(memory->text()));
    memory->setValue(100);
    QVERIFY(said().isEmpty());
    memory->setValue(0);
    QVERIFY(!said().isEmpty());
    knob<QSpinBox>(dialog, "KV blocks")->setValue(77);
    QVERIFY(said().isEmpty());
  }

  // An older program kept its default, 256 tokens, when a person changed another option of the sampling.
  void aFormerDefaultDoesNotCutAnswers() {
    QSettings().setValue("sampling/maxTokens", 256);
    QCOMPARE(Settings().maxTokens(), Settings::kDefaultMaxTokens);
    Settings().setMaxTokens(256);  // a person's own
    QCOMPARE(Settings().maxTokens(), 256);
    Settings().setMaxTokens(0);
    QCOMPARE(Settings().maxTokens(), 0);
    QSettings().clear();
    QSettings().setValue("sampling/maxTokens", 100);  // nothing but a person put it there
    QCOMPARE(Settings().maxTokens(), 100);
  }

  // The smallest screen that the window fits has 768 lines, some of which are the desktop's.
  void theDialogFitsASmallScreen() {
    EngineOptionsDialog dialog(Settings::defaultEngineOptions());
    dialog.setFittedPool(KvShare::kMost);
    dialog.QWidget::show();
    auto* pages = dialog.findChild<QTabWidget*>();
    const QString folder = qEnvironmentVariable("VITRINE_PICTURES");
    for (int i = 0; i < pages->count(); ++i) {
      pages->setCurrentIndex(i);
      QVERIFY2(dialog.height() <= 700 && dialog.width() <= 1000,
               qPrintable(QString::number(dialog.height())));
      if (!folder.isEmpty())
        QVERIFY(dialog.grab().save(QStringLiteral("%1/options-%2.png").arg(folder).arg(i)));
    }
  }

  void nonsenseInTheSettingsIsNotBelieved() {
    Settings().setEngineOptions(evicting());
    QSettings().setValue("engine/preemption", "swap");  // does not go with eviction
    QVERIFY(same(Settings().engineOptions(), Settings::defaultEngineOptions()));
    QSettings().clear();
    QSettings().setValue("engine/batching", 99);
    QSettings().setValue("engine/num_blocks", -5);
    QSettings().setValue("engine/threads", 1e12);
    QSettings().setValue("engine/attention", "no such kernel");
    QSettings().setValue("engine/host_swap", "much");
    const EngineOptions options = Settings().engineOptions();
    options.validate();
    QVERIFY(same(options, Settings::defaultEngineOptions()));
  }

  void aKnobIsDimmedWhileItMeansNothing() {
    EngineOptionsDialog dialog(Settings::defaultEngineOptions());
    dialog.QWidget::show();
    auto* window = knob<QSpinBox>(dialog, "Window");
    auto* batching = knob<QComboBox>(dialog, "Batching");
    QVERIFY(window != nullptr && batching != nullptr && !window->isEnabled());
    for (int i = 0; i < 3; ++i) QTest::keyClick(batching, Qt::Key_Down);
    QVERIFY(dialog.options().batching == Batching::kWindow);
    QVERIFY(window->isEnabled());
    QVERIFY(!knob<QLineEdit>(dialog, "Draft model's folder")->isEnabled());
  }

  void whatDoesNotGoTogetherIsRefusedHere() {
    EngineOptionsDialog dialog(Settings::defaultEngineOptions());
    dialog.QWidget::show();
    auto* eviction = knob<QComboBox>(dialog, "Long contexts");
    auto* preemption = knob<QComboBox>(dialog, "Preempted sequences");
    QLabel* complaint = nullptr;
    for (QLabel* label : dialog.findChildren<QLabel*>())
      if (label->accessibleName() == "Options that contradict each other") complaint = label;
    QVERIFY(eviction && preemption && complaint && !complaint->isVisible());
    eviction->setCurrentIndex(1);
    preemption->setCurrentIndex(1);
    QVERIFY(complaint->isVisible());
    QVERIFY2(complaint->text().contains("Long contexts"), qPrintable(complaint->text()));
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
