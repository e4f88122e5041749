import type { StaffRequest } from '../../admin/as-staff.ts'
import { storedPicture } from '../../config/branding.ts'
import type { Context } from '../../context.ts'
import {
  addApplication,
  changeApplication,
  changing,
  type Locked,
  lockedApplication,
  switchApplication,
} from '../change-application.ts'
import { findApplication, findApplications, findByKey, findLogos, replaceAddresses } from '../queries.ts'
import { withoutCounts } from '../show-application.ts'
import { planOf, type TransferStep } from './plan.ts'
import { type FileEntry, readApplicationsFile } from './read-file.ts'
import { type ApplicationsFile, entryOf } from './schemas.ts'

interface Input {
  /** The content of a file that `exportApplications` has written, or of the same form. */
  text: string
  /** Whether to disable the applications that the file does not contain. */
  prune: boolean
}

/** Deleted applications are not included. */
export async function exportApplications(ctx: Context): Promise<ApplicationsFile> {
  const rows = (await findApplications(ctx.db)).filter(({ deleted_at }) => deleted_at === null)
  const logos = new Map((await findLogos(ctx.db)).map(({ application_id, bytes }) => [application_id, bytes]))
  return {
    version: 1,
    applications: rows.map((row) => {
      const bytes = logos.get(row.id)
      return entryOf({ ...withoutCounts(ctx.config, row), logo: bytes ? storedPicture(bytes) : null })
    }),
  }
}

export const planApplications = async (ctx: Context, { text, prune }: Input): Promise<TransferStep[]> =>
  planFor(ctx, readApplicationsFile(text), prune)

/** Returns the steps, all of which were done in one transaction. */
export async function applyApplications(
  ctx: Context,
  request: StaffRequest,
  { text, prune }: Input,
): Promise<TransferStep[]> {
  const entries = readApplicationsFile(text)
  return changing(ctx, request, 'apply_applications', async (locked) => {
    const steps = await planFor(locked.tx, entries, prune)
    await removeAddresses(locked, steps)
    const created = steps.filter(({ action }) => action === 'create')
    for (const step of created) await applyStep(locked, withoutAccepted(step))
    for (const step of steps) if (!created.includes(step)) await applyStep(locked, step)
    for (const step of created) await acceptOthers(locked, step)
    return steps
  })
}

const planFor = async (
  { db, config }: Pick<Context, 'db' | 'config'>,
  entries: readonly FileEntry[],
  prune: boolean,
): Promise<TransferStep[]> => planOf(await findApplications(db), entries, { prune, config })

/** Comes first, because an application may get an address that another one loses. */
async function removeAddresses({ tx }: Locked, steps: readonly TransferStep[]): Promise<void> {
  for (const { row, removed } of steps) {
    if (!row || removed.length === 0) continue
    await replaceAddresses(
      tx.db,
      row.id,
      row.addresses.filter((one) => !removed.includes(one)),
    )
  }
}

/** New applications may accept each other's sessions, so all of them must exist first. */
const withoutAccepted = (step: TransferStep): TransferStep =>
  step.entry ? { ...step, entry: { ...step.entry, read: { ...step.entry.read, accepts: undefined } } } : step

async function acceptOthers(locked: Locked, { key, entry }: TransferStep): Promise<void> {
  if (!entry?.read.accepts?.length) return
  const found = await findByKey(locked.tx.db, key)
  const row = found && (await findApplication(locked.tx.db, found.id))
  if (row) await changeApplication(lockedApplication(locked, row), entry.read)
}

async function applyStep(locked: Locked, { action, row, entry }: TransferStep): Promise<void> {
  if (action === 'keep') return
  if (row && entry) await changeApplication(lockedApplication(locked, row), entry.read)
  const id = row?.id ?? (entry && (await addApplication(locked, entry.read)))
  const changed = id && (await findApplication(locked.tx.db, id))
  if (changed)
    await switchApplication(lockedApplication(locked, changed), entry ? (entry.enabled ?? changed.is_enabled) : false)
}
