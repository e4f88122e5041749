import type { OfferedApplication } from '../../../../../screens/console/applications/read-applications.ts'
import type { AdminArea } from '../../../../../ui/console/layout.ts'
import type { Field } from '../../../../../ui/fields/field.ts'
import type { ApiRejection } from '../../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import type { PageLanguage } from '../../../../../ui/texts/index.ts'
import type { ScopeTerms } from '../../../../api-keys/pages/scope-words.ts'
import { isUserClient } from '../../../clients/sign-in-input.ts'
import { programTypes, userClientTypes } from '../../../rows.ts'
import { entryFormPage } from '../../form/view.ts'
import type { TypedValues } from '../../form-values.ts'
import { clientListPath, newClientPath, newResourcePath, type ShownResource } from '../../paths.ts'
import { oauthTextsFor } from '../../texts.ts'
import { resourcesFor, userScopesFor } from '../client-fields.ts'
import { clientProblems } from '../client-problems.ts'
import { formParts } from '../form-parts.ts'
import type { ClientChoice, OfferedAccount } from './choose.ts'

interface NewClient {
  area: AdminArea
  typed: TypedValues
}

export interface ChooseClientPage extends NewClient {
  applications: readonly OfferedApplication[]
  accounts: readonly OfferedAccount[]
  /** Whether the visitor has chosen, but not enough. */
  isIncomplete: boolean
}

export interface NewClientPage extends NewClient {
  choice: ClientChoice
  resources: readonly ShownResource[]
  declared: ScopeTerms['declared']
  /** The scopes of OpenID Connect that the installation has. */
  oidcScopes: readonly string[]
  /** The scopes that the visitor may give. */
  givable: readonly string[]
  /** The types of users. */
  userTypes: readonly string[]
  /** The permissions of the application. */
  permissions: readonly string[]
  form: string
  rejection?: ApiRejection | undefined
}

/** Asks for the objects on which the other fields depend. */
export function chooseClientPage(data: ChooseClientPage, page: PageContext): string {
  const { area, typed, applications, accounts, isIncomplete } = data
  const texts = oauthTextsFor(page.lang)
  const { clients: own } = texts
  const none = { value: '', label: own.noChoice }
  const fields: Field[] = [
    {
      ...{ name: 'type', kind: 'select', label: own.type, hint: own.typeHint, value: typed.type },
      choices: [...userClientTypes, ...programTypes].map((value) => ({ value, label: texts.types[value] })),
    },
    {
      ...{ name: 'application_id', kind: 'select', label: own.application, required: true },
      ...{ choices: [none, ...applications.map(({ id, name }) => ({ value: id, label: name }))] },
      value: typed.application_id,
    },
    {
      ...{ name: 'service_account_id', kind: 'select', label: own.account, hint: own.accountHint },
      ...{ choices: [none, ...accounts.map(({ id, name }) => ({ value: id, label: name }))] },
      value: typed.service_account_id,
    },
  ]
  const lacks =
    applications.length === 0
      ? { problem: own.noApplications, problemLink: { path: '/admin/applications/new', label: own.addApplication } }
      : typed.type === 'machine' && accounts.length === 0
        ? { problem: own.noAccounts, problemLink: { path: '/admin/service-accounts/new', label: own.addAccount } }
        : { problem: isIncomplete ? own.chooseProblem : undefined }
  return entryFormPage(
    area,
    {
      ...{ ...lacks, title: own.add, parent: { path: clientListPath, label: own.title } },
      ...{ fields, action: newClientPath, button: texts.continue, back: clientListPath },
    },
    page,
  )
}

export function newClientPage(data: NewClientPage, page: PageContext): string {
  const { area, choice, typed, resources, form, rejection } = data
  const texts = oauthTextsFor(page.lang)
  const { clients: own } = texts
  const { type, application, account } = choice
  const { top, fields: problems } = clientProblems(page.lang, rejection, choice.type)
  const offered = resourcesFor({ type, applicationId: application.id }, resources)
  const id: Field = {
    ...{ name: 'client_id', label: own.id, note: texts.optional, hint: own.idHint, maxlength: 64 },
    ...{ autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', value: typed.client_id },
    problem: problems.client_id,
  }
  const scopes = isUserClient(type)
    ? userScopesFor(data.oidcScopes, { resources: offered, givable: data.givable })
    : (account?.scopes ?? [])
  const fields = { type, typed, problems, scopes, resources: offered }
  const { main, more } = formParts(
    page.lang,
    {
      ...{ ...fields, userTypes: data.userTypes, permissions: data.permissions },
      terms: { roles: area.roles, declared: data.declared },
    },
    id,
  )
  return entryFormPage(
    area,
    {
      ...{ title: own.add, problem: problems.application_id ?? problems.service_account_id ?? top },
      parent: { path: newClientPath, label: own.chooseOther },
      scripts: ['first-field.js'],
      ...(offered.length === 0 && !isUserClient(type) && withoutResources(type, page.lang)),
      facts: [
        { name: own.type, value: texts.types[type] },
        { name: own.application, value: application.name },
        ...(account ? [{ name: own.account, value: account.name }] : []),
      ],
      hidden: [
        { name: 'type', value: type },
        { name: 'application_id', value: application.id },
        ...(account ? [{ name: 'service_account_id', value: account.id }] : []),
      ],
      ...{ form, fields: main, more, moreLabel: texts.signIn.more },
      ...{ action: newClientPath, button: own.add, back: clientListPath },
    },
    page,
  )
}

/** The form lacks the APIs, so the page tells how to add one. */
function withoutResources(type: ClientChoice['type'], lang: PageLanguage) {
  const { clients, resources } = oauthTextsFor(lang)
  return {
    lead: type === 'machine' ? clients.noApis : clients.noOwnApis,
    before: { path: newResourcePath, label: resources.add, icon: 'add', isPlain: true },
  }
}
