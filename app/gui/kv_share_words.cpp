#include "kv_share_words.h"

#include <QCoreApplication>

namespace vitrine {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(vitrine::KvShare)
};

}  // namespace

QString kvShareText(KvShare share) {
  switch (share) {
    case KvShare::kQuarter:
      return Words::tr("a quarter");
    case KvShare::kHalf:
      return Words::tr("a half");
    case KvShare::kMost:
      return Words::tr("three quarters");
  }
  return {};
}

}  // namespace vitrine
