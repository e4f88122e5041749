import type { ResponseOf } from '../../../ui/shared/api-route.ts'
import type { GetClientRoute } from '../clients/schemas.ts'
import type { ListKeysRoute } from '../keys/schemas.ts'
import type { GetResourceRoute } from '../resources/schemas.ts'

const base = '/admin/oauth'

export const clientListPath = `${base}/clients`
/** Not below the list, because a client can have any identifier. */
export const newClientPath = `${base}/new/client`
export const clientPath = (clientId: string): string => `${clientListPath}/${encodeURIComponent(clientId)}`

export const resourceListPath = `${base}/apis`
export const newResourcePath = `${base}/new/api`
export const resourcePath = (id: string): string => `${resourceListPath}/${encodeURIComponent(id)}`

export const signingKeysPath = `${base}/keys`
export const rotateKeysPath = `${signingKeysPath}/rotate`
export const compromisedKeysPath = `${signingKeysPath}/compromised`

/** As in the API's responses. */
export type ShownClient = ResponseOf<typeof GetClientRoute>['data']
export type ShownResource = ResponseOf<typeof GetResourceRoute>['data']
export type ShownSigningKey = ResponseOf<typeof ListKeysRoute>['data']['keys'][number]
