// The system's figures of this process. 0 where /proc does not tell. Thread: any.
#pragma once

namespace vitrine {

double msSinceProcessStart();  // to 10 ms
double residentMiB();

}  // namespace vitrine
