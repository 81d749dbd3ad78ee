// Intel's Advanced Matrix Extensions: eight tiles of 16 rows of 64 bytes, and an instruction that multiplies
// two of them (Intel 64 manual, volume 1, chapter 18). On Linux a process asks once for the tiles' 8 KiB of
// state.
#pragma once

namespace vitrine::cpu {

// Whether this machine has the instructions for int8 and bf16, and the system lets the process use them. The
// first call asks. Thread: any.
bool hasAmx();

}  // namespace vitrine::cpu
