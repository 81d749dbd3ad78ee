#include "engine_options_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "settings.h"

namespace vitrine {

EngineOptionsDialog::EngineOptionsDialog(const EngineOptions& options, QWidget* parent)
    : QDialog(parent), m_start(options) {
  setWindowTitle(tr("Machine options"));
  auto* form = new QFormLayout;
  m_blocks = addNumber(form, tr("KV &blocks"),
                       tr("How many blocks the KV pool has. Few blocks make requests wait and be preempted."),
                       1, 1 << 20);
  m_blockSize = addNumber(
      form, tr("Tokens in a block"),
      tr("Larger blocks waste more of their last one; smaller ones need longer block tables."), 1, 256);
  m_sequences =
      addNumber(form, tr("&Sequences at once"), tr("How many sequences may run together."), 1, 1024);
  m_budget = addNumber(
      form, tr("&Token budget of a step"),
      tr("How many tokens one forward pass computes at most. Longer prompts are cut into chunks of it."), 1,
      1 << 20);
  m_threads = addNumber(form, tr("T&hreads"), tr("0: one for each core."), 0, 1024);
  m_threads->setSpecialValueText(tr("one for each core"));
  m_batching = new QComboBox(this);
  m_batching->addItem(tr("Continuous: join and leave at every step"),
                      static_cast<int>(Batching::kContinuous));
  m_batching->addItem(tr("Static: a batch runs until all of it is done"),
                      static_cast<int>(Batching::kStatic));
  m_batching->addItem(tr("Sequential: one request after another"), static_cast<int>(Batching::kSequential));
  m_batching->addItem(tr("Window: like static, but a batch waits for company"), static_cast<int>(Batching::kWindow));
  form->addRow(tr("B&atching"), m_batching);
  m_policy = new QComboBox(this);
  m_policy->addItem(tr("First come, first served"), static_cast<int>(Policy::kFcfs));
  m_policy->addItem(tr("By priority"), static_cast<int>(Policy::kPriority));
  m_policy->addItem(tr("By deadline"), static_cast<int>(Policy::kDeadline));
  form->addRow(tr("&Who goes first"), m_policy);
  m_kernels = new QComboBox(this);
  m_kernels->addItem(tr("Vitrine's own"), static_cast<int>(Kernels::kNative));
  m_kernels->addItem(tr("libtorch, the reference"), static_cast<int>(Kernels::kReference));
  form->addRow(tr("&Kernels"), m_kernels);
  m_prefixCache =
      addSwitch(form, tr("&Prefix cache"),
                tr("Keep the KV of finished requests and share it with later ones that begin the same."));
  m_chunked =
      addSwitch(form, tr("&Chunked prefill"),
                tr("Cut long prompts into chunks, so that those who are answering need not wait for them."));
  auto* note = new QLabel(tr("The machine starts again with these: what runs now is dropped."), this);
  note->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(
      QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults, this);
  buttons->button(QDialogButtonBox::Ok)->setText(tr("Start again"));
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this,
          [this] { show(Settings::defaultEngineOptions()); });
  auto* column = new QVBoxLayout(this);
  column->addLayout(form);
  column->addWidget(note);
  column->addWidget(buttons);
  show(options);
}

QSpinBox* EngineOptionsDialog::addNumber(QFormLayout* form, const QString& label, const QString& tip, int low,
                                         int high) {
  auto* box = new QSpinBox(this);
  box->setRange(low, high);
  box->setGroupSeparatorShown(true);
  box->setToolTip(tip);
  form->addRow(label, box);
  return box;
}

QCheckBox* EngineOptionsDialog::addSwitch(QFormLayout* form, const QString& label, const QString& tip) {
  auto* box = new QCheckBox(label, this);
  box->setToolTip(tip);
  form->addRow(QString(), box);
  return box;
}

void EngineOptionsDialog::show(const EngineOptions& options) {
  m_blocks->setValue(options.numBlocks);
  m_blockSize->setValue(options.blockSize);
  m_sequences->setValue(options.maxSequences);
  m_budget->setValue(options.tokenBudget);
  m_threads->setValue(options.threads);
  m_batching->setCurrentIndex(m_batching->findData(static_cast<int>(options.batching)));
  m_policy->setCurrentIndex(m_policy->findData(static_cast<int>(options.policy)));
  m_kernels->setCurrentIndex(m_kernels->findData(static_cast<int>(options.kernels)));
  m_prefixCache->setChecked(options.prefixCache);
  m_chunked->setChecked(options.chunkedPrefill);
}

EngineOptions EngineOptionsDialog::options() const {
  EngineOptions options = m_start;
  options.numBlocks = m_blocks->value();
  options.blockSize = m_blockSize->value();
  options.maxSequences = m_sequences->value();
  options.tokenBudget = m_budget->value();
  options.threads = m_threads->value();
  options.batching = static_cast<Batching>(m_batching->currentData().toInt());
  options.policy = static_cast<Policy>(m_policy->currentData().toInt());
  options.kernels = static_cast<Kernels>(m_kernels->currentData().toInt());
  options.prefixCache = m_prefixCache->isChecked();
  options.chunkedPrefill = m_chunked->isChecked();
  return options;
}

}  // namespace vitrine
