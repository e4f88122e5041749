import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { RemovePasskeyRoute, RenamePasskeyRoute } from '../../../../passkeys/schemas.ts'
import { type AccountVisit, withAccountVisit } from '../../../../ui/account/account-visit.ts'
import type { ReadSecurityPart } from '../../../../ui/account/security-part.ts'
import { securityPath } from '../../../../ui/paths.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone, visitorPages } from '../../../../ui/shared/declare-pages.ts'
import { readPasskeys } from '../list/show-security.ts'
import type { PasskeyListEntry } from '../list/view.ts'
import { PasskeyPageRoute, RemoveFormRoute, RenameFormRoute, removePath, renamePath } from '../schemas.ts'
import { type ChangeOutcome, removePage, renamePage } from './view.ts'

/** Each page leads back to the list if the passkey does not exist. */
export const changePasskeyRoutes =
  (parts: () => readonly ReadSecurityPart[]) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = visitorPages(ctx, http)

    pages.get(renamePath, { schema: PasskeyPageRoute, config: readByAnyone }, (visit, { query: { id } }) =>
      withAccountVisit(ctx, visit, addressOf(renamePath, id), (member) => showRename(member, id, {})),
    )

    pages.post(renamePath, { schema: RenameFormRoute, config: postedByAnyone }, (visit, { body }) =>
      withAccountVisit(ctx, visit, addressOf(renamePath, body.id), async (member) => {
        const name = body.name.trim()
        const renaming = call(RenamePasskeyRoute, { params: { passkey_id: body.id }, body: { name } })
        const renamed = await member.submit(renamePath, body.form_token, renaming)
        if (!renamed.ok) return showRename(member, body.id, { name, problem: renamed.rejection }, renamed.status)
        return member.go(`${securityPath}?done=passkey_renamed`)
      }),
    )

    pages.get(removePath, { schema: PasskeyPageRoute, config: readByAnyone }, (visit, { query: { id, done } }) =>
      withAccountVisit(
        ctx,
        visit,
        addressOf(removePath, id),
        async (member) => (await leadToProof(ctx, member, parts(), id)) ?? showRemove(member, id, { done }),
      ),
    )

    pages.post(removePath, { schema: RemoveFormRoute, config: postedByAnyone }, (visit, { body: { id, form_token } }) =>
      withAccountVisit(ctx, visit, addressOf(removePath, id), async (member) => {
        const toProof = await leadToProof(ctx, member, parts(), id)
        if (toProof) return toProof
        const removal = call(RemovePasskeyRoute, { params: { passkey_id: id }, body: {} })
        const removed = await member.submit(removePath, form_token, removal)
        if (!removed.ok) return showRemove(member, id, { problem: removed.rejection }, removed.status)
        return member.go(`${securityPath}?done=passkey_removed`)
      }),
    )
  }

const addressOf = (path: string, id: string): string => `${path}?${new URLSearchParams({ id })}`

/** A user who needs a second factor proves one on the module's page, because the API requires it for the removal. */
async function leadToProof(ctx: Context, member: AccountVisit, read: readonly ReadSecurityPart[], id: string) {
  const parts = await Promise.all(read.map((one) => one(ctx, member)))
  const [proven] = parts.flatMap(({ removalAddress }) => removalAddress ?? [])
  return proven && member.go(proven(id))
}

const findPasskey = async (member: AccountVisit, id: string): Promise<PasskeyListEntry | undefined> =>
  (await readPasskeys(member)).find((passkey) => passkey.id === id)

async function showRename(member: AccountVisit, id: string, outcome: ChangeOutcome, status?: number) {
  const passkey = await findPasskey(member, id)
  if (!passkey) return member.go(securityPath)
  const data = { area: member.area, form: member.sign(renamePath), passkey, ...outcome }
  return member.show((page) => renamePage(data, page), status)
}

async function showRemove(member: AccountVisit, id: string, outcome: ChangeOutcome, status?: number) {
  const passkey = await findPasskey(member, id)
  if (!passkey) return member.go(securityPath)
  const data = { area: member.area, form: member.sign(removePath), passkey, ...outcome }
  return member.show((page) => removePage(data, page), status)
}
