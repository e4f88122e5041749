import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

// Prints the names of the tests that the given files declare, one line of JSON per file, without running the tests.
const recorder = new URL('./recorder.ts', import.meta.url).href
registerHooks({
  resolve(specifier, context, next) {
    const isReplaced = specifier === 'node:test' && context.parentURL !== recorder
    return isReplaced ? { url: recorder, shortCircuit: true } : next(specifier, context)
  },
})
const { takeNames } = (await import(recorder)) as typeof import('./recorder.ts')
for (const file of process.argv.slice(2)) {
  await import(pathToFileURL(file).href)
  // Suites whose bodies are asynchronous declare their tests later.
  await new Promise((resolve) => setTimeout(resolve, 10))
  process.stdout.write(`${JSON.stringify({ file, names: takeNames() })}\n`)
}
process.exit()
