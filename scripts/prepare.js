// Runs at the end of `npm ci`. Without the development packages, there may be no bundler and no Node.js that runs the
// sources. The service then starts from its sources, which is slower.
const [major = 0] = process.versions.node.split('.').map(Number)
if (major >= 24) await import('./build.ts')
else console.log(`Nothing was prepared: this Node.js is ${process.version}, and Wardenry runs on 24 or later.`)
