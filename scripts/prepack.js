// `npm pack` then runs `prepare`, which builds. Without a bundle, that is fine for a checkout but not for a package.
const [major = 0] = process.versions.node.split('.').map(Number)
const bundler = await import('rolldown').catch(() => undefined)
if (major < 24 || !bundler) {
  console.error('Packing needs Node.js 24 or later and the development packages: run "npm ci" first.')
  process.exitCode = 1
}
