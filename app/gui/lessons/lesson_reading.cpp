#include "gui/lessons/lesson_reading.h"

#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>

#include "lessons/lesson_links.h"
#include "widgets/support/formats.h"

namespace vitrine {

namespace {

// The text view knows addresses of the web alone; no real one has this host.
const QString kActionAddress = QStringLiteral("https://action.invalid/");

int actionOf(const QString& address) {
  return address.startsWith(kActionAddress) ? address.mid(kActionAddress.size()).toInt() : -1;
}

bool isAction(const std::string& address) {
  try {
    return actionOfLink(address).has_value();
  } catch (const UsageError&) {
    return false;
  }
}

// The same text, as long, with blanks for fenced code.
std::string fencesBlank(std::string text) {
  CodeFence fence;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (fence.takes(std::string_view(text).substr(begin, end - begin)))
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin),
                text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    begin = end + 1;
  }
  return text;
}

// A line that goes on with what the line before it says.
bool goesOn(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string_view::npos) return false;
  const std::string_view words = line.substr(first);
  const std::size_t digits = words.find_first_not_of("0123456789");
  const bool isNumbered = digits != 0 && digits != std::string_view::npos && words[digits] == '.';
  const bool isListed = words.starts_with("- ") || words.starts_with("* ") || words.starts_with("+ ");
  return !isNumbered && !isListed && std::string_view("|>#`~").find(words.front()) == std::string_view::npos;
}

// In the chat's Markdown an end of a line is one; a lesson's file has lines of a source text.
std::string withoutSoftBreaks(const std::string& text) {
  std::string joined;
  CodeFence fence;
  bool mayGoOn = false;  // the line before
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    const bool isCode = fence.takes(line), isPlain = !isCode && goesOn(line);
    if (mayGoOn && isPlain) {
      line.remove_prefix(line.find_first_not_of(' '));
      joined.back() = ' ';
    }
    joined += line;
    joined += '\n';
    const std::size_t first = line.find_first_not_of(' ');
    mayGoOn = !isCode && first != std::string_view::npos && line[first] != '|' && line[first] != '#';
    begin = end + 1;
  }
  return joined;
}

}  // namespace

std::string withTicks(const LessonPage& page, const std::function<bool(int action)>& isDone) {
  std::string text;
  std::size_t from = 0;
  int action = 0;
  for (const LinkInText& link : linksIn(fencesBlank(page.text))) {
    if (!isAction(link.address)) continue;
    text += page.text.substr(from, link.begin - from);
    text += (isDone(action) ? "[✓ " : "[") + link.words + "](" + kActionAddress.toStdString() +
            std::to_string(action) + ")";
    from = link.end;
    ++action;
  }
  return withoutSoftBreaks(text + page.text.substr(from));
}

LessonReading::LessonReading(QWidget* parent) : AnswerText(parent) {
  setAccessibleName(tr("The lesson's page"));
  connect(this, &AnswerText::linkChosen, this, &LessonReading::onLink);
}

void LessonReading::show(const LessonModel& model) {
  setSource(
      QString::fromStdString(withTicks(model.shown(), [&](int action) { return model.isDone(action); })));
}

void LessonReading::onLink(const QString& address) {
  if (const int action = actionOf(address); action >= 0)
    emit actionChosen(action);
  else
    emit addressChosen(address);
}

// An action's words say what it does.
bool LessonReading::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return AnswerText::viewportEvent(event);
  if (actionOf(anchorAt(static_cast<QHelpEvent*>(event)->pos())) < 0) return AnswerText::viewportEvent(event);
  QToolTip::hideText();
  return true;
}

}  // namespace vitrine

#include "moc_lesson_reading.cpp"
