// Where a line of text stands in its cell. Thread: any.
#pragma once

#include <Qt>

namespace vitrine {

inline constexpr Qt::Alignment kAtLeft = Qt::AlignLeft | Qt::AlignVCenter;
inline constexpr Qt::Alignment kAtRight = Qt::AlignRight | Qt::AlignVCenter;

}  // namespace vitrine
