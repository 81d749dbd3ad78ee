#include "gui/settings/kv_share_words.h"

#include "widgets/support/wording.h"

namespace vitrine {

QString kvShareText(KvShare share) {
  switch (share) {
    case KvShare::kQuarter:
      return Wording::tr("a quarter");
    case KvShare::kHalf:
      return Wording::tr("a half");
    case KvShare::kMost:
      return Wording::tr("three quarters");
  }
  return {};
}

}  // namespace vitrine
