import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const client = fileURLToPath(new URL('../../packages/client/src/index.ts', import.meta.url))

/** Bundles a program for a page. It imports the client's source as `@wardenry/client`. */
export async function bundleWithClient(program: string): Promise<string> {
  const virtual = {
    name: 'program',
    resolveId: (id: string) => (id === 'program' ? id : id === '@wardenry/client' ? client : null),
    load: (id: string) => (id === 'program' ? program : null),
  }
  const bundle = await rolldown({ input: 'program', platform: 'browser', plugins: [virtual] })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  return output[0].code
}
