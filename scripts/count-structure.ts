import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { circlesOf } from './import-circles.ts'

// Prints metrics on the structure of src for comparing two versions of the tree.
const root = join(import.meta.dirname, '..')
const files = globSync('src/**/*.{ts,eta,sql,js,css}', { cwd: root }).sort()
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const sources = [...texts].filter(([file]) => file.endsWith('.ts'))

const lines = [...texts.values()].map((text) => text.trimEnd().split('\n'))
const all = lines.flat()
const codeLines = sources.flatMap(([, text]) => text.trimEnd().split('\n'))
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`

/** Text that contains a module's name but does not refer to the module. */
const unrelated: Readonly<Record<string, RegExp>> = {
  // For `privacy`: the operator's privacy notice and the core's personal data page.
  // Also a member of the import format.
  privacy:
    /\bprivacy_region\b|APP_PRIVACY_URL|privacyUrl|privacy notice|texts\.(layout\.)?privacy\b|'\/account\/privacy'/g,
  // For `two-factor`: members and an error code that the core's API has even without the module.
  // Also columns in the exports of other systems, and the example with which the API page installs a module.
  'two-factor':
    /\btwo_factor(_verified|_changed_at|_enabled|_secret)?\b|two_factor_changes|\btwoFactor(Enabled)?\b|\bTWO_FACTOR_REQUIRED\b|'Two-factor verification required'|examples: \['two-factor'\]/g,
}

const rows: [string, string | number][] = [
  ['files', files.length],
  ['lines', all.length],
  ['lines of TypeScript', codeLines.length],
  ['longest TypeScript file', Math.max(...sources.map(([, text]) => linesOf(text)))],
  [
    'files under 20 lines (TypeScript)',
    percent(sources.filter(([, text]) => linesOf(text) < 20).length, sources.length),
  ],
  ['files under 20 lines (all)', percent(lines.filter(({ length }) => length < 20).length, files.length)],
  ['comment lines (TypeScript)', percent(codeLines.filter(isComment).length, codeLines.length)],
  ['runtime import circles', circlesOf(new Map(sources.map(([file, text]) => [file, importsOf(file, text)]))).length],
  [
    'import circles, types included',
    circlesOf(new Map(sources.map(([file, text]) => [file, importsOf(file, text, 'with types')]))).length,
  ],
  ['any', sources.reduce((sum, [, text]) => sum + countAny(text), 0)],
  ...moduleIds().map((id): [string, number] => [`files outside ${id} that name it`, naming(id).length]),
]
for (const [name, value] of rows) process.stdout.write(`${name.padEnd(45)} ${value}\n`)
if (process.argv.includes('--names'))
  for (const id of moduleIds())
    process.stdout.write(
      `\n${id}\n${naming(id)
        .map((file) => `  ${file}\n`)
        .join('')}`,
    )

function linesOf(text: string): number {
  return text.trimEnd().split('\n').length
}

function isComment(line: string): boolean {
  return /^\s*(\/\/|\/\*|\*)/.test(line)
}

/** Counts `any` only as a type because the word also occurs in comments and descriptions. */
function countAny(text: string): number {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$|'[^'\n]*'|`[^`]*`/gm, '')
  return code.match(/(?::|\bas|<)\s*any\b/g)?.length ?? 0
}

function moduleIds(): string[] {
  return globSync('src/modules/*/module.json', { cwd: root })
    .map((file) => dirname(file).split('/').at(-1) ?? '')
    .sort()
}

/**
 * The files that mention a module by any form of its name (`two-factor`, `twoFactor`, `TWO_FACTOR`). Excludes the
 * composition root, the module itself, and modules whose module.json depends on it.
 */
function naming(id: string): string[] {
  const name = new RegExp(`${id.split('-').join('[-_ ]?')}`, 'i')
  const may = ['src/modules/index.ts', ...[id, ...dependentsOf(id)].map((one) => `src/modules/${one}/`)]
  return [...texts].flatMap(([file, text]) => {
    const own = text.replace(unrelated[id] ?? /$^/, '')
    return !may.some((path) => file.startsWith(path)) &&
      (name.test(own) || name.test(file.replace(unrelated[id] ?? /$^/, '')))
      ? [file]
      : []
  })
}

function dependentsOf(id: string): string[] {
  return moduleIds().filter((one) => {
    const manifest = readFileSync(join(root, 'src/modules', one, 'module.json'), 'utf8')
    return JSON.parse(manifest).depends_on.includes(id)
  })
}

function importsOf(file: string, text: string, types?: 'with types'): string[] {
  const statements = text.matchAll(/^(?:im|ex)port (?<type>type\b)?(?:[^'"`;=()]+ from )?'(?<to>\.[^']+)'/gm)
  return Array.from(statements)
    .filter(([statement, type]) => types || !(type || /\{\s*(type \w+,?\s*)+\}/.test(statement)))
    .map(({ groups }) => join(dirname(file), groups?.to ?? ''))
    .filter((to) => texts.has(to))
}
