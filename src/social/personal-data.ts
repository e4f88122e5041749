import type { PersonalData } from '../context.ts'
import { findIdentitiesOf } from './queries.ts'
import { linkedAccounts } from './replies.ts'

/** Linked identities and flows in progress are deleted with the user. */
export const socialPersonalData: PersonalData = {
  tables: ['social_accounts', 'social_flows'],
  collect: async (_ctx, user) => ({ social_accounts: linkedAccounts(await findIdentitiesOf(_ctx.db, user.id)) }),
}
