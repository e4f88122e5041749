import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

// Preloaded with `--import fail-sync.ts?flag=…`. While the file `flag` exists, each fsync fails with the error code in
// that file.
const flag = new URL(import.meta.url).searchParams.get('flag')!
const { fsyncSync } = fs

fs.fsyncSync = (descriptor) => {
  if (fs.existsSync(flag)) {
    const code = fs.readFileSync(flag, 'utf8')
    throw Object.assign(new Error(`${code}, fsync`), { code, syscall: 'fsync' })
  }
  fsyncSync(descriptor)
}
syncBuiltinESMExports()
