import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { type AdminTexts, adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { formProblems } from '../../../../ui/shared/form-problems.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fillPlural } from '../../../../ui/texts/index.ts'
import {
  deleteRolePath,
  type EditableRole,
  newRolePath,
  rolePath,
  rolesPath,
  type TypedRole,
  usersWithRole,
} from '../paths.ts'
import { type PermissionGroup, permissionField, permissionGroups } from '../permission-fields.ts'

interface RoleForm {
  area: AdminArea
  form: string
  /** The permissions that the viewer may give or remove. */
  offered: readonly string[]
  typed?: TypedRole | undefined
  rejection?: ApiRejection | undefined
}

export interface RolePage extends RoleForm {
  role: EditableRole
  /** The pages for giving the role to a new user and to present ones, if the viewer may open them. */
  give: { invite: string | undefined; people: string | undefined }
  done?: string | undefined
}

/** Without this permission, the pages of users cannot be opened. */
const usual: readonly string[] = ['users:read']

export function newRolePage(data: RoleForm, page: PageContext): string {
  const { staffRoles: texts } = adminTextsFor(page.lang)
  const { top, form } = formOf(data, usual, page)
  return renderAdminLayout(
    data.area,
    {
      template: new URL('./role.eta', import.meta.url),
      title: texts.add,
      parent: { path: rolesPath, label: texts.title },
      scripts: ['first-field.js'],
      problem: top,
      data: { ...form, action: newRolePath, button: texts.add, cancel: rolesPath },
    },
    page,
  )
}

export function rolePage({ role, give, done, ...data }: RolePage, page: PageContext): string {
  const { lang } = page
  const { staffRoles: texts } = adminTextsFor(lang)
  const typed = data.typed ?? textsOf(role)
  const { top, form } = formOf(data, role.permissions, page)
  return renderAdminLayout(
    data.area,
    {
      template: new URL('./role.eta', import.meta.url),
      title: role.name,
      lead: role.description || undefined,
      parent: { path: rolesPath, label: texts.title },
      scripts: ['unsaved.js'],
      done: doneText(lang, done),
      doneLink: done === 'created' && give.invite ? { path: give.invite, label: texts.invite } : undefined,
      problem: top,
      data: {
        ...{ ...form, typed, draft: data.typed ? 'draft' : '', action: rolePath(role.id), button: texts.save },
        role: {
          key: role.key,
          users: fillPlural(lang, texts.users, role.users),
          usersPath: usersWithRole(role.key),
          ...{ ...give, deletePath: deleteRolePath(role.id) },
        },
      },
    },
    page,
  )
}

interface FormData {
  texts: AdminTexts['staffRoles']
  form: string
  typed: TypedRole
  problems: Record<string, string>
  groups: PermissionGroup[]
  cancelLabel: string
  role?: { key: string; users: string; usersPath: string; deletePath: string } & RolePage['give']
  /** The path behind the cancel button of a new role. */
  cancel?: string
  draft?: string
}

/** `selected` are the permissions of a form that was not sent yet. */
function formOf({ area, form, offered, typed, rejection }: RoleForm, selected: readonly string[], page: PageContext) {
  const { lang } = page
  const { staffRoles: texts, rejections, shared } = adminTextsFor(lang)
  const fields = ['key', 'name', 'description', 'permissions']
  const { top, fields: problems } = formProblems(lang, rejection, {
    fields,
    rejections: { ...rejections, ...texts.problems },
  })
  const isOn = (permission: string) =>
    typed ? typed[permissionField(permission)] !== undefined : selected.includes(permission)
  const groups = permissionGroups(lang, { offered, isOn }, area.roles)
  const data: FormData = { texts, form, typed: typed ?? {}, problems, groups, cancelLabel: shared.cancel }
  return { top, form: data }
}

const textsOf = ({ name, description, updated_at }: EditableRole): TypedRole => ({
  name,
  description,
  expected_updated_at: updated_at ?? undefined,
})

function doneText(lang: string, done: string | undefined): string | undefined {
  const { created, changed } = adminTextsFor(lang).staffRoles.done
  return done === 'created' ? created : done === 'changed' ? changed : undefined
}
