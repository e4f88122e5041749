import { spawnSync } from 'node:child_process'
import { join, relative } from 'node:path'
import type { Place } from './check-types/parse-template.ts'
import { placeIn } from './check-types/place-in.ts'
import { type Shadow, writeShadow } from './check-types/write-shadow.ts'

const root = join(import.meta.dirname, '..')

/**
 * Checks the types of a tree and of its templates. Returns the compiler's errors, with the places in the templates, and
 * the templates that no code renders.
 */
export function checkTypes(tree: string, folder = join(tree, 'build/typed-templates')): string[] {
  const shadow = writeShadow(tree, folder)
  const args = ['-p', folder, '--noEmit', '--checkers', '1', '--pretty', 'false']
  const { status, stdout, error } = spawnSync(join(root, 'node_modules/.bin/tsc'), args, {
    cwd: tree,
    encoding: 'utf8',
  })
  const errors = stdout.split(/\n(?=\S)/).filter((error) => error.trim())
  if (status !== 0 && errors.length === 0) throw new Error('the compiler failed', { cause: error })
  const unused = shadow.unused.map((file) => `${file}: no source file renders this template`)
  return [...new Set(errors.map((error) => inTree(error.trimEnd(), tree, shadow))), ...unused]
}

/** Replaces a place in a copy with the place in the tree. */
function inTree(error: string, tree: string, { files }: Shadow): string {
  const [, path, line, column, message] = /^(.+?)\((\d+),(\d+)\): (.*)$/s.exec(error) ?? []
  if (!path) return error
  const segments = files.get(join(tree, path))
  let place: Place | undefined = segments
    ? placeIn(segments, Number(line), Number(column))
    : { file: join(tree, path), line: Number(line) }
  if (!place) return error
  const text = [`${relative(tree, place.file)}:${place.line}: ${message}`]
  for (place = place.includedAt; place; place = place.includedAt)
    text.push(`  included at ${relative(tree, place.file)}:${place.line}`)
  return text.join('\n')
}

if (import.meta.main) {
  const errors = checkTypes(root)
  for (const error of errors) console.error(error)
  process.exitCode = errors.length > 0 ? 1 : 0
}
