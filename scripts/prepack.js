// After this file, `npm pack` runs `prepare`, which builds the bundle. A checkout works without a bundle, but a package
// does not.
const [major = 0] = process.versions.node.split('.').map(Number)
const bundler = await import('rolldown').catch(() => undefined)
if (major < 24 || !bundler) {
  console.error('Packing needs Node.js 24 or later and the development packages: run "npm ci" first.')
  process.exitCode = 1
}
