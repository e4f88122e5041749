import type { Context } from '../../context.ts'
import { readAll } from '../../lib/read-all.ts'
import type { UserChanges } from '../../users/queries.ts'
import { type GivenMembers, readChanges } from '../../users/read-changes.ts'
import { type Acquisition, readAcquisition, readTeamSize } from './read-acquisition.ts'
import { type BusinessChanges, type GivenBusiness, readBusiness } from './read-business.ts'

type ProfileMembers = Pick<GivenMembers, 'name' | 'last_name' | 'phone' | 'display_name' | 'lang' | 'tmz' | 'title'>

export type GivenCompletion = ProfileMembers & GivenBusiness & { team_size_range?: string }

interface Completion {
  profile: UserChanges
  business: BusinessChanges
  teamSize: string | null | undefined
  acquisition: Acquisition | undefined
}

/** Returns canonical values, or throws VALIDATION_ERROR with all errors and without the values. */
export function readCompletion(ctx: Pick<Context, 'config' | 'clock'>, given: GivenCompletion): Completion {
  return readAll((attempt) => ({
    profile: attempt(() => readChanges(ctx, given)) ?? {},
    business: readBusiness(given, attempt),
    teamSize: readTeamSize(given.team_size_range, attempt),
    acquisition: readAcquisition({ ...given }, attempt),
  }))
}
