import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import type { ImageConfig } from './buildah.ts'

const [uid, gid] = [10001, 10001]
const secretFiles = { AUTH_SECRET_FILE: '/mnt/auth', DATA_KEYS_FILE: '/mnt/keys', BRIDGE_SECRETS_FILE: '/mnt/bridge' }

export interface RunningImage {
  url: string
  /** The service's environment variables, which `docker exec` also passes to its commands. */
  env: Record<string, string>
  /** The service's process id, as seen from outside the namespaces. */
  pid(): number
  ended: Promise<number>
  output(): string
  kill(): void
}

/** Starts the image with a read-only root file system, and with secrets in files that only its user can read. */
export async function startImage(root: string, directory: string, config: ImageConfig): Promise<RunningImage> {
  const [data, secrets] = [join(directory, 'data'), join(directory, 'secrets')]
  for (const place of [data, secrets]) mkdirSync(place, { mode: 0o700 })
  const random = () => randomBytes(32).toString('base64')
  const files = { auth: random(), keys: `1:${random()}`, bridge: `shop:${random()}` }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(secrets, name), text, { mode: 0o400 })
  for (const place of [data, secrets, ...Object.keys(files).map((name) => join(secrets, name))]) {
    chownSync(place, uid, gid)
  }
  chmodSync(directory, 0o711)
  const port = await freePort()
  const settings = { HOST: '127.0.0.1', PORT: `${port}`, PUBLIC_URL: 'https://id.example.com', LOG_LEVEL: 'warn' }
  const ofImage = Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s)))
  const env = { ...ofImage, ...settings, ...secretFiles }
  const child = spawn(
    'unshare',
    [
      ...['--mount', '--pid', '--fork', join(import.meta.dirname, 'run-read-only.sh')],
      ...[root, data, secrets, config.User, 'env', `--chdir=${config.WorkingDir}`, ...config.Entrypoint, ...config.Cmd],
    ],
    {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)))
  const pid = () => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim())
  return {
    url: `http://127.0.0.1:${port}`,
    env,
    pid,
    ended,
    output: () => output,
    kill() {
      // The service is killed explicitly because changing users clears the signal that `--kill-child` sets.
      const running = child.exitCode === null && pid()
      if (running) process.kill(running, 'SIGKILL')
    },
  }
}

/** Runs a command in the running service's namespaces, as `docker exec` does. */
export function execute(pid: number, root: string, env: Record<string, string>, ...command: string[]): string {
  const inside = [
    '--target',
    `${pid}`,
    '--mount',
    '--pid',
    '--',
    'chroot',
    `--userspec=${uid}:${gid}`,
    '--groups=',
    root,
  ]
  return execFileSync('nsenter', [...inside, ...command], { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] })
}
