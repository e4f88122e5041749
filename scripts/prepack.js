// `npm pack` runs this file and then `prepare`, which builds the bundle. A published package must contain the bundle,
// so packing stops if it cannot be built.
const [major = 0] = process.versions.node.split('.').map(Number)
const bundler = await import('rolldown').catch(() => undefined)
if (major < 24 || !bundler) {
  console.error('Packing needs Node.js 24 or later and the development packages: run "npm ci" first.')
  process.exitCode = 1
}
