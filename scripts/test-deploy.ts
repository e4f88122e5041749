import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, searchPath } from '../test/support/find-program.ts'
import { debianWithNode } from './test-deploy/base.ts'
import { build, buildah, configOf } from './test-deploy/buildah.ts'
import { checkInstallation } from './test-deploy/install.ts'
import { execute, startImage } from './test-deploy/start.ts'

// Tests the systemd installation script and an image built from the Containerfile. BASE=<image> sets the base image. By
// default, a base image is built from Debian packages and the Node.js that runs this script, without an image registry.
/** The maximum sizes of the service and of the whole image, both unpacked, and of the compressed image, in MiB. */
const mebibytes = { service: 65, whole: 238, compressed: 100 }
const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const forbidden = whatIsForbidden()
if (forbidden) {
  console.log(`skipped: ${forbidden}`)
  process.exit(0)
}
const missing = whatIsMissing()
if (missing) {
  console.log(`skipped: ${missing}`)
  // If TEST_REQUIRE contains `buildah`, as on build machines, a skipped test is a failure.
  process.exit(/\bbuildah\b/.test(process.env.TEST_REQUIRE ?? '') ? 1 : 0)
}
const base = process.env.BASE ?? debianWithNode()
checkInstallation(base, passed)
const image = 'localhost/wardenry'
build('Containerfile', image, root, '--build-arg', `BASE=${base}`, '--build-arg', `VERSION=${version}`)
passed('the image is built')
const container = buildah('from', '--pull-never', image)
const directory = mkdtempSync(join(tmpdir(), 'wardenry-image-'))
try {
  const mounted = buildah('mount', container)
  checkConfig()
  checkContents(mounted)
  await use(mounted)
} finally {
  buildah('rm', container)
  rmSync(directory, { recursive: true, force: true })
}

/**
 * Why this machine cannot run the test, or undefined. Unlike a missing program, missing privileges never count as a
 * failure.
 */
function whatIsForbidden(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can build and mount an image here'
  const { status } = spawnSync('unshare', ['--mount', '--pid', '--fork', 'true'])
  return status === 0 ? undefined : 'this machine does not permit new namespaces'
}

function whatIsMissing(): string | undefined {
  const places = [...searchPath(), '/usr/sbin', '/sbin']
  const absent = ['buildah', 'debootstrap', 'unshare', 'nsenter'].find((name) => !findProgram([name], places))
  return absent && `no ${absent} found`
}

function passed(what: string): void {
  console.log(`ok: ${what}`)
}

function checkConfig(): void {
  const { User, StopSignal, Volumes, Labels, Healthcheck, Env, Entrypoint } = configOf(image)
  assert.equal(User, '10001:10001')
  assert.equal(StopSignal, 'SIGTERM')
  assert.deepEqual(Object.keys(Volumes), ['/data'])
  assert.deepEqual(Entrypoint, ['wardenry'])
  assert.deepEqual(Healthcheck.Test, ['CMD', 'wardenry', 'health'])
  assert.equal(Labels['org.opencontainers.image.title'], 'Wardenry')
  assert.equal(Labels['org.opencontainers.image.licenses'], 'Apache-2.0')
  assert.equal(Labels['org.opencontainers.image.version'], version)
  assert.deepEqual(Env.map((line) => line.split('=')[0]).sort(), ['DATA_DIR', 'NODE_ENV', 'PATH'])
  passed('user, signal, volume, health check and labels')
}

function checkContents(mounted: string): void {
  const service = join(mounted, 'opt/wardenry')
  const size = Number(execFileSync('du', ['-sm', service], { encoding: 'utf8' }).split('\t')[0])
  const whole = Number(execFileSync('du', ['-smx', mounted], { encoding: 'utf8' }).split('\t')[0])
  assert.ok(size <= mebibytes.service, `the service takes ${size} MiB`)
  assert.ok(whole <= mebibytes.whole, `the whole image takes ${whole} MiB`)
  const packed = execFileSync('sh', ['-c', 'tar -C "$1" --one-file-system -c . | gzip -6 | wc -c', 'sh', mounted])
  const compressed = Math.ceil(Number(packed) / 2 ** 20)
  assert.ok(compressed <= mebibytes.compressed, `the compressed image takes ${compressed} MiB`)
  passed(`the service takes ${size} MiB, the whole image ${whole} MiB, and ${compressed} MiB compressed`)
  const own = ['CHANGELOG.md', 'LICENSE', 'NOTICE', 'README.md', 'bin', 'build', 'node_modules', 'package-lock.json']
  assert.deepEqual(readdirSync(service).sort(), [...own, 'package.json', 'sbom.cdx.json', 'src'])
  for (const name of ['typescript', 'rolldown', 'node', '@biomejs', 'fastify'])
    assert.ok(!readdirSync(join(service, 'node_modules')).includes(name), name)
  const { components } = JSON.parse(readFileSync(join(service, 'sbom.cdx.json'), 'utf8'))
  assert.ok(components.some(({ name }: { name: string }) => name === 'fastify'))
  const search = [mounted, '-xdev', '(', '-uid', '10001', '-o', '-perm', '/o+w', ')', '!', '-type', 'l']
  const changeable = execFileSync('find', [...search, '-printf', '/%P\n'], { encoding: 'utf8' })
    .trim()
    .split('\n')
  assert.deepEqual(
    changeable.filter((path) => !/^\/(dev\/.*|run\/lock|tmp|var\/tmp)$/.test(path)),
    ['/data'],
  )
  passed('it contains the package only, and its user can change nothing but /data and temporary directories')
  for (const name of ['npm', 'npx', 'corepack', 'apt-get', 'perl'])
    for (const place of ['usr/local/bin', 'usr/bin']) assert.ok(!existsSync(join(mounted, place, name)), name)
  const privileged = execFileSync('find', [mounted, '-xdev', '-type', 'f', '-perm', '/6000'], { encoding: 'utf8' })
  assert.equal(privileged, '')
  assert.match(readFileSync(join(mounted, 'var/lib/dpkg/status'), 'utf8'), /^Package: libc6$/m)
  passed('it contains no package manager and no setuid programs, and scanners can list its Debian packages')
}

async function use(mounted: string): Promise<void> {
  const config = configOf(image)
  const service = await startImage(mounted, directory, config)
  try {
    await Promise.race([untilReady(service.url), service.ended.then(endedEarly)])
    passed('it is ready, with a read-only root and no privileges')
    const account = { email: 'ada@example.com', password: 'seven quiet river stones' }
    const reply = await fetch(`${service.url}/auth/register/public`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(account),
    })
    assert.equal(reply.status, 200, await reply.text())
    passed('a user registers')
    const status = readFileSync(`/proc/${service.pid()}/status`, 'utf8')
    assert.match(status, /^Uid:\t10001\t10001\t10001\t10001$/m)
    assert.match(status, /^Gid:\t10001\t10001\t10001\t10001$/m)
    assert.match(status, /^CapEff:\t0+$/m)
    assert.match(status, /^NSpid:\t\d+\t1$/m)
    passed('the first process is the service, as 10001 and without capabilities')
    const { env } = service
    assert.match(execute(service.pid(), mounted, env, ...config.Healthcheck.Test.slice(1)), /is ready/)
    passed('its health check succeeds')
    assert.match(execute(service.pid(), mounted, env, 'wardenry', 'doctor'), /^Ready/m)
    passed('its doctor finds no problem')
    assert.throws(() => execute(service.pid(), mounted, env, 'touch', '/opt/wardenry/x'), /Read-only file system/)
    assert.equal(execute(service.pid(), mounted, env, 'find', '/tmp', '-type', 'f'), '')
    passed('nothing was written outside /data')
    process.kill(service.pid(), 'SIGTERM')
    assert.equal(await service.ended, 0)
    passed('SIGTERM ends it with code 0')
  } catch (error) {
    console.error(service.output())
    throw error
  } finally {
    service.kill()
    await service.ended
  }
}

function endedEarly(code: number): never {
  throw new Error(`it ended with ${code}`)
}

async function untilReady(url: string): Promise<void> {
  for (const end = performance.now() + 120_000; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const reply = await fetch(`${url}/health/ready`).catch(() => undefined)
    if (reply?.status === 200) return
    if (performance.now() > end) throw new Error('it was not ready in time')
  }
}
