import type { PersonalData } from '../context.ts'
import { findIdentitiesOf } from './queries.ts'
import { linkedAccounts } from './replies.ts'

/** What is kept of identities of other providers; it goes with its user, and so do visits that have begun. */
export const socialPersonalData: PersonalData = {
  tables: ['social_accounts', 'social_flows'],
  collect: async (_ctx, user) => ({ social_accounts: linkedAccounts(await findIdentitiesOf(_ctx.db, user.id)) }),
}
