#include "widgets/support/spoken_label.h"

#include <QAccessibleWidget>
#include <QLabel>
#include <QTextDocumentFragment>

namespace vitrine {
namespace {

class SpokenLabel final : public QAccessibleWidget {
 public:
  explicit SpokenLabel(QLabel* label) : QAccessibleWidget(label, QAccessible::StaticText) {}

  QString text(QAccessible::Text what) const override {
    if (what != QAccessible::Name) return QAccessibleWidget::text(what);
    const QString name = label().accessibleName(), words = wordsOf(label());
    if (name.isEmpty() || words.isEmpty() || name.contains(words)) return name.isEmpty() ? words : name;
    return name + QStringLiteral(": ") + words;
  }

  QList<QPair<QAccessibleInterface*, QAccessible::Relation>> relations(
      QAccessible::Relation match) const override {
    auto all = QAccessibleWidget::relations(match);
    if (QWidget* const buddy = label().buddy(); buddy && (match & QAccessible::Labelled))
      all.append({QAccessible::queryAccessibleInterface(buddy), QAccessible::Labelled});
    return all;
  }

 private:
  const QLabel& label() const { return *static_cast<const QLabel*>(widget()); }

  static QString wordsOf(const QLabel& label) {
    const bool rich = label.textFormat() == Qt::RichText ||
                      (label.textFormat() == Qt::AutoText && Qt::mightBeRichText(label.text()));
    if (rich) return QTextDocumentFragment::fromHtml(label.text()).toPlainText();
    if (!label.buddy()) return label.text();
    QString words = label.text();  // one ampersand is its key's mark, two are one
    for (qsizetype at = 0; (at = words.indexOf(u'&', at)) >= 0; ++at) words.remove(at, 1);
    return words;
  }
};

QAccessibleInterface* makeFace(const QString& type, QObject* object) {
  auto* const label = type == QLatin1String("QLabel") ? qobject_cast<QLabel*>(object) : nullptr;
  return label ? new SpokenLabel(label) : nullptr;
}

}  // namespace

void speakLabelsWhole() {
  [[maybe_unused]] static const bool done = (QAccessible::installFactory(makeFace), true);
}

}  // namespace vitrine
