import type { Selectable } from 'kysely'
import type { Db, Tables } from '../../db/tables.ts'
import type { AcquisitionInput } from './read-acquisition.ts'

export type OnboardingRow = Selectable<Tables['user_onboarding']>

export const findOnboarding = (db: Db, userId: string): Promise<OnboardingRow | undefined> =>
  db
    .selectFrom('user_onboarding')
    .select(['user_id', 'status', 'step', 'steps', 'data', 'started_at', 'completed_at', 'updated_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()

export async function forgetAnswers(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('user_onboarding').where('user_id', '=', userId).execute()
  await db.deleteFrom('user_acquisition').where('user_id', '=', userId).execute()
}

/** The caller has locked the user, so the row cannot have changed since it was read. */
export async function saveOnboarding(db: Db, { user_id, ...members }: OnboardingRow): Promise<void> {
  await db
    .insertInto('user_onboarding')
    .values({ user_id, ...members })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(members))
    .execute()
}

export async function keepFirstAcquisition(
  db: Db,
  userId: string,
  { columns, extra }: AcquisitionInput,
  now: Date,
): Promise<void> {
  const values = { ...columns, acquisition_extra: extra, acquired_at: now, updated_at: now }
  await db
    .insertInto('user_acquisition')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(values).where('user_acquisition.acquired_at', 'is', null),
    )
    .execute()
}

/** Unlike acquisition data, the team size may change later. */
export async function saveTeamSize(db: Db, userId: string, size: string | null, now: Date): Promise<void> {
  const values = { team_size_range: size, updated_at: now }
  await db
    .insertInto('user_acquisition')
    .values({ user_id: userId, acquisition_extra: {}, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}
