import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { GetAccountRoute } from '../../account-schemas.ts'

export const accountsPath = '/admin/service-accounts'
export const newAccountPath = `${accountsPath}/new`
export const accountPath = (id: string): string => `${accountsPath}/${encodeURIComponent(id)}`
export const editAccountPath = (id: string): string => `${accountPath(id)}/edit`
export const accountKeysPath = (id: string): string => `${accountPath(id)}/keys`
export const actPath = (id: string): string => `${accountPath(id)}/act`
export const deleteAccountPath = (id: string): string => `${accountPath(id)}/delete`

/** A service account in the API's responses. */
export type ShownServiceAccount = ResponseOf<typeof GetAccountRoute>['data']
