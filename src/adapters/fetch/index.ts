export { createGuardedFetch } from './node.ts'
