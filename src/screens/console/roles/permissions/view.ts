import type { ListPermissionsRoute } from '../../../../roles/declaration/permission-schemas.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { Field } from '../../../../ui/fields/field.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { formProblems } from '../../../../ui/shared/form-problems.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { permissionsPath, rolesPath } from '../paths.ts'

type ShownPermission = ResponseOf<typeof ListPermissionsRoute>['data']['permissions'][number]

export interface PermissionsPage {
  area: AdminArea
  permissions: readonly ShownPermission[]
  /** Those to which a permission can be moved. */
  applications: readonly { key: string; name: string }[]
  mayMove: boolean
  form: string
  typed?: { permission?: string | undefined; application?: string | undefined } | undefined
  rejection?: ApiRejection | undefined
  done?: string | undefined
}

export function permissionsPage(data: PermissionsPage, page: PageContext): string {
  const { area, permissions, mayMove, form, rejection, done } = data
  const { applicationPermissions: texts, staffRoles, rejections } = adminTextsFor(page.lang)
  const sentences = { ...rejections, ...texts.problems }
  const { top, fields } = formProblems(page.lang, rejection, { fields: ['application'], rejections: sentences })
  return renderAdminLayout(
    area,
    {
      template: new URL('./permissions.eta', import.meta.url),
      title: texts.title,
      lead: texts.lead,
      parent: { path: rolesPath, label: staffRoles.title },
      done: done === 'moved' ? texts.moved : undefined,
      problem: top,
      data: {
        ...{ texts, form, mayMove, action: permissionsPath },
        groups: groupsOf(permissions).map(([application, own]) => ({
          application,
          path: `/admin/applications/${own[0]?.application.id}`,
          rows: own.map((permission) => rowOf(permission, page.lang)),
        })),
        fields: moveFields(data, page.lang, fields),
        empty: { icon: 'key', title: texts.none, text: texts.noneText },
      },
    },
    page,
  )
}

/** In the order of the applications' keys. */
const groupsOf = (permissions: readonly ShownPermission[]) =>
  [...Map.groupBy(permissions, ({ application }) => application.key)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  )

function rowOf({ key, title, description, sensitive, retired_at }: ShownPermission, lang: string) {
  const { applicationPermissions: texts, staffRoles } = adminTextsFor(lang)
  return {
    key,
    title: title[lang] || title.en,
    description: description[lang] || description.en,
    chips: [
      ...(sensitive ? [{ text: staffRoles.sensitive, tone: 'warn' }] : []),
      ...(retired_at === null ? [] : [{ text: texts.retired, tone: '' }]),
    ],
  }
}

function moveFields(
  { permissions, applications, typed = {} }: PermissionsPage,
  lang: string,
  problems: Readonly<Record<string, string>>,
): Field[] {
  const { applicationPermissions: texts } = adminTextsFor(lang)
  const none = { choices: [{ value: '', label: texts.choose }] }
  const groups = groupsOf(permissions).map(([label, own]) => ({
    label,
    choices: own.map(({ key }) => ({ value: key, label: key })),
  }))
  return [
    {
      ...{ name: 'permission', kind: 'select', label: texts.permission, required: true, value: typed.permission },
      groups: [none, ...groups],
    },
    {
      ...{ name: 'application', kind: 'select', label: texts.target, required: true, value: typed.application },
      choices: [...none.choices, ...applications.map(({ key, name }) => ({ value: key, label: `${name} (${key})` }))],
      problem: problems.application,
    },
  ]
}
