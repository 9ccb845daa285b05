/* bcryptprimitives.dll of Windows, as far as Rust's standard library needs it: Wine 8 has none. */
#include <stddef.h>

/* RtlGenRandom, by the name under which advapi32.dll has it. */
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *buffer, unsigned long length);

__declspec(dllexport) int ProcessPrng(unsigned char *data, size_t length) {
    return SystemFunction036(data, (unsigned long)length) != 0;
}
