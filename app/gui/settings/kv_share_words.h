// How the window calls a part of the free memory, which is the KV pool of a model of one's own. Thread: any.
#pragma once

#include <QString>

#include "catalog/kv_pool.h"

namespace vitrine {

QString kvShareText(KvShare share);  // *a half*

}  // namespace vitrine
