import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleProblems } from './release/bundle-imports.ts'
import { changelogProblems } from './release/changelog.ts'
import { licenceProblems, productionLicences } from './release/licences.ts'
import { pack, writeChecksums, writeSbom } from './release/pack.ts'
import { manifestProblems, releasedPackages } from './release/packages.ts'
import { provenanceProblems, publish, readTree, treeProblems } from './release/publish.ts'
import { importExports } from './release/smoke-package.ts'
import { install, smokeTestService } from './release/smoke-service.ts'
import { type Tarball, tarballProblems } from './release/tarball.ts'

const root = join(import.meta.dirname, '..')
const destination = join(root, 'release')
const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false }, node: { type: 'string', multiple: true, default: [] } },
})
const isCi = process.env.CI === 'true'
const nodes = values.node.length > 0 ? values.node : [process.execPath]
const packages = releasedPackages(root)
const version = packages.at(-1)?.manifest.version ?? ''

reject(checkTree())
rmSync(destination, { recursive: true, force: true })
mkdirSync(destination)
reject(writeLicences())
const tarballs = packages.map((one) => pack(one, destination))
reject(tarballs.flatMap(tarballProblems))
writeChecksums([...tarballs.map(({ file }) => file), writeSbom(root, destination)], destination)
for (const tarball of tarballs) await smokeTest(tarball)
report()
if (!values['dry-run']) publish(tarballs, isCi)

function checkTree(): string[] {
  const manifests = packages.map(({ manifest }) => manifest)
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const purpose = values['dry-run'] ? 'check' : 'publish'
  const problems = [...manifestProblems(manifests, version), ...changelogProblems(changelog, version, purpose)]
  if (purpose === 'check') return problems
  return [...problems, ...treeProblems(readTree(root), version), ...provenanceProblems(manifests, isCi)]
}

function writeLicences(): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const list = productionLicences(lock.packages, (path) => {
    const file = join(root, path, 'package.json')
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).license : undefined
  })
  const lines = list.map(({ name, version, licence = 'none' }) => `${name} ${version}: ${licence}\n`)
  writeFileSync(join(destination, 'licences.txt'), lines.join(''))
  return licenceProblems(list)
}

async function smokeTest({ manifest, file }: Tarball): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'wardenry-release-'))
  try {
    install(file, directory)
    if (manifest.bin) reject(await bundleProblems(join(directory, 'node_modules/wardenry/build/app'), manifest))
    for (const node of nodes) {
      if (manifest.bin) await smokeTestService(directory, node, version)
      else importExports(manifest, directory, node)
      process.stdout.write(`${manifest.name} works on ${node}\n`)
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function report(): void {
  for (const { manifest, bytes, paths } of tarballs) {
    const size = (bytes / 1e6).toFixed(2)
    process.stdout.write(`${manifest.name} ${manifest.version}: ${paths.length} files, ${size} MB\n`)
  }
}

function reject(problems: string[]): void {
  if (problems.length === 0) return
  process.stderr.write(`This release has problems:\n${problems.map((problem) => `- ${problem}\n`).join('')}`)
  process.exit(1)
}
