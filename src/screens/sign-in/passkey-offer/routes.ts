import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { AddPasskeyRoute, StartAddingRoute } from '../../../passkeys/schemas.ts'
import { passkeyOfferPath } from '../../../ui/paths.ts'
import { call } from '../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone, visitorPages } from '../../../ui/shared/declare-pages.ts'
import { passkeyResponse } from '../../../ui/shared/passkey-response.ts'
import type { PageProblem } from '../../../ui/shared/problem-text.ts'
import * as schemas from '../../../ui/shared/schemas.ts'
import { type SignedInVisit, withSignedInVisit } from '../../../ui/shared/signed-in-visit.ts'
import { finishSignIn } from '../login-steps.ts'
import { isOwnerWithoutPasskey, upgradeOf } from '../passkey-upgrade.ts'
import { passkeyOfferPage } from './view.ts'

/**
 * The page is never a dead end: whatever happens, the user can continue to where the sign-in leads. The script submits
 * the form without a passkey if none can be created, so that the page gives the reason.
 */
export const passkeyOfferRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = visitorPages(ctx, http)

    pages.get(passkeyOfferPath, { schema: schemas.PasskeyOfferPageRoute, config: readByAnyone }, (visit) =>
      withSignedInVisit(visit, passkeyOfferPath, async (member) =>
        (await canAccept(ctx, member)) ? showOffer(member) : finishSignIn(ctx, member),
      ),
    )

    pages.post(passkeyOfferPath, { schema: schemas.PasskeyOfferFormRoute, config: postedByAnyone }, (visit, request) =>
      withSignedInVisit(visit, passkeyOfferPath, async (member) => {
        const { response, later, form_token: formToken } = request.body
        if (later === 'true')
          return (await member.isOwn(passkeyOfferPath, formToken))
            ? finishSignIn(ctx, member)
            : showOffer(member, 'PAGE_EXPIRED', 400)
        if (!response) {
          const starting = call(StartAddingRoute, { body: { action: 'add' } })
          const started = await member.submitKept(passkeyOfferPath, formToken, starting)
          return started.ok
            ? showOffer(member, 'NO_PASSKEY', 400)
            : showOffer(member, started.rejection, started.status)
        }
        const addition = call(AddPasskeyRoute, { body: { response: passkeyResponse(response) } })
        const added = await member.submitKept(passkeyOfferPath, formToken, addition)
        return added.ok ? finishSignIn(ctx, member) : showOffer(member, added.rejection, added.status)
      }),
    )
  }

/** The sign-in has recorded the offer. This applies to users who open the page in another way, or again. */
const canAccept = async (ctx: Context, member: SignedInVisit): Promise<boolean> =>
  upgradeOf(ctx.config) === 'offer' && (await isOwnerWithoutPasskey(member))

const showOffer = (member: SignedInVisit, problem?: PageProblem, status?: number) =>
  member.show((page) => passkeyOfferPage({ formToken: member.sign(passkeyOfferPath), problem }, page), status)
