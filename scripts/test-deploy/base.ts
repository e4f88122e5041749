import { copyFileSync, cpSync, existsSync, globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, hasImage, run } from './buildah.ts'

const certificates = 'etc/ssl/certs/ca-certificates.crt'

const bootstrap = (root: string) =>
  run('debootstrap', ['--variant=minbase', '--include=ca-certificates,libatomic1', 'bookworm', root])

/** Debian's slim images contain the licences, but not the other documentation, and no translations. */
const notInSlimImages = ['share/{groff,info,linda,lintian,locale,man}/*', 'share/doc/*/*']

/**
 * Builds an image like the official slim Node.js image: a slim Debian with the Node.js and npm that run this script.
 * The packages come from the Debian mirrors, so no image registry is needed.
 */
export function debianWithNode(): string {
  const image = `localhost/debian-slim-with-node:${process.versions.node}`
  if (hasImage(image)) return image
  const directory = mkdtempSync(join(tmpdir(), 'wardenry-base-'))
  try {
    const root = join(directory, 'root')
    try {
      bootstrap(root)
    } catch {
      // Retries once because one of the hundreds of downloads sometimes fails.
      rmSync(root, { recursive: true, force: true })
      bootstrap(root)
    }
    for (const place of ['var/cache/apt/archives', 'var/lib/apt/lists'])
      rmSync(join(root, place), { recursive: true, force: true })
    makeSlim(root)
    copyFileSync(process.execPath, join(root, 'usr/local/bin/node'))
    cpSync(join(run('npm', ['root', '--global']).trim(), 'npm'), join(root, 'usr/local/lib/node_modules/npm'), {
      recursive: true,
    })
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
    // The build must accept the same certificates as this machine, for example an internal npm registry's.
    if (existsSync(`/${certificates}`)) copyFileSync(`/${certificates}`, join(root, certificates))
    const file = join(directory, 'Containerfile')
    const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
    writeFileSync(file, `FROM scratch\nCOPY . /\nENV PATH=${path} NODE_USE_SYSTEM_CA=1\n`)
    build(file, image, root)
    return image
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function makeSlim(root: string): void {
  const files = notInSlimImages.flatMap((pattern) => globSync(pattern, { cwd: join(root, 'usr') }))
  for (const file of files.filter((path) => !path.endsWith('/copyright')))
    rmSync(join(root, 'usr', file), { recursive: true, force: true })
}
