#include "engine_options_dialog.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStyle>
#include <QTabWidget>
#include <QVBoxLayout>
#include <optional>

#include "settings.h"
#include "vitrine/engine.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

// The field of const or changing options that a knob stands for. The name of a field takes no parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define VITRINE_OPTION(field) \
  [](auto& o) -> auto& { return o.field; }
// NOLINTEND(bugprone-macro-parentheses)

std::optional<EngineError> complaintAbout(const EngineOptions& options) {
  try {
    options.validate();
  } catch (const EngineError& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace

// A form of knobs, each bound to a field of the options.
class EngineOptionsDialog::Page {
 public:
  using Matters = std::function<bool(const EngineOptions&)>;

  Page(EngineOptionsDialog* dialog, QTabWidget* pages, const QString& title)
      : m_dialog(dialog), m_page(new QWidget), m_form(new QFormLayout(m_page)) {
    pages->addTab(m_page, title);
  }

  // In units of `unit`, since bytes are more than a spin box counts.
  template <class Field>
  QSpinBox* number(const QString& label, const QString& tip, int low, int high, Field field,
                   const Matters& matters = {}, int unit = 1) {
    auto* box = new QSpinBox(m_page);
    box->setRange(low, high);
    box->setGroupSeparatorShown(true);
    add(
        label, box, tip,
        [=](const EngineOptions& options) { box->setValue(static_cast<int>(field(options) / unit)); },
        [=](EngineOptions& options) {
          auto& value = field(options);
          using Value = std::remove_reference_t<decltype(value)>;
          value = static_cast<Value>(box->value()) * static_cast<Value>(unit);
        },
        matters);
    QObject::connect(box, &QSpinBox::valueChanged, m_dialog, &EngineOptionsDialog::refresh);
    return box;
  }

  template <class Field>
  void toggle(const QString& label, const QString& tip, Field field, const Matters& matters = {}) {
    auto* box = new QCheckBox(label, m_page);
    add(
        {}, box, tip, [=](const EngineOptions& options) { box->setChecked(field(options)); },
        [=](EngineOptions& options) { field(options) = box->isChecked(); }, matters);
    QObject::connect(box, &QCheckBox::toggled, m_dialog, &EngineOptionsDialog::refresh);
  }

  template <class Value, class Field>
  void choice(const QString& label, const QString& tip, const std::vector<std::pair<QString, Value>>& values,
              Field field, const Matters& matters = {}) {
    auto* box = new QComboBox(m_page);
    for (const auto& [text, value] : values) box->addItem(text);
    add(
        label, box, tip,
        [=](const EngineOptions& options) {
          for (std::size_t i = 0; i < values.size(); ++i)
            if (values[i].second == field(options)) box->setCurrentIndex(static_cast<int>(i));
        },
        [=](EngineOptions& options) {
          field(options) = values[static_cast<std::size_t>(box->currentIndex())].second;
        },
        matters);
    QObject::connect(box, &QComboBox::currentIndexChanged, m_dialog, &EngineOptionsDialog::refresh);
  }

  template <class Field>
  void folder(const QString& label, const QString& tip, Field field, const Matters& matters) {
    auto* box = new QLineEdit(m_page);
    const QIcon icon = m_page->style()->standardIcon(QStyle::SP_DirOpenIcon);
    QAction* choose = box->addAction(icon, QLineEdit::TrailingPosition);
    choose->setText(EngineOptionsDialog::tr("Choose a folder"));
    QObject::connect(choose, &QAction::triggered, m_dialog, [box, label] {
      const QString chosen =
          QFileDialog::getExistingDirectory(box->window(), QString(label).remove(u'&'), box->text());
      if (!chosen.isEmpty()) box->setText(chosen);
    });
    add(
        label, box, tip,
        [=](const EngineOptions& options) { box->setText(QString::fromStdString(field(options))); },
        [=](EngineOptions& options) { field(options) = box->text().trimmed().toStdString(); }, matters);
    QObject::connect(box, &QLineEdit::textChanged, m_dialog, &EngineOptionsDialog::refresh);
  }

 private:
  void add(const QString& label, QWidget* box, const QString& tip,
           std::function<void(const EngineOptions&)> show, std::function<void(EngineOptions&)> take,
           Matters matters) {
    box->setToolTip(tip);
    box->setAccessibleDescription(tip);
    m_form->addRow(label, box);
    m_dialog->m_knobs.push_back({box, std::move(show), std::move(take), std::move(matters)});
  }

  EngineOptionsDialog* m_dialog;
  QWidget* m_page;
  QFormLayout* m_form;
};

EngineOptionsDialog::EngineOptionsDialog(const EngineOptions& options, QWidget* parent)
    : QDialog(parent), m_start(options), m_complaint(new QLabel(this)) {
  setWindowTitle(tr("Machine options"));
  auto* pages = new QTabWidget(this);
  addScheduling(pages);
  addMemory(pages);
  addComputing(pages);
  m_complaint->setWordWrap(true);
  m_complaint->setAccessibleName(tr("What does not go together"));
  auto* note = new QLabel(tr("The machine starts again with these: what runs now is dropped."), this);
  note->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(
      QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults, this);
  buttons->button(QDialogButtonBox::Ok)->setText(tr("Start again"));
  connect(buttons, &QDialogButtonBox::accepted, this, &EngineOptionsDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this,
          [this] { show(Settings::defaultEngineOptions()); });
  auto* column = new QVBoxLayout(this);
  for (QWidget* part : std::initializer_list<QWidget*>{pages, m_complaint, note, buttons})
    column->addWidget(part);
  show(options);
}

void EngineOptionsDialog::addScheduling(QTabWidget* pages) {
  Page page(this, pages, tr("&Scheduling"));
  page.number(tr("Sequences at &once"), tr("How many sequences may run together."), 1, 1024,
              VITRINE_OPTION(maxSequences));
  page.number(
      tr("Token b&udget of a step"),
      tr("How many tokens one forward pass computes at most. Longer prompts are cut into chunks of it."), 1,
      1 << 20, VITRINE_OPTION(tokenBudget));
  page.toggle(tr("&Chunked prefill"),
              tr("Cut long prompts into chunks, so that those who are answering need not wait for them."),
              VITRINE_OPTION(chunkedPrefill));
  page.choice<Batching>(tr("B&atching"), tr("When a request may join those that run."),
                        {{tr("Continuous: join and leave at every step"), Batching::kContinuous},
                         {tr("Static: a batch runs until all of it is done"), Batching::kStatic},
                         {tr("Window: like static, but a batch waits for company"), Batching::kWindow},
                         {tr("Sequential: one request after another"), Batching::kSequential}},
                        VITRINE_OPTION(batching));
  page.number(tr("&Window"), tr("How long the first of a batch waits for company."), 0, 60000,
              VITRINE_OPTION(windowMs),
              [](const EngineOptions& o) { return o.batching == Batching::kWindow; })
      ->setSuffix(tr(" ms"));
  page.choice<Policy>(tr("Who goes &first"), tr("In which order those who wait are admitted."),
                      {{tr("First come, first served"), Policy::kFcfs},
                       {tr("By priority"), Policy::kPriority},
                       {tr("By deadline"), Policy::kDeadline}},
                      VITRINE_OPTION(policy));
  page.number(tr("&Ages after"),
              tr("A request rises by one priority, or counts as due, after so many steps, so that nobody "
                 "starves."),
              0, kMaxAgingSteps, VITRINE_OPTION(agingSteps),
              [](const EngineOptions& o) { return o.policy != Policy::kFcfs; })
      ->setSpecialValueText(tr("never"));
}

void EngineOptionsDialog::addMemory(QTabWidget* pages) {
  Page page(this, pages, tr("&Memory"));
  const auto swaps = [](const EngineOptions& o) { return o.preemption == Preemption::kSwap; };
  const auto evicts = [](const EngineOptions& o) { return o.eviction != Eviction::kNone; };
  constexpr int kMiB = 1 << 20, kManyMiB = 1 << 20;
  page.number(tr("KV &blocks"),
              tr("How many blocks the KV pool has. Few blocks make requests wait and be preempted."), 1,
              kMaxBlocks, VITRINE_OPTION(numBlocks));
  page.number(tr("Tokens &in a block"),
              tr("Larger blocks waste more of their last one; smaller ones need longer block tables."), 1,
              256, VITRINE_OPTION(blockSize));
  page.toggle(tr("&KV cache"),
              tr("Keep keys and values. Without it everything is computed anew for each token."),
              VITRINE_OPTION(kvCache));
  page.toggle(tr("&Prefix cache"),
              tr("Keep the KV of finished requests and share it with later ones that begin the same."),
              VITRINE_OPTION(prefixCache), [](const EngineOptions& o) { return o.kvCache; });
  page.choice<KvType>(tr("Keys and &values as"), tr("int8 holds 3.8 times the tokens in the same memory."),
                      {{tr("Floats, as they are computed"), KvType::kSame}, {tr("int8"), KvType::kInt8}},
                      VITRINE_OPTION(kvType));
  page.choice<Preemption>(tr("W&ho gives way"),
                          tr("What becomes of the KV of a sequence that has to give its blocks back."),
                          {{tr("Is computed again"), Preemption::kRecompute},
                           {tr("Is swapped out and in again"), Preemption::kSwap}},
                          VITRINE_OPTION(preemption));
  page.number(tr("Swap to &memory"), tr("How much is kept outside the pool before it goes to a file."), 0,
              kManyMiB, VITRINE_OPTION(hostSwapBytes), swaps, kMiB)
      ->setSuffix(tr(" MiB"));
  page.number(tr("Swap to a &file"), tr("How large the file may become. It is removed at the end."), 0,
              kManyMiB, VITRINE_OPTION(diskSwapBytes), swaps, kMiB)
      ->setSuffix(tr(" MiB"));
  page.choice<Eviction>(tr("&Long contexts"),
                        tr("What a sequence gives up when it grows beyond what it may keep."),
                        {{tr("End with the model's context"), Eviction::kNone},
                         {tr("Keep the first tokens and a window (StreamingLLM)"), Eviction::kSinks},
                         {tr("Keep what got the most attention too (H2O)"), Eviction::kHeavyHitters}},
                        VITRINE_OPTION(eviction));
  page.number(tr("First tokens kept"), tr("The attention sinks."), 0, 1 << 20, VITRINE_OPTION(sinkTokens),
              evicts);
  page.number(tr("Last tokens kept"), tr("The window."), 1, 1 << 20, VITRINE_OPTION(windowTokens), evicts);
  page.number(tr("Heavy hitters kept"), tr("Tokens between the two with the most attention so far."), 0,
              1 << 20, VITRINE_OPTION(heavyTokens),
              [](const EngineOptions& o) { return o.eviction == Eviction::kHeavyHitters; });
}

void EngineOptionsDialog::addComputing(QTabWidget* pages) {
  Page page(this, pages, tr("&Computing"));
  const auto drafts = [](const EngineOptions& o) { return o.speculation.drafter != DraftMethod::kNone; };
  page.number(tr("T&hreads"), tr("0: one for each core."), 0, 1024, VITRINE_OPTION(threads))
      ->setSpecialValueText(tr("one for each core"));
  page.choice<Kernels>(
      tr("&Kernels"), tr("Who multiplies."),
      {{tr("Vitrine's own"), Kernels::kNative}, {tr("libtorch, the reference"), Kernels::kReference}},
      VITRINE_OPTION(kernels));
  std::vector<std::pair<QString, std::string>> attention = {{tr("The fastest"), ""}};
  for (const std::string& name : attentionKernelNames())
    attention.emplace_back(QString::fromStdString(name), name);
  page.choice<std::string>(tr("&Attention"), tr("reference writes all scores out, flash passes over tiles."),
                           attention, VITRINE_OPTION(attention),
                           [](const EngineOptions& o) { return o.kernels == Kernels::kNative; });
  page.choice<WeightType>(tr("&Weights in"), tr("The type they are kept in."),
                          {{tr("As their file has them"), WeightType::kAsStored},
                           {tr("float32"), WeightType::kF32},
                           {tr("bfloat16"), WeightType::kBf16},
                           {tr("float16"), WeightType::kF16}},
                          VITRINE_OPTION(weightType));
  page.choice<Quantization>(tr("&Quantized to"),
                            tr("Fewer bits a weight: less memory, more speed, a little less truth."),
                            {{tr("Not at all"), Quantization::kNone},
                             {tr("int8"), Quantization::kInt8},
                             {tr("int4"), Quantization::kInt4}},
                            VITRINE_OPTION(quantization));
  page.choice<DraftMethod>(tr("Who &drafts"),
                           tr("Speculation: somebody guesses some tokens, and one forward pass checks them."),
                           {{tr("Nobody"), DraftMethod::kNone},
                            {tr("The model's own first layers"), DraftMethod::kEarlyExit},
                            {tr("A second, smaller model"), DraftMethod::kModel},
                            {tr("An earlier place in the text (n-gram)"), DraftMethod::kNgram}},
                           VITRINE_OPTION(speculation.drafter));
  page.folder(tr("Its &folder"), tr("A Hugging Face folder of a model with the same tokens."),
              VITRINE_OPTION(speculation.draftModel),
              [](const EngineOptions& o) { return o.speculation.drafter == DraftMethod::kModel; });
  page.number(tr("Tokens in a d&raft"), tr("How many are guessed at a time."), 1, 16,
              VITRINE_OPTION(speculation.draftLength), drafts);
  page.toggle(tr("Ch&oose the length by what is accepted"),
              tr("Up to the number above, from measured costs and acceptance."),
              VITRINE_OPTION(speculation.adaptive), drafts);
}

void EngineOptionsDialog::show(const EngineOptions& options) {
  for (const Knob& knob : m_knobs) {
    const QSignalBlocker quiet(knob.widget);
    knob.show(options);
  }
  refresh();
}

EngineOptions EngineOptionsDialog::options() const {
  EngineOptions options = m_start;
  for (const Knob& knob : m_knobs) knob.take(options);
  return options;
}

void EngineOptionsDialog::refresh() {
  const EngineOptions now = options();
  for (const Knob& knob : m_knobs) knob.widget->setEnabled(!knob.matters || knob.matters(now));
  const auto complaint = complaintAbout(now);
  m_complaint->setVisible(complaint.has_value());
  if (complaint)
    m_complaint->setText(
        tr("These do not go together: %1 (%2).")
            .arg(QString::fromUtf8(complaint->what()), QString::fromStdString(complaint->hint())));
}

void EngineOptionsDialog::accept() {
  if (!complaintAbout(options())) QDialog::accept();
}

}  // namespace vitrine
