import { readFileSync } from 'node:fs'
import { environment } from '../environment.ts'

const minLength = 12

/** The passphrase is not an option, because other users on the machine can read a process's command line. */
export function readPassphrase(file: string | undefined): string | undefined {
  const text = file === undefined ? environment().BACKUP_PASSPHRASE : readFileSync(file, 'utf8')
  const [passphrase] = text?.split(/\r?\n/) ?? []
  return passphrase || undefined
}

export function newPassphrase(file: string | undefined): string {
  const passphrase = readPassphrase(file)
  if (!passphrase) throw new Error('--encrypt needs a passphrase: pass --passphrase-file, or set BACKUP_PASSPHRASE')
  if (passphrase.length < minLength) throw new Error(`The passphrase must have at least ${minLength} characters`)
  return passphrase
}
