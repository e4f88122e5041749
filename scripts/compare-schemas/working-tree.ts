import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'

const root = join(import.meta.dirname, '../..')

/** Copies the sources without `build`, whose archive of an empty database may have an earlier schema. */
export function copyWorkingTree(): string {
  const copy = temporaryDirectory('working-tree')
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'src', 'package.json'], { cwd: root })
  for (const file of files.toString().trim().split('\n')) {
    // Deleted files are listed until the deletion is staged.
    if (!existsSync(join(root, file))) continue
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}
