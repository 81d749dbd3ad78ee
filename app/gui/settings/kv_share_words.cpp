#include "gui/settings/kv_share_words.h"

#include <QCoreApplication>

namespace vitrine {
namespace {

struct KvShareWords {
  Q_DECLARE_TR_FUNCTIONS(vitrine::KvShare)
};

}  // namespace

QString kvShareText(KvShare share) {
  switch (share) {
    case KvShare::kQuarter:
      return KvShareWords::tr("a quarter");
    case KvShare::kHalf:
      return KvShareWords::tr("a half");
    case KvShare::kMost:
      return KvShareWords::tr("three quarters");
  }
  return {};
}

}  // namespace vitrine
