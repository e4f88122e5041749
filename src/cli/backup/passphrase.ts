import { readFileSync } from 'node:fs'
import { environment } from '../environment.ts'

const minLength = 12

/** There is no option for the passphrase, because other users on the machine can read a process's arguments. */
export function readPassphrase(file: string | undefined): string | undefined {
  const text = file === undefined ? environment().BACKUP_PASSPHRASE : readFileSync(file, 'utf8')
  if (text === undefined) return undefined
  const [passphrase] = text.split(/\r?\n/)
  // Without this check, an empty value would mean a backup or restore without encryption.
  if (!passphrase?.trim())
    throw new Error(
      file === undefined
        ? 'BACKUP_PASSPHRASE is empty: set it to the passphrase, or remove it'
        : `The first line of ${file} is empty: it must contain the passphrase`,
    )
  return passphrase
}

export function newPassphrase(file: string | undefined): string {
  const passphrase = readPassphrase(file)
  if (!passphrase) throw new Error('--encrypt needs a passphrase: pass --passphrase-file, or set BACKUP_PASSPHRASE')
  if (passphrase.length < minLength) throw new Error(`The passphrase must have at least ${minLength} characters`)
  return passphrase
}
