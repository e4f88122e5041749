import { SettingProblem } from '../../config/kinds.ts'
import { compileValidator } from '../../http/parsing/validation.ts'
import { AppError, type FieldProblem } from '../../lib/errors.ts'
import { maxPermissionKey, ownPermissions, permissionPattern } from '../../users/permission-keys.ts'
import { readVisibleName } from '../../users/visible-name.ts'
import { coversPermission, isPattern } from '../expand-permissions.ts'
import { maxName } from '../read-input.ts'
import { DeclarationInput } from './schemas.ts'

export interface DeclaredPermission {
  key: string
  title: Readonly<Record<string, string>>
  description: Readonly<Record<string, string>>
  sensitive: boolean
}

export interface DeclaredRole {
  key: string
  name: string
  description: string
  is_default: boolean
  permissions: readonly string[]
}

export interface Declaration {
  permissions: readonly DeclaredPermission[]
  roles: readonly DeclaredRole[]
}

/** Throws VALIDATION_ERROR with all problems, and PERMISSION_TAKEN for the permissions of this service. */
export function readDeclaration({ permissions, roles = [] }: DeclarationInput): Declaration {
  const own = permissions.filter(({ key }) => key.startsWith(ownPermissions)).map(({ key }) => key)
  if (own.length > 0) throw taken(own)
  const keys = permissions.map(({ key }) => key)
  const problems = [
    ...permissions.flatMap(keyProblems),
    ...repeated('permissions', keys),
    ...repeated(
      'roles',
      roles.map(({ key }) => key),
    ),
    ...roles.flatMap((role) => [...nameProblems(role), ...roleProblems(role, keys)]),
  ]
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { details: problems })
  return {
    permissions: permissions.map(({ key, title = {}, description = {}, sensitive = false }) => ({
      ...{ key, title, description, sensitive },
    })),
    roles: roles.map(({ key, name, description = '', default: is_default = false, permissions: listed }) => ({
      ...{ key, name: name.normalize('NFC').trim(), description, is_default },
      permissions: [...new Set(listed)].toSorted(),
    })),
  }
}

export const taken = (keys: readonly string[]) =>
  new AppError('PERMISSION_TAKEN', { sentence: `These permissions belong to others: ${shortened(keys)}` })

const validate = compileValidator({ schema: DeclarationInput, httpPart: 'body' })

/** Reads a file, which must name its application. */
export function readDeclarationFile(text: string): { application: string; declaration: Declaration } {
  const parsed = parsedJson(text)
  const { error } = validate(parsed)
  if (error) throw error
  const input = parsed as DeclarationInput
  if (input.application === undefined) throw problem('application', 'is required')
  return { application: input.application, declaration: readDeclaration(input) }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw problem('file', `is not valid JSON: ${(error as Error).message}`)
  }
}

const problem = (field: string, message: string) => new AppError('VALIDATION_ERROR', { details: [{ field, message }] })

const pattern = new RegExp(permissionPattern)

const keyProblems = ({ key }: { key: string }): FieldProblem[] =>
  pattern.test(key) && key.length <= maxPermissionKey
    ? []
    : [
        {
          field: 'permissions',
          message: `contains ${key.slice(0, maxPermissionKey)}, which is not a key such as invoices:read`,
        },
      ]

const repeated = (field: string, keys: readonly string[]): FieldProblem[] => {
  const twice = keys.filter((key, at) => keys.indexOf(key) !== at)
  return twice.length > 0 ? [{ field, message: `contains twice: ${shortened(twice)}` }] : []
}

/** Administrators choose a role by its name. */
function nameProblems({ key, name }: { key: string; name: string }): FieldProblem[] {
  const read = readVisibleName(name, maxName)
  return read instanceof SettingProblem ? [{ field: `roles.${key}.name`, message: read.message }] : []
}

/** A permission that is misspelt, retired or of another application would have no effect. */
function roleProblems(
  { key, permissions }: { key: string; permissions: string[] },
  declared: string[],
): FieldProblem[] {
  const known = new Set(declared)
  const unknown = permissions.filter((one) =>
    isPattern(one) ? !declared.some((permission) => coversPermission(one, permission)) : !known.has(one),
  )
  if (unknown.length === 0) return []
  return [{ field: `roles.${key}`, message: `contains permissions that are not declared: ${shortened(unknown)}` }]
}

const shortened = (keys: readonly string[]): string =>
  keys
    .slice(0, 10)
    .map((key) => key.slice(0, maxPermissionKey))
    .join(', ')
