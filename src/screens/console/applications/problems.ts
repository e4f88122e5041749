import { maxAddresses } from '../../../applications/read-input.ts'
import { adminTextsFor } from '../../../ui/console/texts/index.ts'
import { type ProblemSentences, translateProblem } from '../../../ui/console/translate-problem.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import type { FormProblems } from '../../../ui/shared/form-problems.ts'
import { problemText } from '../../../ui/shared/problem-text.ts'
import { type PageLanguage, textsFor } from '../../../ui/texts/index.ts'
import { settingSentences } from '../settings/problem-sentence.ts'

const spanish: ProblemSentences = [
  [/^is required$/, 'es obligatorio'],
  [/^must not be empty$/, 'no debe quedar vacío'],
  [/^must be one of (.+)$/, 'debe ser uno de estos valores: $1'],
  [
    /^must have 2 to 40 lowercase letters, .*/,
    'debe tener de 2 a 40 minúsculas, cifras y guiones, y empezar por una letra',
  ],
  [/^belongs to another application, which was deleted$/, 'es de otra aplicación, que se eliminó'],
  [/^belongs to another application$/, 'es de otra aplicación'],
  [
    /^is one too many: APPLICATIONS_MAX allows (\d+) applications$/,
    'sobra: APPLICATIONS_MAX permite $1 aplicaciones como máximo',
  ],
  [
    /^has two secrets, which is the maximum: revoke (\S+) or (\S+) first$/,
    'La aplicación ya tiene dos secretos, que es el máximo: revoca antes $1 o $2',
  ],
  [/^must contain networks such as (\S+), which (".*") is not$/, 'debe contener redes como $1, y $2 no lo es'],
  [/^must contain at least one right$/, 'debe contener al menos un derecho'],
  [/^must not contain more than (\d+) networks$/, 'no debe contener más de $1 redes'],
  [/^must have at most (\d+) characters$/, 'debe tener como máximo $1 caracteres'],
  [/^must not contain control characters$/, 'no debe contener caracteres de control'],
  [/^must be well-formed Unicode$/, 'debe ser texto Unicode válido'],
  [/^must not contain more than (\d+) addresses$/, 'no debe contener más de $1 direcciones'],
  [
    /^must contain origins \((\S+)\), origins with a path \((\S+)\) or app schemes \((\S+)\), which (".*") is not$/,
    'debe contener orígenes ($1), orígenes con una ruta ($2) o esquemas de apps ($3), y $4 no lo es',
  ],
  [
    /^must be on the host of a return address of the application$/,
    'debe estar en el host de una dirección de retorno de la aplicación',
  ],
  [/^must contain origins such as (\S+), which (".*") is not$/, 'debe contener orígenes como $1, y $2 no lo es'],
  [
    /^must not contain wildcards, .*; list each address instead of (".*"), or .*/,
    'no debe contener comodines, porque quien controle un host que coincida podría recibir inicios de sesión: enumera cada dirección en lugar de $1',
  ],
  [
    /^contains (\S+), which requires `development`$/,
    'contiene $1, que solo se acepta en aplicaciones marcadas como de desarrollo',
  ],
  [
    /^must contain a way to sign in that the settings allow: (.*)$/,
    'debe contener una forma de iniciar sesión que permita la configuración: $1',
  ],
  [/^contains (\S+), but must be https$/, 'contiene $1, pero debe ser https'],
  [
    /^contains (\S+), which belongs to the deleted application (\S+)$/,
    'contiene $1, que es de la aplicación eliminada $2',
  ],
  [/^contains (\S+), which belongs to the application (\S+)$/, 'contiene $1, que es de la aplicación $2'],
  [
    /^must be an http or https URL of at most (\d+) characters$/,
    'debe ser una URL http o https de $1 caracteres como máximo',
  ],
  [/^must be an https URL$/, 'debe ser una URL https'],
  [/^must be a URL of at most (\d+) characters$/, 'debe ser una URL de $1 caracteres como máximo'],
  [
    /^is in none of ALLOWED_REDIRECTS, CORS_ORIGINS and FRONTEND_URL$/,
    'no está en ALLOWED_REDIRECTS, CORS_ORIGINS ni FRONTEND_URL',
  ],
  [
    /^belongs to a deleted application: restore it first, or use another key$/,
    'es de una aplicación eliminada: restáurala antes o usa otra clave',
  ],
  [/^must be below one of the return addresses$/, 'debe estar en una de las direcciones de retorno'],
  ...settingSentences,
]

/**
 * The API's messages by form field, in the language of the page, and the sentence above the form. `fieldOf` returns the
 * form's field for a member of the API, because one field of the form can set several members.
 */
export function applicationProblems(
  lang: PageLanguage,
  rejection: ApiRejection | undefined,
  fieldOf: (member: string) => string = (member) => member,
): FormProblems {
  const { applications, rejections } = adminTextsFor(lang)
  const details = rejection?.code === 'VALIDATION_ERROR' ? (rejection.details ?? []) : []
  // The first problem of a field counts. The API names an item of a list by its position.
  const fields = Object.fromEntries(
    details
      .toReversed()
      .map(({ field, message }) => [fieldOf(field.replace(/\..*/, '')), problemSentence(lang, message)]),
  )
  if (details.length > 0) return { top: textsFor(lang).form.problems.fields, fields }
  return { top: problemText(lang, rejection, { ...rejections, ...applications.problems }), fields }
}

function problemSentence(lang: string, message: string): string {
  const [, own = message] = schemaMessages.find(([pattern]) => pattern.test(message)) ?? []
  return translateProblem(lang, own, spanish).text
}

/** Rejections by the schema of the API use its terms. */
const schemaMessages: readonly (readonly [RegExp, string])[] = [
  [/^must not have fewer than 1 items$/, 'must contain at least one right'],
  [/must match pattern/, 'must have 2 to 40 lowercase letters, digits and hyphens, and begin with a letter'],
  [/^must not have more than \d+ items$/, `must not contain more than ${maxAddresses} addresses`],
]
