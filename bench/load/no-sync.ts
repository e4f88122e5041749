import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

// Preloaded into the engine's thread: its fsync then costs nothing.
fs.fsyncSync = () => {}
syncBuiltinESMExports()
