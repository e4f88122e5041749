import './test-context.ts'

// Imports `node:test`, which must not happen earlier.
await import('./main.ts')
