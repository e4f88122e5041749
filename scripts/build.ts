import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { Plugin } from 'rolldown'
import { licencesOf } from './bundled-licences.ts'

// What `npm ci` prepares, so that a start is quick and small: one bundle in place of a thousand modules, and the
// archive of an empty database. Neither changes what the service does: it runs from the sources as well.
const root = join(import.meta.dirname, '..')
const app = join(root, 'build/app')
rmSync(join(root, 'build'), { recursive: true, force: true })
mkdirSync(app, { recursive: true })
await bundle()
// The archive is made by the bundle, which fills the compile cache of the first start on the way.
const made = spawnSync(process.execPath, [join(root, 'bin/wardenry.js'), 'archive'], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.exitCode = made.status ?? 1

async function bundle(): Promise<void> {
  const bundler = await import('rolldown').catch(() => undefined)
  if (!bundler) return void process.stdout.write('No bundle: the development packages are not installed.\n')
  const started = performance.now()
  const bundled = new Set<string>()
  for (const source of ['src/cli/main.ts', ...programs()]) {
    const built = await bundler.rolldown({
      input: join(root, source),
      platform: 'node',
      // Native, WebAssembly, optional or large and rarely needed: they stay where they are.
      external: [
        /^@node-rs\//,
        /^@electric-sql\//,
        /^@simplewebauthn\//,
        'redis',
        'sharp',
        's3mini',
        'nodemailer',
        '@zxcvbn-ts/language-common',
        'pg-native',
      ],
      plugins: [filesOfSources()],
    })
    const minify = { mangle: false, compress: false, codegen: { removeWhitespace: true } }
    const { output } = await built.generate({ format: 'esm', minify, codeSplitting: false })
    await built.close()
    writeFileSync(join(app, `${basename(source, '.ts')}.js`), asciiOnly(output[0].code))
    for (const file of output[0].moduleIds) bundled.add(file)
  }
  writeFileSync(join(app, 'LICENSES.txt'), licencesOf(bundled))
  process.stdout.write(`build/app: bundled in ${Math.round(performance.now() - started)} ms\n`)
}

/** Threads and processes, each a bundle of its own next to the main one, so their names differ. */
function programs(): string[] {
  const sources = globSync('src/**/*-{process,worker}.ts', { cwd: root }).sort()
  const names = new Set(sources.map((source) => basename(source)))
  if (names.size < sources.length) throw new Error(`Two programs have the same name: ${sources.join(', ')}`)
  return sources
}

/**
 * V8 keeps the source, in two bytes for each character when a single one needs them: several megabytes. What is escaped
 * means the same in texts, templates and patterns.
 */
function asciiOnly(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Templates, pages and SQL stay beside their sources: a bundled module goes on naming them from where it stood. */
function filesOfSources(): Plugin {
  // With the extension of the file that runs: `.ts` from the sources, `.js` from the bundle.
  const startsProgram = /-(process|worker)\$\{import\.meta\.url\.slice\(-3\)\}/
  return {
    name: 'files-of-sources',
    transform(code, id) {
      // Files that start a program are the exception: it is part of the bundle.
      if (!id.startsWith(join(root, 'src')) || !code.includes('import.meta.') || startsProgram.test(code)) return null
      const place = JSON.stringify(relative(root, id))
      const moved = code
        .replaceAll('import.meta.url', `sourceUrl(${place})`)
        .replaceAll('import.meta.dirname', `sourceDirectory(${place})`)
      const helper = JSON.stringify(join(root, 'scripts/source-place.ts'))
      return { code: `import { sourceDirectory, sourceUrl } from ${helper}\n${moved}`, map: null }
    },
  }
}
