import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

// Preloaded with `--import fail-sync.ts?flag=…`. While the file `flag` exists, each fsync fails like that of a broken disk.
const flag = new URL(import.meta.url).searchParams.get('flag')!
const { fsyncSync } = fs

fs.fsyncSync = (descriptor) => {
  if (fs.existsSync(flag)) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', syscall: 'fsync' })
  fsyncSync(descriptor)
}
syncBuiltinESMExports()
