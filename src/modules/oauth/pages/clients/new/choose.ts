import type { OfferedApplication } from '../../../../../screens/console/applications/read-applications.ts'
import type { ResponseOf } from '../../../../../ui/shared/api-route.ts'
import type { ListAccountsRoute } from '../../../../api-keys/account-schemas.ts'
import { clientTypes } from '../../../rows.ts'
import type { TypedValues } from '../../form-values.ts'
import type { ShownClient } from '../../paths.ts'

export type OfferedAccount = ResponseOf<typeof ListAccountsRoute>['data']['service_accounts'][number]

export interface ClientChoice {
  type: ShownClient['type']
  application: OfferedApplication
  account?: OfferedAccount | undefined
}

/** The objects that determine the other fields of the form. Undefined until all of them are chosen. */
export function chosenFrom(
  typed: TypedValues,
  applications: readonly OfferedApplication[],
  accounts: readonly OfferedAccount[],
): ClientChoice | undefined {
  const type = clientTypes.find((known) => known === typed.type)
  const application = applications.find(({ id }) => id === typed.application_id)
  if (!type || !application) return undefined
  if (type !== 'machine') return { type, application }
  const account = accounts.find(({ id }) => id === typed.service_account_id)
  return account && { type, application, account }
}
