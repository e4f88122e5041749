import { isWeb } from '../../../../lib/return-address.ts'

/** The address with which the rejected page would be accepted. Undefined if an address is not what is missing. */
export function missingAddress({ reason, page }: { reason: string; page: string | null }): string | undefined {
  const url = reason === 'not_declared' && page ? URL.parse(page) : null
  if (!url) return undefined
  return isWeb(url.protocol) ? url.origin : `${url.protocol}//`
}
