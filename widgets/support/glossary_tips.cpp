#include "widgets/support/glossary_tips.h"

#include <QCoreApplication>
#include <algorithm>

#include "widgets/support/window_language.h"

namespace vitrine {
namespace {

struct Tips {
  Q_DECLARE_TR_FUNCTIONS(GlossaryTips)
};

}  // namespace

const std::vector<prose::Term>& windowGlossary() {
  static const std::vector<prose::Term> terms = prose::glossary(windowLanguage());
  return terms;
}

QString termTip(const QString& text, qsizetype letter) {
  if (letter < 0 || letter >= text.size()) return {};
  const auto byte = static_cast<std::size_t>(text.left(letter).toUtf8().size());
  const std::vector<prose::TermPlace> places = prose::termsIn(text.toStdString(), windowGlossary());
  const auto found = std::ranges::find_if(places, [byte](const prose::TermPlace& place) {
    return byte >= place.begin && byte < place.begin + place.length;
  });
  if (found == places.end()) return {};
  const prose::Term& term = windowGlossary()[found->term];
  QString tip =
      Tips::tr("%1: %2").arg(QString::fromStdString(term.name), QString::fromStdString(term.meaning));
  if (!term.paper.empty()) tip += u'\n' + Tips::tr("From: %1").arg(QString::fromStdString(term.paper));
  return tip + u'\n' + Tips::tr("F1: the glossary");
}

}  // namespace vitrine
