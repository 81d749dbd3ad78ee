#include "gui/runs/run_name.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <string_view>
#include <type_traits>

#include "vitrine/option_schema.h"
#include "widgets/support/option_text.h"

namespace vitrine {
namespace {

struct RunNames {
  Q_DECLARE_TR_FUNCTIONS(vitrine::RunNames)
};

constexpr qsizetype kTold = 2;  // changes; the others are counted

QString inSentence(const QString& label) { return label.left(1).toLower() + label.mid(1); }

// Of options whose value says by itself what it is of. The others are told with their labels.
QString ownText(Preemption value) {
  return value == Preemption::kSwap ? RunNames::tr("swap") : RunNames::tr("recompute");
}
QString ownText(Policy value) {
  switch (value) {
    case Policy::kFcfs:
      return RunNames::tr("first come, first served");
    case Policy::kPriority:
      return RunNames::tr("priorities");
    case Policy::kDeadline:
      return RunNames::tr("deadlines");
    case Policy::kShortest:
      return RunNames::tr("the shortest first");
  }
  return {};
}

template <class Value>
QString valueText(const OptionInfo<Value>& info, const Value& value) {
  if constexpr (Named<Value>) {
    return inSentence(optionText(info.labels.at(static_cast<std::size_t>(value))));
  } else if constexpr (Numeric<Value>) {
    if (*info.zero != '\0' && value == Value{}) return optionText(info.zero);
    if (info.unit == std::string_view("bytes"))
      return RunNames::tr("%1 MiB").arg(QLocale().toString(static_cast<double>(value) / (1 << 20), 'g', 6));
    const QString number = std::is_integral_v<Value> ? QLocale().toString(static_cast<qlonglong>(value))
                                                     : QLocale().toString(static_cast<double>(value));
    return *info.unit == '\0' ? number : number + u' ' + optionText(info.unit);
  } else {
    return {};
  }
}

template <class Value>
QString changeText(const OptionInfo<Value>& info, const Value& value) {
  const QString label = inSentence(plainLabel(info.label));
  if constexpr (std::is_same_v<Value, Preemption> || std::is_same_v<Value, Policy>) return ownText(value);
  if constexpr (std::is_same_v<Value, bool>) {
    if (info.key == std::string_view("draft_adaptive"))
      return value ? RunNames::tr("drafts of chosen lengths") : RunNames::tr("drafts of one length");
    return (value ? RunNames::tr("%1 on") : RunNames::tr("%1 off")).arg(label);
  }
  if (const QString text = valueText(info, value); !text.isEmpty())
    return RunNames::tr("%1: %2", "an option and its value").arg(label, text);
  return RunNames::tr("another %1").arg(label);
}

}  // namespace

QStringList changedOptionTexts(const EngineOptions& from, const EngineOptions& to) {
  QStringList texts;
  forEachEngineOption([&](const auto& info, const auto& access) {
    if (!(access(from) == access(to))) texts << changeText(info, access(to));
  });
  return texts;
}

QString RunName::text() const {
  const QFileInfo file(origin);
  const bool isFile = file.suffix() == QLatin1String("vitrine");
  QString name = branchStep >= 0 && isFile ? file.completeBaseName() : origin;
  const QStringList told = changes.mid(0, kTold);
  if (changes.size() > kTold)
    name = RunNames::tr("%1, with %2 and %3 more")
               .arg(name, told.join(QStringLiteral(", ")))
               .arg(changes.size() - kTold);
  else if (!told.isEmpty())
    name = RunNames::tr("%1, with %2").arg(name, told.join(RunNames::tr(" and ", "between two changes")));
  const bool isSame = !isChanged || changes.isEmpty();  // as a change that is taken back
  return branchStep >= 0 && isSame ? RunNames::tr("%1, resumed at step %2").arg(name).arg(branchStep) : name;
}

QString RunName::title() const {
  return number == 0 ? QString() : RunNames::tr("Run %1 · %2").arg(number).arg(text());
}

QString RunName::shared() const {
  return branchStep <= 0 ? QString()
                         : RunNames::tr("same as run %1 until step %2").arg(branchOf).arg(branchStep);
}

QString RunName::status() const {
  const QString same = shared();
  return same.isEmpty() ? text()
                        : RunNames::tr("%1 · %2", "a run's name, and what it shares").arg(text(), same);
}

RunName RunName::begunAgain(const EngineOptions& options) const {
  RunName next;
  next.origin = origin;
  next.originOptions = originOptions.value_or(options);
  next.changes = changedOptionTexts(*next.originOptions, options);
  return next;
}

RunName RunName::resumedAt(int step, const EngineOptions& from, const EngineOptions& to) const {
  RunName next;
  next.origin = origin;
  next.originOptions = originOptions.value_or(from);
  next.branchStep = step;
  next.branchOf = number;
  next.changes = changedOptionTexts(*next.originOptions, to);
  next.isChanged = !changedOptionTexts(from, to).isEmpty();
  return next;
}

}  // namespace vitrine
