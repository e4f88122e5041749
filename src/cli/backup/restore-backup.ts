import { missingSecrets } from '../../backup/fingerprints.ts'
import { countInPart, partOfTable, picturesName } from '../../backup/format.ts'
import type { BackupFile } from '../../backup/read-backup.ts'
import { announceIfEmpty, prepareRestore } from '../../backup/restore.ts'
import { restoreBackup, type VerifiedBackup, verifyBackup } from '../../backup/restore-backup.ts'
import { restoreSecretsFile, secretsIn, storedNames } from '../../config/generated-secrets.ts'
import type { Config } from '../../config/load.ts'
import { loadModules } from '../../hub/load-modules.ts'
import { allModules } from '../../modules/external.ts'
import { type CommandEnvironment, readEnvironment } from '../environment.ts'
import { openTarget } from './open-target.ts'
import { describeEndedKeys, describePostponed, describeRevoked, showProgress } from './progress.ts'

interface Options {
  file: BackupFile
  keepSessions: boolean
  keepKeys: boolean
  otherSecrets: boolean
}

/**
 * Returns the report for the operator. The restore is announced before the file is read, which may take long: if it
 * fails or is killed, a service that is started next must not create an empty installation. No data is written until
 * the entire file has been verified.
 */
export async function restoreToDatabase({ file, keepSessions, keepKeys, otherSecrets }: Options): Promise<string> {
  const target = await readEnvironment('command', undefined, 'plan_restore')
  const database = await openTarget(target)
  try {
    await announceIfEmpty(database.db)
    const verified = await verifyBackup(file)
    const planned = planSecrets(target, verified, otherSecrets)
    assertStorage(target.config, verified)
    const modules = loadModules(await allModules(target.config))
    await prepareRestore(database.db, verified.header, modules)
    // This process holds the data directory lock, so no other process creates or uses the secrets file.
    const environment = await writeSecrets(planned)
    const options = { ...environment, file, verified, modules, keepSessions, keepKeys, onProgress: showProgress() }
    return report(environment.config, verified, await restoreBackup(database, options))
  } finally {
    await database.close()
  }
}

/** Without this check, the restore would fail after the tables have been restored. */
function assertStorage({ STORAGE_URL }: Config, { end }: VerifiedBackup): void {
  if (STORAGE_URL.kind === 'off' && countInPart(end, picturesName) > 0)
    throw new Error(
      'The backup contains pictures, but STORAGE_URL is off: remove this setting, or set it to a bucket. No data was ' +
        'restored.',
    )
}

interface PlannedSecrets {
  environment: CommandEnvironment
  /** The secrets file from the backup. Undefined if it is not restored. */
  taken: Buffer | undefined
}

/** The installation's secrets must match the backup's. Otherwise, parts of the data cannot be decrypted. */
function planSecrets(
  environment: CommandEnvironment,
  { header, secrets }: VerifiedBackup,
  otherSecrets: boolean,
): PlannedSecrets {
  const { config } = environment
  const { DATA_DIR, generated } = config
  const isNew = storedNames(DATA_DIR).length === 0
  const taken = isNew && generated.length > 0 ? secrets : undefined
  const missing = missingSecrets(header.secrets, { ...config, ...(taken && secretsIn(taken, generated)) })
  if (missing.length > 0 && !otherSecrets) throw new Error(differentSecrets(missing, config))
  return { environment, taken }
}

async function writeSecrets({ environment, taken }: PlannedSecrets): Promise<CommandEnvironment> {
  if (taken) restoreSecretsFile(environment.config.DATA_DIR, taken)
  return readEnvironment('command', undefined, 'restore')
}

const differentSecrets = (missing: readonly string[], { DATA_DIR, generated }: Config): string =>
  `These secrets differ from those of the backup: ${missing.join(', ')}. ` +
  (generated.length > 0
    ? `Copy secrets.json from the data directory of the backed-up service to ${DATA_DIR}, or set the secrets.`
    : 'Set them to the values that the backed-up service used.') +
  ' If they are lost, add --other-secrets: authenticator apps, recovery codes, undelivered messages, audit seals and, ' +
  'with PEPPERS, passwords cannot be used then. No data was restored.'

function report(
  { STORAGE_URL }: Config,
  { header, end }: VerifiedBackup,
  { applied, added, pictures, ended, postponed, revoked, keys }: Awaited<ReturnType<typeof restoreBackup>>,
): string {
  const lines = [
    `Restored the backup of ${header.created_at}: ${countInPart(end, partOfTable('users'))} users, ${pictures} files of pictures.`,
    end.missing_pictures > 0 &&
      `${end.missing_pictures} pictures are not in the backup, because they were missing when it was made.`,
    applied.length > 0 && `Applied later migrations: ${applied.join(', ')}`,
    added.length > 0 &&
      'Columns that this version does not create, restored without defaults, constraints and indexes: ' +
        added.map(({ table, column, type }) => `${table}.${column} (${type})`).join(', '),
    ended
      ? `Ended ${ended.sessions} sessions and invalidated ${ended.secrets} unused links and codes.`
      : 'Sessions, links and codes of the backup are valid, including those that were ended or used later.',
    describeRevoked(revoked),
    describeEndedKeys(keys),
    describePostponed(postponed),
    'Users who were erased after the backup exist again: repeat their erasure.',
    header.pictures === 'kept_elsewhere' &&
      STORAGE_URL.kind !== 's3' &&
      'The pictures of the backup are in a bucket: set STORAGE_URL to it.',
  ]
  return lines
    .filter((line) => line !== false)
    .map((line) => `${line}\n`)
    .join('')
}
