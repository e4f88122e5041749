import { rm } from 'node:fs/promises'
import type { NewSecret } from '../../applications/secrets/change-secrets.ts'

/** The file is created first, because a secret that cannot be stored would be lost. */
export async function printSecret(file: string | undefined, create: () => Promise<NewSecret>): Promise<void> {
  if (file === undefined) {
    const { id, secret } = await create()
    process.stdout.write(`id      ${id}\nsecret  ${secret}\n`)
    process.stderr.write('Store the secret in the back end. It cannot be shown again.\n')
    return
  }
  const { createFile } = await import('../../lib/create-file.ts')
  const stream = await createFile(file)
  const { id, secret } = await create().catch(async (error) => {
    stream.destroy()
    await rm(file, { force: true })
    throw error
  })
  await new Promise<void>((resolve, reject) => stream.once('error', reject).end(`${secret}\n`, resolve)).catch(
    (error) => {
      throw new Error(`The secret could not be stored in ${file}. Revoke the new secret ${id}.`, { cause: error })
    },
  )
  process.stdout.write(`id  ${id}\n`)
}
