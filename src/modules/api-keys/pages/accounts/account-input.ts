import { SearchRoute } from '../../../../admin/search-schemas.ts'
import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { scopesOf, type Typed } from '../scope-words.ts'

/** The body for the API, which validates the values. */
export const accountInput = async (member: AdminVisit, typed: Typed, known: readonly KnownOwner[]) => ({
  name: typed.name ?? '',
  description: typed.description ?? '',
  owners: await ownerIds(member, typed.owners ?? '', known),
  scopes: scopesOf(typed),
  ends_at: typed.ends_on?.trim() ? `${typed.ends_on.trim()}T00:00:00Z` : null,
})

export interface KnownOwner {
  id: string
  email: string
}

const maxLookups = 5

/** An address without a user is sent unchanged, so that the API rejects it. */
async function ownerIds(member: AdminVisit, text: string, known: readonly KnownOwner[]): Promise<string[]> {
  const addresses = [...new Set(text.toLowerCase().split(/[\s,;]+/))].filter((one) => one !== '')
  const { user } = member.profile
  const ids = addresses.slice(0, maxLookups).map(async (address) => {
    const owner = [...known, user].find(({ email }) => email.toLowerCase() === address)
    if (owner) return owner.id
    const found = await member.api(call(SearchRoute, { query: { email: address } }))
    const users = found.ok ? found.body.data.users : []
    // The search also finds addresses that only contain this one.
    return users.find(({ email }) => email === address)?.id ?? address.slice(0, 100)
  })
  return Promise.all(ids)
}
