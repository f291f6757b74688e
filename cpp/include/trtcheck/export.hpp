// Marks what the shared library shows to the outside; everything else stays hidden.
#pragma once

#define TRTCHECK_API __attribute__((visibility("default")))
