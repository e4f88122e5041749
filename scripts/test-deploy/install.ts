import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildah, run } from './buildah.ts'

const root = join(import.meta.dirname, '../..')
const secrets = ['auth_secret', 'bridge_secrets', 'data_keys', 'metrics_token']

/**
 * Runs deploy/systemd/install.sh twice on a new Debian system. The script creates the user, installs the service and
 * runs `wardenry doctor`.
 */
export function checkInstallation(base: string, passed: (what: string) => void): void {
  const container = buildah('from', '--pull-never', base)
  const directory = mkdtempSync(join(tmpdir(), 'wardenry-install-'))
  try {
    const packed = run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', directory]).trim()
    const installed = buildah('mount', container)
    const volumes = ['--volume', `${root}/deploy:/mnt/deploy:ro`, '--volume', `${directory}:/mnt/package:ro`]
    const install = (address: string) =>
      buildah(
        ...['run', '--isolation', 'chroot', ...volumes, container, '--', '/mnt/deploy/systemd/install.sh'],
        ...[`/mnt/package/${packed}`, address],
      )
    const output = install('https://id.example.org')
    assert.match(output, /✓ Configuration +production/)
    assert.match(output, /✓ Data directory +\/var\/lib\/wardenry, accessible only to this user/)
    assert.match(output, /https:\/\/id\.example\.org/)
    assert.match(output, /^Ready/m)
    passed('the installation for systemd ends with a healthy doctor')
    checkModes(installed)
    const before = readSecrets(installed)
    assert.match(install('https://other.example.org'), /https:\/\/id\.example\.org/)
    assert.deepEqual(readSecrets(installed), before)
    passed('a second run keeps settings and secrets')
    assert.throws(() => install('http://id.example.org'), /must begin with https/)
  } finally {
    buildah('rm', container)
    rmSync(directory, { recursive: true, force: true })
  }
}

const readSecrets = (installed: string): string[] =>
  secrets.map((name) => readFileSync(join(installed, 'etc/wardenry/secrets', name), 'utf8'))

function checkModes(installed: string): void {
  const listed = execFileSync('find', ['etc/wardenry', 'var/lib/wardenry', '-printf', '%p %m %U\n'], {
    cwd: installed,
    encoding: 'utf8',
  })
  const user = /^wardenry:x:(\d+):/m.exec(readFileSync(join(installed, 'etc/passwd'), 'utf8'))?.[1]
  assert.deepEqual(listed.trim().split('\n').sort(), [
    'etc/wardenry 750 0',
    'etc/wardenry/env 640 0',
    'etc/wardenry/secrets 750 0',
    ...secrets.map((name) => `etc/wardenry/secrets/${name} 640 0`),
    `var/lib/wardenry 700 ${user}`,
  ])
}
