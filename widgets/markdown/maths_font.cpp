#include "widgets/markdown/maths_font.h"

#include <QCache>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QHash>
#include <QPainterPath>
#include <QRawFont>
#include <algorithm>

#include "widgets/markdown/maths_letters.h"

namespace vitrine {
namespace {

// The first one that the system has; empty: none.
const QString& mathsFamily() {
  static const QString family = [] {
    const QStringList known = QFontDatabase::families();
    for (const char* const name :
         {"Latin Modern Math", "STIX Two Math", "XITS Math", "Libertinus Math", "TeX Gyre Termes Math",
          "TeX Gyre Pagella Math", "Cambria Math", "DejaVu Math TeX Gyre", "Noto Sans Math"})
      if (known.contains(QLatin1String(name))) return QString::fromLatin1(name);
    return QString();
  }();
  return family;
}

bool isSlanted(MathsLetters letters) {
  return letters == MathsLetters::kItalic || letters == MathsLetters::kBoldItalic;
}

// A slanted letter has room at its sides for its lean in some fonts, which would tear words of formulas apart
// and scripts off their letter. Of the room beside the ink this much stays, in ems.
constexpr double kSideRoom = 0.05;

void tighten(MathsGlyphs& glyphs, double em) {
  const double left = std::max(0.0, glyphs.ink.left() - kSideRoom * em);
  const double right = std::max(0.0, glyphs.width - glyphs.ink.right() - kSideRoom * em);
  glyphs.x = -left;
  glyphs.width -= left + right;
  glyphs.foot -= left;
  glyphs.ink.translate(-left, 0);
}

double footOf(const QPainterPath& outline, const MathsGlyphs& glyphs, double xHeight) {
  QPainterPath low;
  low.addRect(glyphs.ink.adjusted(-1, 0, 1, 1)
                  .intersected(QRectF(glyphs.ink.left() - 1, -xHeight / 2, glyphs.ink.width() + 2,
                                      glyphs.ink.height() + xHeight)));
  const QRectF ink = outline.intersected(low).boundingRect();
  return ink.isEmpty() ? glyphs.ink.right() : ink.right();
}

// These the font draws by itself, whatever it has of Unicode's letters.
bool isOfTheFont(MathsLetters letters) {
  return letters == MathsLetters::kUpright || letters == MathsLetters::kText ||
         letters == MathsLetters::kSans || letters == MathsLetters::kFixed;
}

bool has(const QString& family, char32_t code) {
  static const QRawFont font = [&family] {
    QFont maths(family);
    maths.setStyleStrategy(QFont::NoFontMerging);
    return QRawFont::fromFont(maths);
  }();
  return font.isValid() && font.supportsCharacter(code);
}

}  // namespace

QFont MathsFont::font(MathsLetters letters, double scale) const {
  QFont font;
  if (letters == MathsLetters::kFixed)
    font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  else if (letters != MathsLetters::kSans && !mathsFamily().isEmpty())
    font = QFont(mathsFamily());
  else if (letters != MathsLetters::kSans)
    font.setFamilies({QStringLiteral("DejaVu Serif"), QStringLiteral("Noto Serif"), QStringLiteral("serif")});
  const bool plain = mathsFamily().isEmpty();
  font.setItalic(plain && isSlanted(letters));
  font.setBold(plain && (letters == MathsLetters::kBold || letters == MathsLetters::kBoldItalic));
  font.setPixelSize(std::max(1, static_cast<int>(std::lround(m_pixels * scale))));
  font.setHintingPreference(QFont::PreferNoHinting);
  return font;
}

MathsGlyphs MathsFont::glyphs(const std::string& text, MathsLetters letters, double scale) const {
  static QCache<QString, MathsGlyphs> known{4096};
  const QFont drawn = font(letters, scale);
  // The fonts of these follow the desktop's.
  const bool isKept = letters != MathsLetters::kSans && letters != MathsLetters::kFixed;
  const QString key = QStringLiteral("%1 %2 ").arg(drawn.pixelSize()).arg(static_cast<int>(letters)) +
                      QString::fromStdString(text);
  if (const MathsGlyphs* const glyphs = isKept ? known.object(key) : nullptr) return *glyphs;
  const QFontMetricsF metrics(drawn);
  MathsGlyphs glyphs;
  glyphs.text = shown(text, letters);
  glyphs.font = drawn;
  glyphs.width = metrics.horizontalAdvance(glyphs.text);
  QPainterPath outline;
  outline.addText(0, 0, drawn, glyphs.text);
  // Qt's tight rectangle reaches to the origin.
  glyphs.ink = outline.isEmpty() ? metrics.tightBoundingRect(glyphs.text) : outline.boundingRect();
  const bool isLetter = glyphs.text.toUcs4().size() == 1 && !glyphs.ink.isEmpty();
  glyphs.foot =
      isLetter && isSlanted(letters) ? footOf(outline, glyphs, metrics.xHeight()) : glyphs.ink.right();
  if (isLetter && (isSlanted(letters) || text == "′")) tighten(glyphs, drawn.pixelSize());
  if (isKept) known.insert(key, new MathsGlyphs(glyphs));
  return glyphs;
}

MathsHeights MathsFont::heights(double scale) const {
  static QHash<int, MathsHeights> known;  // by the font's size, of which there are few
  const QFont upright = font(MathsLetters::kUpright, scale);
  if (const auto it = known.constFind(upright.pixelSize()); it != known.cend()) return *it;
  const QFontMetricsF metrics(upright);
  QPainterPath outline;
  outline.addText(0, 0, upright, QStringLiteral("+"));
  const QRectF plus = outline.boundingRect();
  const MathsHeights heights{metrics.xHeight(),
                             plus.isEmpty() ? 0.25 * upright.pixelSize() : -plus.center().y()};
  known.insert(upright.pixelSize(), heights);
  return heights;
}

QString MathsFont::shown(const std::string& text, MathsLetters letters) const {
  const QString plain = QString::fromStdString(text);
  const bool slantedByFont = isSlanted(letters) || letters == MathsLetters::kBold;
  if (isOfTheFont(letters) || (mathsFamily().isEmpty() && slantedByFont)) return plain;
  const QFontMetricsF drawn(font(letters, 1));  // other fonts help where there is none for maths
  QString shown;
  for (const char32_t c : plain.toUcs4()) {
    const char32_t letter = mathsLetter(c, letters);
    const bool known = mathsFamily().isEmpty() ? drawn.inFontUcs4(letter) : has(mathsFamily(), letter);
    const char32_t code = known ? letter : c;
    shown += QString::fromUcs4(&code, 1);
  }
  return shown;
}

}  // namespace vitrine
