import { openFiles } from '../../adapters/files/index.ts'
import type { PicturesPart } from '../../backup/format.ts'
import { streamBackup, type WrittenBackup } from '../../backup/stream-backup.ts'
import { readSecretsFile } from '../../config/generated-secrets.ts'
import type { Config } from '../../config/load.ts'
import { filePlace } from '../../create-context.ts'
import type { Database } from '../../db/connect.ts'
import { loadModules } from '../../hub/load-modules.ts'
import { allModules } from '../../modules/external.ts'
import type { CommandEnvironment } from '../environment.ts'
import { onStopSignal } from '../stop-signal.ts'
import { openBackupSource } from './open-source.ts'
import { type BackupOutput, openOutput } from './output-file.ts'
import { megabytes, showProgress } from './progress.ts'

interface Options {
  path: string
  replace: boolean
  passphrase: string | undefined
  includeBucket: boolean
}

export interface CreatedBackup {
  report: string
  hasAllPictures: boolean
}

export async function createBackup(environment: CommandEnvironment, options: Options): Promise<CreatedBackup> {
  const { config } = environment
  const stop = new AbortController()
  onStopSignal(() => stop.abort(new Error('Cancelled. No backup was written.')))
  const output = await openOutput(options.path, options.replace)
  try {
    const source = await openBackupSource(environment)
    const written = await writeTo(output, { database: source.database, config }, options, stop.signal).finally(
      source.close,
    )
    await output.complete()
    return { report: report(config, options, written), hasAllPictures: written.missingPictures === 0 }
  } catch (error) {
    await output.discard()
    throw stop.signal.aborted ? stop.signal.reason : error
  }
}

interface BackedUp {
  database: Database
  config: Config
}

async function writeTo(
  { stream }: BackupOutput,
  { database, config }: BackedUp,
  { passphrase, includeBucket }: Options,
  signal: AbortSignal,
): Promise<WrittenBackup> {
  const modules = loadModules(await allModules(config))
  const files = await openFiles(filePlace(config))
  const secrets = passphrase !== undefined && config.generated.length > 0 ? readSecretsFile(config.DATA_DIR) : undefined
  const pictures = picturesPart(config, includeBucket)
  const options = { config, modules, files, pictures, secrets, passphrase, signal, now: new Date() }
  return streamBackup(database, stream, { ...options, onProgress: showProgress() })
}

const isGenerated = ({ generated }: Config): boolean => generated.some((name) => name !== 'BRIDGE_SECRET')

function picturesPart({ STORAGE_URL }: Config, includeBucket: boolean): PicturesPart {
  if (STORAGE_URL.kind === 'off') return 'none'
  return STORAGE_URL.kind === 'local' || includeBucket ? 'included' : 'kept_elsewhere'
}

function report(config: Config, { path, passphrase }: Options, written: WrittenBackup): string {
  const names = ['AUTH_SECRET', 'DATA_KEYS', ...(config.PEPPERS.length > 0 ? ['PEPPERS'] : [])].join(', ')
  const secrets = isGenerated(config)
    ? passphrase !== undefined
      ? 'The backup contains the generated secrets. Keep the passphrase: without it, the backup cannot be read.'
      : `Not included: the secrets (${names}). Keep a copy of ${config.DATA_DIR}/secrets.json elsewhere: without it, ` +
        'authenticator apps and recovery codes in the backup are lost. Encrypted backups include it (--encrypt).'
    : `Not included: the secrets (${names}). Keep them elsewhere: without them, authenticator apps and recovery codes ` +
      'in the backup are lost.'
  const lines = [
    `Wrote ${path === '-' ? 'the backup' : path}: ${megabytes(written.bytes)}, SHA-256 ${written.sha256}`,
    `${written.pictures} files of pictures.`,
    written.missingPictures > 0 &&
      `Missing: ${written.missingPictures} pictures that the database refers to. Check that DATA_DIR and STORAGE_URL are ` +
        'those of the service. If the pictures are lost, add --allow-missing-pictures.',
    config.STORAGE_URL.kind === 's3' &&
      'Pictures are in the bucket. Without --include-bucket, only their names are included.',
    secrets,
  ]
  return lines
    .filter((line) => line !== false)
    .map((line) => `${line}\n`)
    .join('')
}
