#include "gui/settings/engine_options_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QScrollArea>
#include <QStandardItemModel>
#include <QTabWidget>
#include <optional>

#include "gui/parts/small_parts.h"
#include "gui/settings/device_words.h"
#include "gui/settings/kv_share_words.h"
#include "gui/settings/settings.h"
#include "vitrine/error.h"
#include "vitrine/option_schema.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/option_text.h"
#include "widgets/support/window_words.h"

namespace vitrine {
namespace {

std::optional<EngineError> complaintAbout(const EngineOptions& options) {
  try {
    options.validate();
  } catch (const EngineError& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace

EngineOptionsDialog::EngineOptionsDialog(const EngineOptions& options, QWidget* parent)
    : QDialog(parent),
      m_defaults(Settings::defaultEngineOptions()),
      m_knobs([this] { refresh(); }),
      m_complaint(new QLabel(this)),
      m_note(new QLabel(this)),
      m_pool(namedLabel(tr("How the KV pool is sized"), nullptr)),
      m_devices(namedLabel(tr("Devices that cannot be used"), nullptr)) {
  setWindowTitle(tr("Machine options"));
  auto* pages = new QTabWidget(this);
  m_devices->hide();
  for (const OptionPage page :
       {OptionPage::kScheduling, OptionPage::kMemory, OptionPage::kComputing, OptionPage::kSpeculation})
    addPage(pages, page);
  m_complaint->setWordWrap(true);
  m_complaint->setAccessibleName(tr("Options that contradict each other"));
  m_note->setText(tr("The machine starts again with these options; requests that run now are dropped."));
  m_note->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(
      QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults, this);
  m_start = buttons->button(QDialogButtonBox::Ok);
  m_start->setText(tr("Start again"));
  connect(buttons, &QDialogButtonBox::accepted, this, &EngineOptionsDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this,
          [this] { show(m_defaults); });
  addParts(new QVBoxLayout(this), {pages, m_complaint, m_note, buttons});
  show(options);
}

void EngineOptionsDialog::setScenario(const QString& title, const EngineOptions& defaults) {
  m_defaults = defaults;
  setWindowTitle(tr("Machine options of “%1”").arg(title));
  m_note->setText(tr("The scenario starts again with these options; your own options stay as they are."));
}

void EngineOptionsDialog::setFittedPool(KvShare share) {
  m_pool->setText(
      tr("Without a number of blocks or of bytes, the built-in model has %1 blocks. Another model has "
         "%2 of the memory that its weights leave free: Model → Models on this computer changes the "
         "part.")
          .arg(kBuiltinBlocks)
          .arg(kvShareText(share)));
  // Here the engine's own rule for a pool without a size does not come to bear.
  if (auto* const memory = findChild<QSpinBox*>(QStringLiteral("kv_memory")))
    memory->setSpecialValueText(tr("sized when a model is opened, as said above"));
  refresh();
}

// The device that is chosen stays, also where it cannot be used.
void EngineOptionsDialog::setDevices(const std::vector<DeviceInfo>& devices) {
  auto* const box = findChild<QComboBox*>(QStringLiteral("device"));
  QStringList problems;
  for (const DeviceInfo& device : devices) {
    const int row = static_cast<int>(device.device);
    box->setItemText(row, deviceTitle(device));
    box->setItemData(row, deviceTip(device), Qt::ToolTipRole);
    if (auto* const list = qobject_cast<QStandardItemModel*>(box->model()))
      list->item(row)->setEnabled(device.canCompute());
    if (!device.canCompute()) problems << tr("%1: %2").arg(deviceKind(device.device), deviceTip(device));
  }
  m_devices->setText(problems.join(u'\n'));
  m_devices->setVisible(!problems.isEmpty());
}

void EngineOptionsDialog::setForEditing(const QString& title, const EngineOptions& defaults) {
  setScenario(title, defaults);
  m_note->setText(tr("Used when the scenario is played."));
  m_start->setText(tr("Apply"));
}

void EngineOptionsDialog::setResuming(int step) {
  m_defaults = options();
  m_inRun = step > 0;
  setWindowTitle(tr("Go on from step %1 with other options").arg(step));
  m_start->setText(tr("Resume"));
  m_note->setText(m_inRun
                      ? tr("The machine goes back to step %1 and runs on with these options. To change the "
                           "others, resume from step 0.")
                            .arg(step)
                      : tr("The run's requests come again, to a machine with these options."));
  refresh();
}

void EngineOptionsDialog::addPage(QTabWidget* pages, OptionPage page) {
  auto* form = new QFormLayout(new QWidget);
  forEachEngineOption([&](const auto& info, const auto& access) {
    if (info.page == page && info.offered) m_knobs.add(form, info, access);
  });
  if (page == OptionPage::kMemory) form->insertRow(0, m_pool);
  if (page == OptionPage::kComputing) form->addRow(m_devices);
  // Without a letter: the knobs of the page have theirs. Ctrl+Tab turns the pages.
  pages->addTab(scrolledPage(form->parentWidget()),
                plainLabel(kOptionPageLabels.at(static_cast<std::size_t>(page))));
}

void EngineOptionsDialog::show(const EngineOptions& options) {
  m_knobs.show(options);
  refresh();
}

EngineOptions EngineOptionsDialog::options() const { return m_knobs.options(); }

void EngineOptionsDialog::refresh() {
  const EngineOptions now = options();
  m_knobs.enableFor(now, m_inRun);
  m_pool->setVisible(!m_pool->text().isEmpty() && leavesPoolOpen(now));
  const auto complaint = complaintAbout(now);
  m_complaint->setVisible(complaint.has_value());
  if (complaint)
    m_complaint->setText(tr("These do not go together: %1 (%2).")
                             .arg(inWindowWords(QString::fromUtf8(complaint->what())),
                                  inWindowWords(QString::fromStdString(complaint->hint()))));
}

void EngineOptionsDialog::accept() {
  if (!complaintAbout(options())) QDialog::accept();
}

}  // namespace vitrine

#include "moc_engine_options_dialog.cpp"
