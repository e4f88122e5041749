import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Keeps this test's images in a separate store so that the user's other images are not affected. The next run reuses
 * the base image.
 */
const store = process.env.TEST_DEPLOY_STORE ?? join(tmpdir(), 'wardenry-test-deploy')
mkdirSync(store, { recursive: true, mode: 0o700 })

const places = ['--root', join(store, 'root'), '--runroot', join(store, 'run')]

/** Returns the program's output. If the program fails, the error contains the output. */
export function run(program: string, args: string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${args.join(' ')} failed:\n${`${stdout}${stderr}`.slice(-4000)}`)
  }
}

export const buildah = (...args: string[]): string => run('buildah', [...places, ...args]).trim()

export const hasImage = (name: string): boolean =>
  spawnSync('buildah', [...places, 'inspect', '--type', 'image', name], { stdio: 'ignore' }).status === 0

/** Uses the Docker format because the OCI format does not support health checks. */
export const build = (file: string, tag: string, context: string, ...args: string[]): string =>
  buildah('bud', '--isolation', 'chroot', '--format', 'docker', ...args, '--file', file, '--tag', tag, context)

export interface ImageConfig {
  User: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  WorkingDir: string
  StopSignal: string
  Volumes: Record<string, object>
  Labels: Record<string, string>
  Healthcheck: { Test: string[] }
}

export function configOf(image: string): ImageConfig {
  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', image))
  return { StopSignal: '', Volumes: {}, Labels: {}, ...Docker.config }
}
