#include "catalog/gguf_name.h"

#include <QRegularExpression>

namespace vitrine {

bool isGgufName(const QString& path) { return path.endsWith(QLatin1String(".gguf"), Qt::CaseInsensitive); }

GgufName readGgufName(const QString& path) {
  static const QRegularExpression part(QStringLiteral("-(\\d{5})-of-(\\d{5})$"));
  static const QRegularExpression quantization(
      QStringLiteral("(?:^|[-._])((?:UD-)?(?:I?Q\\d(?:_[A-Z0-9]+)*|TQ\\d_\\d|BF16|F16|F32|MXFP4(?:_MOE)?))$"),
      QRegularExpression::CaseInsensitiveOption);
  GgufName name;
  name.base = path.section('/', -1);
  name.base.chop(5);
  if (const auto match = part.match(name.base); match.hasMatch()) {
    name.part = match.captured(1).toInt();
    name.parts = match.captured(2).toInt();
    name.base.truncate(match.capturedStart());
  }
  if (const auto match = quantization.match(name.base); match.hasMatch())
    name.quantization = match.captured(1).toUpper();
  name.isVision = name.base.contains(QLatin1String("mmproj"), Qt::CaseInsensitive);
  return name;
}

}  // namespace vitrine
