import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

// Preloaded into the embedded database's thread. Disables fsync.
fs.fsyncSync = () => {}
syncBuiltinESMExports()
