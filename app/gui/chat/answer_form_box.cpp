#include "gui/chat/answer_form_box.h"

#include <QComboBox>
#include <QEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QStringDecoder>
#include <QTextCursor>
#include <algorithm>

#include "gui/parts/small_parts.h"
#include "gui/turns/answer_form.h"
#include "widgets/message/lit_label.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr int kFormSourceLines = 5;
constexpr qint64 kLongestFormFile = 64 * 1024;  // bytes; the engine takes no longer source

FormKind formKindOf(const QString& key) {
  for (const FormKind& kind : formKinds())
    if (kind.key == key) return kind;
  return {key, {}, AnswerFormBox::tr("This program does not know the kind, and asks for free text.")};
}

}  // namespace

AnswerFormBox::AnswerFormBox(QWidget* parent)
    : QGroupBox(tr("Form of the answer"), parent),
      m_kinds(new QComboBox(this)),
      m_source(new QPlainTextEdit(this)),
      m_open(plainButton(tr("From a file…"),
                         tr("Write the text of a file here, in place of the present text"), this)),
      m_words(wrappedLabel({}, this)) {
  m_kinds->setAccessibleName(tr("Form of the answer"));
  for (const FormKind& kind : formKinds()) m_kinds->addItem(kind.name, kind.key);
  m_source->setFont(fixedFont(font()));
  m_source->setTabChangesFocus(true);
  m_source->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_source->setMinimumHeight((kFormSourceLines + 1) * m_source->fontMetrics().lineSpacing());
  m_words->setAccessibleName(tr("About the form"));
  m_words->setAlignment(Qt::AlignTop);
  auto* below = addParts(new QHBoxLayout, {{m_words, 1}, {m_open, 0, Qt::AlignTop}});
  addParts(new QVBoxLayout(this), {m_kinds, {m_source, 3}, {below, 1}});
  connect(m_kinds, &QComboBox::currentIndexChanged, this, &AnswerFormBox::choose);
  connect(m_source, &QPlainTextEdit::textChanged, this, [this] {
    m_fileComplaint.clear();
    check();
  });
  connect(m_open, &QPushButton::clicked, this, &AnswerFormBox::openFile);
  connect(&m_checker, &FormChecker::changed, this, &AnswerFormBox::tell);
  choose();
}

void AnswerFormBox::show(const AnswerForm& form) {
  if (m_kinds->findData(form.kind) < 0) m_kinds->addItem(tr("%1 (not known here)").arg(form.kind), form.kind);
  m_kinds->setCurrentIndex(m_kinds->findData(form.kind));
  m_sources[form.kind] = form.source;
  m_source->setPlainText(form.source);
}

AnswerForm AnswerFormBox::form() const {
  if (needsSource()) return {m_kind, m_source->toPlainText()};
  const auto kept = m_sources.find(m_kind);  // of an unknown kind
  return {m_kind, kept == m_sources.end() ? QString() : kept->second};
}

bool AnswerFormBox::isRight() const {
  return m_checker.verdict() == FormChecker::Verdict::kRight && !isMissing();
}

bool AnswerFormBox::isWrong() const {
  return m_checker.verdict() == FormChecker::Verdict::kWrong || isMissing();
}

void AnswerFormBox::setTools(bool offered) {
  if (offered == m_toolsOffered) return;
  m_toolsOffered = offered;
  tell();
}

bool AnswerFormBox::needsSource() const { return !formKindOf(m_kind).example.isEmpty(); }

bool AnswerFormBox::isMissing() const { return needsSource() && !asksForForm(form()); }

// Each kind has a text of its own, so that a look at another kind loses none.
void AnswerFormBox::choose() {
  if (needsSource()) m_sources[m_kind] = m_source->toPlainText();
  m_kind = m_kinds->currentData().toString();
  const FormKind kind = formKindOf(m_kind);
  m_fileComplaint.clear();
  m_source->setAccessibleName(kind.name);
  m_source->setPlaceholderText(kind.example);
  m_source->setVisible(needsSource());
  m_open->setVisible(needsSource());
  if (needsSource()) m_source->setPlainText(m_sources[m_kind]);
  check();
}

void AnswerFormBox::check() {
  m_checker.check(form());
  tell();
}

// The words of an error name the place in the text. They stay while the next text is read.
void AnswerFormBox::tell() {
  const FormChecker::Verdict verdict = m_checker.verdict();
  QString complaint = m_fileComplaint;
  if (complaint.isEmpty() && verdict == FormChecker::Verdict::kWrong) complaint = m_checker.complaint();
  if (complaint.isEmpty() && isMissing()) complaint = tr("Write it here, or choose Free text.");
  if (verdict != FormChecker::Verdict::kOpen || !complaint.isEmpty()) {
    QStringList words = {complaint.isEmpty() ? formKindOf(m_kind).tip : complaint};
    if (complaint.isEmpty() && asksForForm(form())) {
      words << tr("The model does not think before it.");
      if (m_toolsOffered) words << tr("It calls a tool only where the form is that of a call.");
    }
    m_words->setText(words.join(u' '));
    QPalette ink;
    if (!complaint.isEmpty()) ink.setColor(QPalette::WindowText, Theme::of(this).warning());
    m_words->setPalette(ink);
  }
  emit changed();
}

// The ink of a complaint follows the window's colours.
void AnswerFormBox::changeEvent(QEvent* event) {
  QGroupBox::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) tell();
}

void AnswerFormBox::openFile() {
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Open a form of answers"), {},
                                   tr("Schemas, grammars and texts (*.json *.gbnf *.txt);;All files (*)"));
  if (!path.isEmpty()) takeFile(path);
}

void AnswerFormBox::takeFile(const QString& path) {
  QFile file(path);
  QStringDecoder decoder(QStringDecoder::Utf8);
  if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) {
    m_fileComplaint = tr("%1 cannot be read.").arg(QFileInfo(path).fileName());
    return tell();
  }
  const QByteArray bytes = file.read(kLongestFormFile + 1);
  const QString text = decoder(bytes);
  if (bytes.size() > kLongestFormFile || decoder.hasError()) {
    m_fileComplaint =
        tr("%1 is not taken: a form is a text in UTF-8 of at most 64 KiB.").arg(QFileInfo(path).fileName());
    return tell();
  }
  QTextCursor all(m_source->document());  // so that Undo brings back what stood here
  all.select(QTextCursor::Document);
  all.insertText(text);
}

}  // namespace vitrine

#include "moc_answer_form_box.cpp"
