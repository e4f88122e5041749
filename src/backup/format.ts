/**
 * A backup is a gzip-compressed tar archive, so its contents can be read without Wardenry. Its entries, in order:
 *
 * - `backup.json`: a `BackupHeader`
 * - `tables/<table>/<number>.jsonl`: rows as JSON arrays of strings and nulls, about 1 MB per file
 * - `files/<name>`: pictures
 * - `secrets.json`: the generated secrets, in encrypted backups only
 * - `end.json`: a `BackupEnd`
 *
 * `file-sum.ts` adds the checksum of the compressed archive.
 */
export const formatVersion = 1

export const entryNames = { header: 'backup.json', secrets: 'secrets.json', end: 'end.json' } as const

export interface TableHeader {
  name: string
  columns: { name: string; type: string }[]
}

export interface AppliedMigration {
  version: number
  name: string
  checksum: string
  applied_at: string
}

export interface InstalledComponent {
  module_id: string
  component_id: string
  version: string
}

export interface NamedFingerprint {
  name: string
  fingerprint: string
}

/** Shows whether an installation has the secrets used to encrypt the data, without revealing them. */
export interface SecretFingerprints {
  salt: string
  AUTH_SECRET: string
  DATA_KEYS: NamedFingerprint[]
  PEPPERS: NamedFingerprint[]
}

/** `kept_elsewhere`: the pictures are in a bucket, and the backup contains only their names. */
export type PicturesPart = 'included' | 'kept_elsewhere' | 'none'

export interface BackupHeader {
  format: number
  id: string
  created_at: string
  wardenry: string
  database: { kind: 'postgres' | 'embedded'; version: string }
  migrations: AppliedMigration[]
  modules: InstalledComponent[]
  tables: TableHeader[]
  pictures: PicturesPart
  secrets: SecretFingerprints
}

export const partOfTable = (table: string): string => `tables/${table}`
export const picturesName = 'files'

/** The checksum of one part: a table (`tables/<name>`), the pictures (`files`), or the secrets. */
export interface PartSum {
  part: string
  /** The number of rows or files. */
  count: number
  bytes: number
  sha256: string
}

export interface BackupEnd {
  parts: PartSum[]
  /** The number of pictures that the data refers to but whose files were missing. */
  missing_pictures: number
  /** The checksum of all preceding bytes in the uncompressed archive. */
  sha256: string
}

export const countInPart = ({ parts }: BackupEnd, name: string): number =>
  parts.find(({ part }) => part === name)?.count ?? 0

export class BackupDamaged extends Error {
  constructor(reason: string) {
    super(`The backup is damaged or incomplete: ${reason}. Nothing was restored from it.`)
  }
}

export class BackupChanged extends Error {
  constructor() {
    super('The file of the backup changed while it was read. Run the command again with the original file.')
  }
}
