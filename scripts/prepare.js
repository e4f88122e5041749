// Runs at the end of `npm ci`. On an unsupported version of Node.js, nothing is built. Without the development
// packages, no bundle is built, and the service starts more slowly from its sources.
const [major = 0] = process.versions.node.split('.').map(Number)
if (major >= 24) await import('./build.ts')
else console.log(`Nothing was prepared: this Node.js is ${process.version}, and a checkout needs version 24 or later.`)
