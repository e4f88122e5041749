import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

// Preloaded into the thread of the embedded database. Disables fsync.
fs.fsyncSync = () => {}
syncBuiltinESMExports()
