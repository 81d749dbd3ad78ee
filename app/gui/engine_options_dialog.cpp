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
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QStyle>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "settings.h"
#include "vitrine/engine.h"
#include "vitrine/error.h"
#include "vitrine/option_schema.h"
#include "vitrine/options_in_run.h"
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

// A form of knobs, each bound to an option. The knob's kind follows from the type of the option.
class EngineOptionsDialog::Page {
 public:
  Page(EngineOptionsDialog* dialog, QTabWidget* pages, const QString& title)
      : m_dialog(dialog), m_page(new QWidget), m_form(new QFormLayout(m_page)) {
    pages->addTab(scrolled(), title);
  }
  ~Page() {
    m_area->setMinimumWidth(m_page->sizeHint().width() + m_area->verticalScrollBar()->sizeHint().width());
  }

  // Bytes in MiB, since they are more than a spin box counts. A value that the box does not show exactly
  // stays as it is while the box is not changed.
  template <Numeric Value, class Access>
  void add(const OptionInfo<Value>& info, Access access) {
    const Value unit = info.unit == std::string_view("bytes") ? Value{1 << 20} : Value{1};
    auto* box = new QSpinBox(m_page);
    const auto shown = [=](const EngineOptions& options) { return static_cast<int>(access(options) / unit); };
    constexpr double kMost = std::numeric_limits<int>::max();
    box->setRange(
        static_cast<int>(info.least),
        static_cast<int>(std::min(kMost, static_cast<double>(info.most) / static_cast<double>(unit))));
    box->setGroupSeparatorShown(true);
    if (*info.unit != '\0') box->setSuffix(u' ' + (unit > 1 ? tr("MiB") : optionText(info.unit)));
    if (*info.zero != '\0' && info.least == 0) box->setSpecialValueText(optionText(info.zero));
    addKnob(
        info, box, [=](const EngineOptions& options) { box->setValue(shown(options)); },
        [=](EngineOptions& options) {
          if (box->value() != shown(options)) access(options) = static_cast<Value>(box->value()) * unit;
        });
    QObject::connect(box, &QSpinBox::valueChanged, m_dialog, &EngineOptionsDialog::refresh);
  }

  template <class Access>
  void add(const OptionInfo<bool>& info, Access access) {
    auto* box = new QCheckBox(optionText(info.label), m_page);
    addKnob(
        info, box, [=](const EngineOptions& options) { box->setChecked(access(options)); },
        [=](EngineOptions& options) { access(options) = box->isChecked(); });
    QObject::connect(box, &QCheckBox::toggled, m_dialog, &EngineOptionsDialog::refresh);
  }

  template <Named Value, class Access>
  void add(const OptionInfo<Value>& info, Access access) {
    auto* box = new QComboBox(m_page);
    for (const char* label : info.labels) box->addItem(optionText(label));
    addKnob(
        info, box,
        [=](const EngineOptions& options) { box->setCurrentIndex(static_cast<int>(access(options))); },
        [=](EngineOptions& options) { access(options) = static_cast<Value>(box->currentIndex()); });
    QObject::connect(box, &QComboBox::currentIndexChanged, m_dialog, &EngineOptionsDialog::refresh);
  }

  template <class Access>
  void add(const OptionInfo<std::string>& info, Access access) {
    if (info.text == TextKind::kAttentionKernel)
      addKernels(info, access);
    else
      addFolder(info, access);
  }

 private:
  template <class Access>
  void addKernels(const OptionInfo<std::string>& info, Access access) {
    auto* box = new QComboBox(m_page);
    box->addItem(tr("The fastest"), QString());
    for (const std::string& name : attentionKernelNames())
      box->addItem(QString::fromStdString(name), QString::fromStdString(name));
    addKnob(
        info, box,
        [=](const EngineOptions& options) {
          box->setCurrentIndex(box->findData(QString::fromStdString(access(options))));
        },
        [=](EngineOptions& options) { access(options) = box->currentData().toString().toStdString(); });
    QObject::connect(box, &QComboBox::currentIndexChanged, m_dialog, &EngineOptionsDialog::refresh);
  }

  template <class Access>
  void addFolder(const OptionInfo<std::string>& info, Access access) {
    auto* box = new QLineEdit(m_page);
    const QIcon icon = m_page->style()->standardIcon(QStyle::SP_DirOpenIcon);
    QAction* choose = box->addAction(icon, QLineEdit::TrailingPosition);
    choose->setText(tr("Choose a folder"));
    const QString title = optionText(info.label).remove(u'&');
    QObject::connect(choose, &QAction::triggered, m_dialog, [box, title] {
      const QString chosen = QFileDialog::getExistingDirectory(box->window(), title, box->text());
      if (!chosen.isEmpty()) box->setText(chosen);
    });
    addKnob(
        info, box,
        [=](const EngineOptions& options) { box->setText(QString::fromStdString(access(options))); },
        [=](EngineOptions& options) { access(options) = box->text().trimmed().toStdString(); });
    QObject::connect(box, &QLineEdit::textChanged, m_dialog, &EngineOptionsDialog::refresh);
  }

  template <class Value>
  void addKnob(const OptionInfo<Value>& info, QWidget* box, std::function<void(const EngineOptions&)> show,
               std::function<void(EngineOptions&)> take) {
    const QString tip = optionSentence(info.help);
    box->setObjectName(QLatin1String(info.key));
    box->setToolTip(tip);
    box->setAccessibleDescription(tip);
    m_form->addRow(std::is_same_v<Value, bool> ? QString() : optionText(info.label), box);
    m_dialog->m_knobs.push_back(
        {box, std::move(show), std::move(take), info.when, mayChangeInRun(info.key, info.page)});
  }

  // On a small screen a page is scrolled, so that the buttons stay in sight.
  QScrollArea* scrolled() {
    m_area = new QScrollArea;
    m_area->setWidget(m_page);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return m_area;
  }

  EngineOptionsDialog* m_dialog;
  QWidget* m_page;
  QFormLayout* m_form;
  QScrollArea* m_area = nullptr;
};

EngineOptionsDialog::EngineOptionsDialog(const EngineOptions& options, QWidget* parent)
    : QDialog(parent),
      m_defaults(Settings::defaultEngineOptions()),
      m_complaint(new QLabel(this)),
      m_note(new QLabel(this)) {
  setWindowTitle(tr("Machine options"));
  auto* pages = new QTabWidget(this);
  for (const OptionPage page :
       {OptionPage::kScheduling, OptionPage::kMemory, OptionPage::kComputing, OptionPage::kSpeculation})
    addPage(pages, page);
  m_complaint->setWordWrap(true);
  m_complaint->setAccessibleName(tr("What does not go together"));
  m_note->setText(tr("The machine starts again with these options; requests that run now are dropped."));
  m_note->setWordWrap(true);
  m_buttons = new QDialogButtonBox(  // after the pages, so that Tab comes to it last
      QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults, this);
  m_buttons->button(QDialogButtonBox::Ok)->setText(tr("Start again"));
  connect(m_buttons, &QDialogButtonBox::accepted, this, &EngineOptionsDialog::accept);
  connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this,
          [this] { show(m_defaults); });
  auto* column = new QVBoxLayout(this);
  for (QWidget* part : std::initializer_list<QWidget*>{pages, m_complaint, m_note, m_buttons})
    column->addWidget(part);
  show(options);
}

void EngineOptionsDialog::setScenario(const QString& title, const EngineOptions& defaults) {
  m_defaults = defaults;
  setWindowTitle(tr("Machine options of “%1”").arg(title));
  m_note->setText(tr("The scenario starts again with these options; your own options stay as they are."));
}

void EngineOptionsDialog::setResuming(int step) {
  m_defaults = m_shown;
  m_inRun = step > 0;
  setWindowTitle(tr("Go on from step %1 with other options").arg(step));
  m_buttons->button(QDialogButtonBox::Ok)->setText(tr("Resume"));
  m_note->setText(m_inRun
                      ? tr("The machine goes back to step %1 and runs on with these options. To change the "
                           "others, resume from step 0.")
                            .arg(step)
                      : tr("The run's requests come again, to a machine with these options."));
  refresh();
}

void EngineOptionsDialog::addPage(QTabWidget* pages, OptionPage page) {
  // Without a letter: the knobs of the page have theirs. Ctrl+Tab turns the pages.
  Page form(this, pages, plainLabel(kOptionPageLabels.at(static_cast<std::size_t>(page))));
  forEachEngineOption([&](const auto& info, const auto& access) {
    if (info.page == page && info.offered) form.add(info, access);
  });
}

void EngineOptionsDialog::show(const EngineOptions& options) {
  m_shown = options;
  for (const Knob& knob : m_knobs) {
    const QSignalBlocker quiet(knob.widget);
    knob.show(options);
  }
  refresh();
}

EngineOptions EngineOptionsDialog::options() const {
  EngineOptions options = m_shown;
  for (const Knob& knob : m_knobs) knob.take(options);
  return options;
}

void EngineOptionsDialog::refresh() {
  const EngineOptions now = options();
  for (const Knob& knob : m_knobs) {
    const bool means = knob.when == nullptr || knob.when->holds(now);
    knob.widget->setEnabled(means && (knob.inRun || !m_inRun));
  }
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
