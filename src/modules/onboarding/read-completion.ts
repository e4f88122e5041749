import type { Context } from '../../context.ts'
import { readAll } from '../../lib/read-all.ts'
import type { UserChanges } from '../../users/queries.ts'
import { readChanges, type UserMembersInput } from '../../users/read-changes.ts'
import { type AcquisitionInput, readAcquisition, readTeamSize } from './read-acquisition.ts'
import { type BusinessChanges, type BusinessInput, readBusiness } from './read-business.ts'

type ProfileMembers = Pick<UserMembersInput, 'name' | 'last_name' | 'phone' | 'display_name' | 'lang' | 'tmz' | 'title'>

export type CompletionInput = ProfileMembers & BusinessInput & { team_size_range?: string }

interface Completion {
  profile: UserChanges
  business: BusinessChanges
  teamSize: string | null | undefined
  acquisition: AcquisitionInput | undefined
}

/** Returns canonical values. Throws VALIDATION_ERROR with all errors but without the values. */
export function readCompletion(ctx: Pick<Context, 'config' | 'clock'>, input: CompletionInput): Completion {
  return readAll((attempt) => ({
    profile: attempt(() => readChanges(ctx, input)) ?? {},
    business: readBusiness(input, attempt),
    teamSize: readTeamSize(input.team_size_range, attempt),
    acquisition: readAcquisition({ ...input }, attempt),
  }))
}
