import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { InputOptions, OutputOptions, Plugin } from 'rolldown'
import { writeApiTypes } from './api-types.ts'
import { licencesOf } from './bundled-licences.ts'
import { separateEntries, separateExports, separateImports } from './separate-packages.ts'

// Run by `npm ci`. Bundles the service's thousand modules and archives an empty database so that the service starts
// faster and needs less memory. The service also runs without the bundle and the archive.
const root = join(import.meta.dirname, '..')
const app = join(root, 'build/app')
// npm installs these packages, because they are native or contain WebAssembly. `pg` uses `pg-native` if it is installed.
const installed = [/^@node-rs\//, /^@electric-sql\//, 'sharp', 'pg-native']
rmSync(join(root, 'build'), { recursive: true, force: true })
await bundle()
// The bundle creates the archive. Running the bundle also fills the compile cache for the first start.
const archive = spawn(process.execPath, [join(root, 'bin/wardenry.js'), 'archive'], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
const ended = once(archive, 'close')
await writeApiTypes()
const [status] = await ended
process.exitCode = status ?? 1

async function bundle(): Promise<void> {
  const bundler = await import('rolldown').catch(() => undefined)
  if (!bundler) return void process.stdout.write('No bundle: the development packages are not installed.\n')
  const started = performance.now()
  const bundled = new Set<string>()
  const write = async (input: InputOptions, output: OutputOptions): Promise<void> => {
    const built = await bundler.rolldown({ cwd: root, platform: 'node', external: installed, ...input })
    const minify = { mangle: false, compress: false, codegen: { removeWhitespace: true } }
    const { output: files } = await built.generate({ format: 'esm', minify, ...output })
    await built.close()
    for (const file of files.filter((one) => one.type === 'chunk')) {
      const path = join(app, file.fileName)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, asciiOnly(file.code))
      for (const id of file.moduleIds) bundled.add(id)
    }
  }
  const plugins = [filesOfSources(), separateImports(join(root, 'src'))]
  for (const source of ['src/cli/main.ts', ...programs()]) {
    await write({ input: join(root, source), plugins }, { codeSplitting: false, entryFileNames: '[name].js' })
  }
  await write(
    { input: separateEntries, plugins: [separateExports] },
    { entryFileNames: 'packages/[name].js', chunkFileNames: 'packages/shared/[name].js' },
  )
  writeFileSync(join(app, 'LICENSES.txt'), licencesOf(bundled))
  process.stdout.write(`build/app: bundled in ${Math.round(performance.now() - started)} ms\n`)
}

/**
 * The entry points of worker threads and child processes. Each becomes a separate bundle in the same directory, so the
 * file names must be unique.
 */
function programs(): string[] {
  const sources = globSync('src/**/*-{process,worker}.ts', { cwd: root }).sort()
  const names = new Set(sources.map((source) => basename(source)))
  if (names.size < sources.length) throw new Error(`Two programs have the same name: ${sources.join(', ')}`)
  return sources
}

/**
 * V8 keeps the source in memory. A single non-Latin-1 character makes every character take two bytes, which would cost
 * several megabytes. Escapes have the same meaning in strings, templates and regular expressions.
 */
function asciiOnly(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Templates, pages and SQL files are not bundled, so a bundled module finds them through its source path. */
function filesOfSources(): Plugin {
  // Matches code that starts another program. The program has the same extension as the running file: `.ts` in the
  // sources, `.js` in the bundle.
  const startsProgram = /-(process|worker)\$\{import\.meta\.url\.slice\(-3\)\}/
  return {
    name: 'files-of-sources',
    transform(code, id) {
      // Modules that start another program keep their path because that program is also bundled.
      if (!id.startsWith(join(root, 'src')) || !code.includes('import.meta.') || startsProgram.test(code)) return null
      const place = JSON.stringify(relative(root, id))
      const moved = code
        // A package that is loaded with `createRequire` is bundled, because the bundler recognizes `require`.
        .replaceAll('createRequire(import.meta.url)(', 'require(')
        .replaceAll('import.meta.url', `sourceUrl(${place})`)
        .replaceAll('import.meta.dirname', `sourceDirectory(${place})`)
      const helper = JSON.stringify(join(root, 'scripts/source-place.ts'))
      return { code: `import { sourceDirectory, sourceUrl } from ${helper}\n${moved}`, map: null }
    },
  }
}
