import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

// Preloaded into the embedded database's thread. Makes fsync as slow as on a disk without a power-protected write
// cache.
const { fsyncSync } = fs
const milliseconds = 5
const sleeper = new Int32Array(new SharedArrayBuffer(4))

fs.fsyncSync = (descriptor) => {
  fsyncSync(descriptor)
  Atomics.wait(sleeper, 0, 0, milliseconds)
}
syncBuiltinESMExports()
