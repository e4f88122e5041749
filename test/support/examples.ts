import { execFile } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { onceInRun } from './once-in-run.ts'
import { openScratch } from './scratch.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { bridgeSecret, startTestApp, type TestApp } from './test-app.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** Starts the service at `http://localhost`, configured for applications on these ports of localhost and 127.0.0.1. */
export async function startService(
  ports: number[],
  options: { modules?: string[]; env?: Record<string, string> } = {},
): Promise<{ app: TestApp; home: string }> {
  const port = await freePort()
  const home = `http://localhost:${port}`
  const origins = ports.flatMap((port) => [`http://localhost:${port}`, `http://127.0.0.1:${port}`])
  let offset = 0
  const clock = { now: () => Date.now() + offset, advance: (milliseconds: number) => (offset += milliseconds) }
  const own = { PUBLIC_URL: home, ALLOWED_REDIRECTS: origins.join(), CORS_ORIGINS: origins.join() }
  const { modules = ['two-factor'], env } = options
  const app = await startTestApp({ modules, env: { ...own, ...env }, clock })
  await app.http.listen({ host: '127.0.0.1', port })
  return { app, home }
}

const packed = new Map<string, Promise<string>>()

/** Packs a package for publication. All examples in a test file install the same tarball. */
function packedPackage(name: string): Promise<string> {
  const tarball = packed.get(name) ?? packPackage(name)
  packed.set(name, tarball)
  return tarball
}

/** Builds the package in a copy because other tests may be building it in the working tree. */
async function packPackage(name: string): Promise<string> {
  const folder = join(root, 'packages', name)
  const directory = temporaryDirectory(`packed-${name}`)
  await cp(join(folder, 'package.json'), join(directory, 'package.json'))
  await cp(join(folder, 'README.md'), join(directory, 'README.md'))
  const tsc = join(root, 'node_modules/.bin/tsc')
  await run(tsc, ['-p', folder, '--outDir', join(directory, 'dist')], { cwd: folder })
  const { stdout } = await run('npm', ['pack', '--silent', '--ignore-scripts'], { cwd: directory })
  return join(directory, stdout.trim())
}

/**
 * Copies an example to a separate folder and installs its dependencies. Wardenry's packages are installed from
 * tarballs.
 */
export async function installExample(
  name: string,
  directory: string,
  files: Record<string, string> = {},
): Promise<void> {
  await cp(join(root, 'examples', name), directory, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  })
  for (const [file, text] of Object.entries(files)) await writeFile(join(directory, file), text)
  const file = join(directory, 'package.json')
  const manifest = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as {
    dependencies?: Record<string, string>
  }
  if (!manifest.dependencies) return
  for (const dependency of Object.keys(manifest.dependencies)) {
    const own = /^@wardenry\/(.+)$/.exec(dependency)?.[1]
    if (own) manifest.dependencies[dependency] = `file:${await packedPackage(own)}`
  }
  await writeFile(file, JSON.stringify(manifest))
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: directory })
}

export interface Example {
  url: string
  output(): string
  stop(): Promise<void>
}

interface StartExample {
  port: number
  host?: string
  service: string
  /** The application's public URL, if it differs from the URL of its port. */
  appUrl?: string
  /** The shell command that starts the server, run in the example's folder. */
  command: string
  /** A command that must finish before the server starts. */
  build?: string
  /** Files that replace those of the example. */
  files?: Record<string, string>
}

/** Starts an example with the settings from its README, and waits until it responds. */
export async function startExample(name: string, options: StartExample): Promise<Example> {
  const { port, host = '127.0.0.1', service, command, build, appUrl, files = {} } = options
  const url = `http://${host}:${port}`
  const scratch = await openScratch(`example-${name}`)
  try {
    const { PATH = '', HOME = '' } = process.env
    const settings = { PORT: String(port), APP_URL: appUrl ?? url, WARDENRY_URL: service, BRIDGE_SECRET: bridgeSecret }
    const envIn = (cwd: string) => ({ PATH: `${join(cwd, 'node_modules/.bin')}:${PATH}`, HOME, ...settings })
    const prepare = async (cwd: string) => {
      await installExample(name, cwd, files)
      if (build) await run('/bin/sh', ['-c', build], { cwd, env: envIn(cwd), maxBuffer: 1e7 })
    }
    const cwd = build && !options.files ? await onceInRun(`example-${name}`, prepare) : scratch.directory
    if (cwd === scratch.directory) await prepare(cwd)
    const started = await scratch.start('/bin/sh', ['-c', `exec ${command}`], { cwd, env: envIn(cwd) })
    await started.until(() => answers(url))
    return { url, output: started.output, stop: () => scratch.close() }
  } catch (error) {
    await scratch.close()
    throw error
  }
}

export async function answers(url: string): Promise<boolean> {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(5000), redirect: 'manual' })
    await reply.body?.cancel()
    return true
  } catch {
    return false
  }
}
