import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Plugin } from 'rolldown'

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
  for (const [name, source] of Object.entries({
    main: 'src/cli/main.ts',
    'database-worker': 'src/db/embedded/database-worker.ts',
    'encode-process': 'src/pictures/encode-process.ts',
    'render-process': 'src/modules/blog/render-process.ts',
    'render-worker': 'src/modules/blog/render-worker.ts',
  })) {
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
    writeFileSync(join(app, `${name}.js`), asciiOnly(output[0].code))
  }
  process.stdout.write(`build/app: bundled in ${Math.round(performance.now() - started)} ms\n`)
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
  const starters = [
    'src/db/embedded/engine.ts',
    'src/pictures/encode.ts',
    'src/modules/blog/render.ts',
    'src/modules/blog/render-process.ts',
  ].map((file) => join(root, file))
  return {
    name: 'files-of-sources',
    transform(code, id) {
      // What starts a worker or a process is the exception: these are part of the bundle.
      if (!id.startsWith(join(root, 'src')) || !code.includes('import.meta.') || starters.includes(id)) return null
      const place = JSON.stringify(relative(root, id))
      const moved = code
        .replaceAll('import.meta.url', `sourceUrl(${place})`)
        .replaceAll('import.meta.dirname', `sourceDirectory(${place})`)
      const helper = JSON.stringify(join(root, 'scripts/source-place.ts'))
      return { code: `import { sourceDirectory, sourceUrl } from ${helper}\n${moved}`, map: null }
    },
  }
}
