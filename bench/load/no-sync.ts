import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

// Preloaded into the engine's thread, where it makes fsync free.
fs.fsyncSync = () => {}
syncBuiltinESMExports()
