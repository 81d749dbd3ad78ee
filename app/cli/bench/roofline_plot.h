// The picture of bench roofline: for each run the roof with its values, a disc for each operation whose area
// is its share of the time, and below it the shares as a stacked bar. Thread: any. Read next: label_places.h.
#pragma once

#include <string>
#include <vector>

#include "bench/chart.h"

namespace vitrine::cli {

// Two or three panels beside each other.
Picture rooflinePicture(const std::string& title, const std::vector<BenchRoofRun>& runs);

}  // namespace vitrine::cli
