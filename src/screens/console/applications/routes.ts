import {
  AdoptAddressRoute,
  CreateApplicationRoute,
  ListApplicationsRoute,
  UpdateApplicationRoute,
} from '../../../applications/schemas.ts'
import {
  DeleteApplicationRoute,
  DisableApplicationRoute,
  EnableApplicationRoute,
  RestoreApplicationRoute,
} from '../../../applications/state-schemas.ts'
import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { type AdminVisit, adminPages } from '../../../ui/console/admin-visit.ts'
import { call } from '../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { type PageDeclarations, postedByAnyone, readByAnyone } from '../../../ui/shared/declare-pages.ts'
import { declareAppearancePreview } from './appearance/preview-routes.ts'
import { declareAppearance } from './appearance/routes.ts'
import { applicationChanges } from './application/form-texts.ts'
import { type ApplicationPage, applicationPage } from './application/view.ts'
import { type ConfirmedAction, confirmApplicationPage, confirmedActions } from './confirm/view.ts'
import { declareConnect } from './connect/routes.ts'
import { type ApplicationsPage, applicationsPage, listStates } from './list/view.ts'
import { proposedKey, readEntries } from './new/read-entries.ts'
import { newApplicationPage } from './new/view.ts'
import { adoptPath, applicationPath, applicationsPath, connectPath, newApplicationPath } from './paths.ts'
import { getShownApplication } from './read-application.ts'
import { addressToAdd, declareRejections } from './rejections/routes.ts'
import * as schemas from './schemas.ts'
import { declareSecrets } from './secrets/routes.ts'
import { declareTest } from './sign-in-test/routes.ts'

const one = `${applicationsPath}/:application_id`

export const applicationPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, applicationsPath, ({ params }) => {
      const { application_id: id } = params as { application_id?: string }
      return id === undefined ? applicationsPath : applicationPath(id)
    })
    declareList(ctx, pages)
    declareNew(pages)
    declareOne(ctx, pages)
    declareActions(ctx, pages)
    declareConnect(ctx, pages)
    declareAppearance(ctx, pages)
    declareAppearancePreview(ctx, pages)
    declareSecrets(ctx, pages)
    declareRejections(pages)
    declareTest(pages)
  }

type Pages = PageDeclarations<AdminVisit>

function declareList(ctx: Context, pages: Pages): void {
  pages.get(
    applicationsPath,
    { schema: schemas.ApplicationsPageRoute, config: readByAnyone },
    async (member, { query }) => {
      const q = query.q?.trim().slice(0, 100) || undefined
      const state = listStates.find((known) => known === query.state)
      const page = /^[1-9]\d{0,3}$/.test(query.page ?? '') ? query.page : '1'
      return showList(ctx, member, { q, state, page })
    },
  )
  pages.post(
    adoptPath,
    { schema: schemas.AdoptAddressFormRoute, config: postedByAnyone },
    async (member, { body: { address = '', form_token: formToken } }) => {
      const url = URL.parse(address)
      const name = url?.hostname || url?.protocol.slice(0, -1) || address
      const body = { address, key: proposedKey(name, null), name }
      const response = await member.submit(adoptPath, formToken, call(AdoptAddressRoute, { body }))
      if (response.ok) return member.go(`${applicationPath(response.body.data.application.id)}?done=adopted`)
      return showList(
        ctx,
        member,
        {},
        { rejected: { address, rejection: response.rejection }, status: response.status },
      )
    },
  )
}

interface ListQuery {
  q?: string | undefined
  state?: (typeof listStates)[number] | undefined
  page?: string | undefined
}

async function showList(
  { config, clock }: Context,
  member: AdminVisit,
  { q, state, page = '1' }: ListQuery,
  { status, rejected }: Pick<ApplicationsPage, 'rejected'> & { status?: number } = {},
) {
  const found = await member.read(call(ListApplicationsRoute, { query: { q, state, page, limit: 25 } }))
  const adoptForm = member.sign(adoptPath)
  const data = { area: member.area, found, search: { q, state }, config, now: clock.now(), adoptForm, rejected }
  return member.show((page) => applicationsPage(data, page), status)
}

function declareNew(pages: Pages): void {
  type State = Omit<Parameters<typeof newApplicationPage>[0], 'area' | 'form'>
  const showNew = (member: AdminVisit, state: State = {}, status?: number) => {
    const data = { area: member.area, form: member.sign(newApplicationPath), ...state }
    return member.show((page) => newApplicationPage(data, page), status)
  }
  pages.get(newApplicationPath, { schema: schemas.NewApplicationPageRoute, config: readByAnyone }, (member) =>
    showNew(member),
  )
  pages.post(
    newApplicationPath,
    { schema: schemas.CreateApplicationFormRoute, config: postedByAnyone },
    async (member, request) => {
      const { form_token: formToken, ...typed } = request.body
      const { problems, recipe, body } = readEntries(typed)
      if (!recipe) return showNew(member, { typed, problems }, 400)
      const response = await member.submit(newApplicationPath, formToken, call(CreateApplicationRoute, { body }))
      if (response.ok) return member.go(`${connectPath(response.body.data.id, recipe.name)}&done=created`)
      // The proposed key is shown, so that it can be changed.
      const isKeyRejected = response.rejection.details?.some(({ field }) => field === 'key')
      const shown = isKeyRejected ? { ...typed, key: body.key } : typed
      return showNew(member, { typed: shown, rejection: response.rejection }, response.status)
    },
  )
}

const editPath = (id: string): string => `${applicationPath(id)}/edit`
const actPath = (id: string): string => `${applicationPath(id)}/act`

function declareOne({ config }: Context, pages: Pages): void {
  pages.get(
    one,
    { schema: schemas.ApplicationPageRoute, config: readByAnyone },
    async (member, { params: { application_id: id }, query: { done, add } }) =>
      showOne(member, id, { config, done, add: await addressToAdd(member, id, add) }),
  )
  pages.post(
    `${one}/edit`,
    { schema: schemas.EditApplicationFormRoute, config: postedByAnyone },
    async (member, request) => {
      const { form_token: formToken, ...typed } = request.body
      const { application_id: id } = request.params
      const update = call(UpdateApplicationRoute, { params: { application_id: id }, body: applicationChanges(typed) })
      const response = await member.submit(editPath(id), formToken, update)
      if (!response.ok) return showOne(member, id, { config, typed, rejection: response.rejection }, response.status)
      return member.go(`${applicationPath(id)}?done=changed`)
    },
  )
}

const actions = {
  enable: { done: 'enabled', route: EnableApplicationRoute },
  disable: { done: 'disabled', route: DisableApplicationRoute },
  delete: { done: 'deleted', route: DeleteApplicationRoute },
  restore: { done: 'restored', route: RestoreApplicationRoute },
} as const

function declareActions({ config }: Context, pages: Pages): void {
  pages.post(
    `${one}/act`,
    { schema: schemas.ApplicationActionFormRoute, config: postedByAnyone },
    async (member, request) => {
      const { action = '', form_token: formToken } = request.body
      const { application_id: id } = request.params
      if (!isAction(action)) return member.go(applicationPath(id))
      const { done, route } = actions[action]
      const response = await member.submit(actPath(id), formToken, call(route, { params: { application_id: id } }))
      if (response.ok) return member.go(`${applicationPath(id)}?done=${done}`)
      const { rejection, status } = response
      const confirmed = confirmedActions.find((known) => known === action)
      return confirmed
        ? showConfirm(member, id, confirmed, response)
        : showOne(member, id, { config, rejection }, status)
    },
  )
  for (const action of confirmedActions)
    pages.get(
      `${one}/${action}`,
      { schema: schemas.ConfirmApplicationPageRoute, config: readByAnyone },
      (member, { params }) => showConfirm(member, params.application_id, action),
    )
}

const isAction = (action: string): action is keyof typeof actions => Object.hasOwn(actions, action)

type OneState = Pick<ApplicationPage, 'config' | 'typed' | 'rejection' | 'done' | 'add'>

async function showOne(member: AdminVisit, id: string, state: OneState, status?: number) {
  const data = {
    area: member.area,
    application: await getShownApplication(member, id),
    forms: { edit: member.sign(editPath(id)), act: member.sign(actPath(id)) },
    timeZone: member.profile.user.tmz ?? null,
    ...state,
  }
  return member.show((page) => applicationPage(data, page), status)
}

async function showConfirm(
  member: AdminVisit,
  id: string,
  action: ConfirmedAction,
  response?: { status: number; rejection: ApiRejection },
) {
  const application = await getShownApplication(member, id)
  // A deleted application can only be restored.
  if (application.deleted_at !== null && !response) return member.go(applicationPath(id))
  const rejection = response && { rejection: response.rejection }
  const data = { area: member.area, application, action, form: member.sign(actPath(id)), ...rejection }
  return member.show((page) => confirmApplicationPage(data, page), response?.status)
}
