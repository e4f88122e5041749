import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'

const startLimit = 60_000
const stopLimit = 20_000
const mailLimit = 10_000

/**
 * Installs a tarball without development dependencies. Install scripts are disabled because they could read the
 * publishing credentials.
 */
export function install(tarball: string, directory: string): void {
  const options = [
    '--omit',
    'dev',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel',
    'error',
  ]
  execFileSync('npm', ['install', ...options, tarball], { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] })
}

/**
 * Starts the service installed in the directory with the Node.js executable `node`, sends it requests, and stops it.
 * Throws if a step fails.
 */
export async function smokeTestService(directory: string, node: string, version: string): Promise<void> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { PATH = '', HOME = directory } = process.env
  const service = spawn(node, [join(directory, 'node_modules/.bin/wardenry'), 'start'], {
    cwd: directory,
    env: { PATH, HOME, HOST: '127.0.0.1', PORT: String(port), DATA_DIR: `data-${port}` },
  })
  let output = ''
  for (const stream of [service.stdout, service.stderr]) stream.on('data', (text) => (output += text))
  const ended = once(service, 'close')
  try {
    await untilReady(service, url)
    await use(url, version)
    service.kill('SIGTERM')
    const [code] = await Promise.race([ended, sleep(stopLimit, ['no exit code'], { ref: false })])
    if (code !== 0) throw new Error(`SIGTERM ended it with ${code}`)
  } catch (error) {
    throw new Error(`the service failed on ${node}: ${error instanceof Error ? error.message : error}\n${output}`)
  } finally {
    service.kill('SIGKILL')
  }
}

async function untilReady(service: ChildProcess, url: string): Promise<void> {
  for (const end = performance.now() + startLimit; performance.now() < end; await sleep(50)) {
    if (service.exitCode !== null) throw new Error(`it ended with ${service.exitCode}`)
    const reply = await fetch(`${url}/health/ready`).catch(() => undefined)
    if (reply?.status === 200) return
  }
  throw new Error('it was not ready in time')
}

/** The requests cover each kind of file that the bundle reads at run time. */
async function use(url: string, version: string): Promise<void> {
  const ready = await (await expect(`${url}/health/ready`, 200)).text()
  if (JSON.parse(ready).version !== version) throw new Error(`its version is not ${version}: ${ready}`)
  const account = { email: 'ada@example.com', password: 'seven quiet river stones' }
  await expect(`${url}/auth/register/public`, 200, account)
  await expect(`${url}/auth/login`, 200, account)
  await expect(`${url}/auth/login`, 401, { ...account, password: 'six quiet river stones' })
  const page = await (await expect(`${url}/login`, 200)).text()
  if (!/<style[\s\S]+<form/.test(page)) throw new Error('/login has no style or no form')
  await untilMailed(`${url}/dev/inbox.json?to=${account.email}`)
}

async function untilMailed(inbox: string): Promise<void> {
  for (const end = performance.now() + mailLimit; performance.now() < end; await sleep(50)) {
    const mails = await (await expect(inbox, 200)).text()
    if (/http[^"]*token=/.test(mails)) return
  }
  throw new Error('no mail with a link was sent')
}

async function expect(url: string, status: number, body?: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(url, body && { method: 'POST', headers, body: JSON.stringify(body) })
  if (reply.status !== status) throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`)
  return reply
}
