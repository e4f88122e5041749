import { type ProblemSentences, type ShownProblem, translateProblem } from '../../../../ui/console/translate-problem.ts'

const spanish: ProblemSentences = [
  [/^must not be empty$/, 'no debe quedar vacío'],
  [
    /^must not be empty; leave it out to generate it from the text$/,
    'no debe quedar vacío; omítelo para generarlo a partir del texto',
  ],
  [/^must be empty, because this is a text message$/, 'debe quedar vacío, porque es un SMS'],
  [/^must have at most (\d+) characters$/, 'debe tener como máximo $1 caracteres'],
  [/^must not contain line breaks$/, 'no debe contener saltos de línea'],
  [/^must not contain control characters$/, 'no debe contener caracteres de control'],
  [/^must not contain the character U\+0000$/, 'no debe contener el carácter U+0000'],
  [/^must be well-formed Unicode$/, 'debe ser texto Unicode válido'],
  [
    /^must not contain invisible characters or special spaces$/,
    'no debe contener caracteres invisibles ni espacios especiales',
  ],
  [
    /^must end with the line ("@.+"), from which phones read the code$/,
    'debe terminar con la línea $1, de la que los teléfonos leen el código',
  ],
  [/^must contain (\S+) or (\S+)$/, 'debe contener $1 o $2'],
  [/^must contain (\S+)$/, 'debe contener $1'],
  [
    /^contains (".*"), which is not a placeholder such as (\S+)$/s,
    'contiene $1, que no es un marcador de posición como $2',
  ],
  [/^contains (\{\{\w+\}\}), which is unknown here; use (.+)$/, 'contiene $1, que no existe aquí; usa $2'],
  [/^contains (\{\{\w+\}\}), which is unknown here$/, 'contiene $1, que no existe aquí'],
  [
    /^contains (".*"), which is not a tag; write &lt; for <$/s,
    'contiene $1, que no es una etiqueta; escribe &lt; en lugar de <',
  ],
  [/^contains (&.+;); write the character itself$/, 'contiene $1; escribe el propio carácter'],
  [/^must not contain (<.+>); allowed are (.+)$/, 'no debe contener $1; se permiten $2'],
  [/^(<.+>) closes no (<.+>)$/, '$1 no cierra ningún $2'],
  [/^(<.+>) is not closed$/, '$1 no está cerrado'],
  [/^must not be nested more than (\d+) levels deep$/, 'no debe anidarse a más de $1 niveles'],
  [/^(<.+>) must not have the class (".*")$/s, '$1 no debe tener la clase $2'],
  [/^(<.+>) must not have (".*")$/, '$1 no debe tener $2'],
  [/^(<.+>) must have "href"$/, '$1 debe tener "href"'],
  [/^(<.+>) has (".*") twice$/, '$1 tiene $2 dos veces'],
  [
    /^"href" must be one placeholder or a URL without placeholders$/,
    '"href" debe ser un solo marcador de posición o una URL sin marcadores de posición',
  ],
  [/^"href" must be an https URL$/, '"href" debe ser una URL https'],
  [
    /^must be an http or https URL of at most (\d+) characters$/,
    'debe ser una URL http o https de $1 caracteres como máximo',
  ],
  [/^must link only to https URLs$/, 'debe enlazar solo a URL https'],
  [
    /^must have white space before and after the placeholder of a link$/,
    'debe tener un espacio antes y después del marcador de posición de un enlace',
  ],
  [/^must not have a placeholder within a URL$/, 'no debe tener un marcador de posición dentro de una URL'],
  [/^must not have a link inside another link$/, 'no debe tener un enlace dentro de otro'],
  [/^must not have a link without text$/, 'no debe tener un enlace sin texto'],
  [
    /^must not show (.+) as the text of a link to another address$/,
    'no debe mostrar $1 como texto de un enlace a otra dirección',
  ],
]

/** A problem of a message template, in the language of the page. */
export const templateProblem = (lang: string, message: string): ShownProblem => translateProblem(lang, message, spanish)
