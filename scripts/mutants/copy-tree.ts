import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Copies the tree, including uncommitted changes, to a temporary directory so that the original is not changed. */
export function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'wardenry-mutants-'))
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of files
    .split('\n')
    .filter((name) => /^(src|bin|test|docs|packages|examples|package\.json)/.test(name))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
  for (const folder of ['node_modules', 'build']) symlinkSync(join(root, folder), join(copy, folder))
  return copy
}
