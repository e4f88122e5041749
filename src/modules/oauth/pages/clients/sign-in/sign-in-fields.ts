import { roleName } from '../../../../../ui/console/roles.ts'
import type { Field } from '../../../../../ui/fields/field.ts'
import type { PageLanguage } from '../../../../../ui/texts/index.ts'
import { scopeField } from '../../../../api-keys/pages/scope-words.ts'
import { scopesForUsers } from '../../../consent/scope-rows.ts'
import { signingAlgs } from '../../../rows.ts'
import { resourceField, type TypedValues } from '../../form-values.ts'
import { oauthTextsFor } from '../../texts.ts'
import { type ClientFields, type FormParts, resourceLabel } from '../client-fields.ts'
import { hasBackchannel, signInSwitchesOf, userTypeBox } from './sign-in-values.ts'

const plain = { autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' } as const

/** Few fields are enough for most clients. `more` has a default for each field. */
export function signInFields(lang: PageLanguage, data: ClientFields): FormParts {
  const { type, typed, problems } = data
  const { clients: own, signIn: texts, optional: note } = oauthTextsFor(lang)
  const main: Field[] = [
    {
      ...{ name: 'name', label: own.name, note, hint: texts.nameHint, maxlength: 80, autocomplete: 'off' },
      value: typed.name,
    },
    {
      ...addresses('redirect_uris', texts.redirects, typed),
      ...{ required: true, hint: texts.redirectHints[type as keyof typeof texts.redirectHints] },
    },
    scopeChoice(lang, data),
  ]
  const more: (Field | false)[] = [
    { ...addresses('post_logout_uris', texts.postLogout, typed), note, hint: texts.postLogoutHint },
    type === 'spa' && { ...addresses('allowed_origins', texts.origins, typed), note, hint: texts.originsHint },
    ...accessFields(lang, data),
    ...lifetimes(lang, typed),
    hasBackchannel(type) && {
      ...{ name: 'backchannel_uri', label: texts.backchannel, note, hint: texts.backchannelHint, ...plain },
      value: typed.backchannel_uri,
    },
    {
      ...{ name: 'id_token_alg', kind: 'select', label: texts.alg, value: typed.id_token_alg },
      choices: [{ value: '', label: texts.algDefault }, ...signingAlgs.map((value) => ({ value, label: value }))],
    },
  ]
  const withProblem = (field: Field): Field => ({ ...field, problem: problems[field.name] })
  return { main: main.map(withProblem), more: more.flatMap((field) => (field ? [withProblem(field)] : [])) }
}

const addresses = (name: string, label: string, typed: TypedValues): Field => ({
  ...{ name, kind: 'textarea', label, rows: 3, ...plain, value: typed[name] },
})

/** In the words that users see when they are asked. */
function scopeChoice(lang: PageLanguage, { scopes, typed, terms }: ClientFields): Field {
  const { clients: own, signIn: texts } = oauthTextsFor(lang)
  const rows = [
    ...scopesForUsers(lang, scopes, terms),
    ...(scopes.includes('offline_access')
      ? [{ scope: 'offline_access', text: texts.offlineScope, description: undefined }]
      : []),
  ]
  return {
    ...{ name: 'scopes', kind: 'checkboxes', label: own.scopes },
    options: rows.map(({ scope, text, description }) => ({
      ...{ option: text, code: scope, name: scopeField(scope), hint: description },
      isOn: typed[scopeField(scope)] !== undefined,
    })),
  }
}

function accessFields(lang: PageLanguage, data: ClientFields): Field[] {
  const { type, typed, resources, terms, userTypes = [], permissions = [] } = data
  const { clients: own, signIn: texts } = oauthTextsFor(lang)
  const apis: Field = {
    ...{ name: 'resources', kind: 'checkboxes', label: own.resources },
    options: resources.map((one) => ({
      ...{ option: resourceLabel(one), name: resourceField(one.id) },
      isOn: typed[resourceField(one.id)] !== undefined,
    })),
  }
  return [
    ...(resources.length > 0 ? [apis] : []),
    {
      ...{ name: 'switches', kind: 'checkboxes', label: texts.switchLabel },
      options: signInSwitchesOf(type).map((name) => ({
        ...{ option: texts.switches[name], name, hint: texts.switchHints[name], isOn: typed[name] !== undefined },
      })),
    },
    {
      ...{ name: 'allowed_types', kind: 'checkboxes', label: texts.types },
      options: userTypes.map((key) => ({
        ...{ option: roleName(lang, key, terms.roles), name: userTypeBox(key) },
        isOn: typed[userTypeBox(key)] !== undefined,
      })),
    },
    {
      ...{ name: 'required_permission', kind: 'select', label: texts.permission, hint: texts.permissionHint },
      ...{ value: typed.required_permission },
      choices: [{ value: '', label: texts.noPermission }, ...permissions.map((key) => ({ value: key, label: key }))],
    },
  ]
}

function lifetimes(lang: PageLanguage, typed: TypedValues): Field[] {
  const { clients: own, signIn: texts, optional: note } = oauthTextsFor(lang)
  const number = (name: string, label: string, hint: string): Field => ({
    ...{ name, label, note, hint, inputmode: 'numeric', maxlength: 8, autocomplete: 'off', value: typed[name] },
  })
  return [
    number('access_ttl', own.lifetime, own.lifetimeHint),
    number('refresh_idle_ttl', texts.idle, texts.idleHint),
    number('refresh_absolute_ttl', texts.absolute, texts.absoluteHint),
  ]
}
