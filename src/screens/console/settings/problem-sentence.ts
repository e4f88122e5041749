import { type ProblemSentences, type ShownProblem, translateProblem } from '../../../ui/console/translate-problem.ts'

export const settingSentences: ProblemSentences = [
  [/^must be true or false$/, 'debe ser true o false'],
  [/^is too long$/, 'es demasiado largo'],
  [
    /^must be 1 to (\d+) visible characters, without control, direction or zero-width characters$/,
    'debe tener de 1 a $1 caracteres visibles, sin caracteres de control, de dirección ni de ancho cero',
  ],
  [
    /^must be an http or https URL without a user name, of at most (\d+) characters$/,
    'debe ser una URL http o https sin nombre de usuario, de $1 caracteres como máximo',
  ],
  [/^(".*") is not one of (.+)$/, '$1 no es uno de estos valores: $2'],
  [/^(".*") is not a country such as (\S+)$/, '$1 no es un país como $2'],
  [/^(".*") already has the rights of an administrator$/, '$1 ya tiene los derechos de un administrador'],
  [/^names a file of (\d+) kB: at most (\d+)$/, 'el archivo tiene $1 kB: el máximo es $2'],
  [/^names an SVG with the element (.+), which is not accepted$/, 'el SVG contiene el elemento $1, que no se admite'],
  [/^names an SVG with an event handler, .*/, 'el SVG contiene un controlador de eventos, que no se admite'],
  [/^names an SVG with an external reference, .*/, 'el SVG contiene una referencia externa, que no se admite'],
  [/^names an SVG with an entity .*/, 'el SVG declara una entidad u otro elemento en su tipo de documento'],
  [/^names an SVG with an XML error in line (\d+), .*/, 'el SVG tiene un error de XML en la línea $1'],
  [/^names an SVG with (the|an) encoding .*/, 'el SVG no está codificado en UTF-8'],
  [/^names an SVG with more than (\d+) elements, .*/, 'el SVG tiene más de $1 elementos'],
  [/^names a picture without dimensions$/, 'la imagen no indica sus dimensiones'],
  [/^names a picture with more than (\d+) pixels on a side$/, 'la imagen tiene un lado de más de $1 píxeles'],
  [/^must be one of (.+)$/, 'debe ser uno de estos valores: $1'],
  [/^must be a whole number from (\S+) to (\S+)$/, 'debe ser un número entero de $1 a $2'],
  [/^must be a duration from (\S+) to (\S+), such as (\S+)$/, 'debe ser una duración de $1 a $2, como $3'],
  [/^must be attempts\/window, such as (.+)$/, 'debe ser intentos/período, como $1'],
  [/^must be a colour such as (\S+)$/, 'debe ser un color como $1'],
  [/^must begin with (.+)$/, 'debe empezar por $1'],
  [/^must be an http\(s\) address without query$/, 'debe ser una dirección http(s) sin parámetros'],
  [/^(".*") is not an origin such as (\S+)$/, '$1 no es un origen como $2'],
  [/^(".*") is not a user type such as (\S+)$/, '$1 no es un tipo de usuario como $2'],
  [
    /^[A-Z_]+ names (.+): not a user type\. The user types are (.+)$/,
    '$1 no es un tipo de usuario. Los tipos de usuario son $2',
  ],
  [
    /^must not be empty; to remove the value, reset the setting$/,
    'no debe quedar vacío; para quitar el valor, restablece el ajuste',
  ],
  [/^must be one line without control characters$/, 'debe ser una línea sin caracteres de control'],
  [/^must be an SVG, PNG or WebP picture$/, 'debe ser una imagen SVG, PNG o WebP'],
  [
    /^would leave (\d+) users? without a way to sign in: .*/,
    'dejaría sin forma de iniciar sesión a esta cantidad de usuarios: $1',
  ],
  [
    /^would leave you without a way to sign in: .*/,
    'te dejaría sin forma de iniciar sesión: antes añade otra, como una cuenta vinculada o tu correo confirmado',
  ],
  [
    /^would leave no superadmin who can sign in: .*/,
    'ningún superadministrador podría iniciar sesión: antes uno de ellos debe elegir una contraseña, vincular una cuenta o confirmar su correo',
  ],
  [
    /^PASSWORDS_ENABLED=false leaves no superadmin who can sign in: .*/,
    'ningún superadministrador podría iniciar sesión: antes uno de ellos debe añadir una llave de acceso, vincular una cuenta o confirmar su correo',
  ],
  [
    /^PASSWORDS_ENABLED=false leaves no way to sign in: .*/,
    'no quedaría ninguna forma de iniciar sesión: define TOKEN_LOGIN_ENABLED=true, configura un proveedor o activa las llaves de acceso',
  ],
  [
    /^PASSWORDS_ENABLED=false cannot be combined with CLIENT_COMPAT=true: .*/,
    'no se puede combinar con CLIENT_COMPAT=true: los clientes antiguos inician sesión con contraseña',
  ],
  [/^is set in the environment: remove it there first$/, 'está definido en el entorno: quítalo de allí primero'],
]

/** A problem with the value of a setting, in the language of the page. */
export function problemSentence(lang: string, message: string): ShownProblem {
  const shown = translateProblem(lang, message, settingSentences)
  // The API also describes files that the environment names.
  return shown.lang === 'en' ? { ...shown, text: shown.text.replace(/^Names (an?) /, 'This is $1 ') } : shown
}
