import type { PageLanguage } from '../../../../ui/texts/index.ts'

/** Spanish sentences. Each pattern matches a whole detail: hosts, parameters and rights need no translation. */
const spanish: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [/^(\S+) must be requested with https$/, '$1 se debe solicitar con https'],
  [/^(\S+) is not a public address$/, '$1 no es una dirección pública'],
  [/^(\S+) has no public address$/, '$1 no tiene ninguna dirección pública'],
  [/^(\S+) is not an allowed host$/, '$1 no es un host permitido'],
  [/^too many requests to (\S+) are waiting$/, 'hay demasiadas solicitudes en espera para $1'],
  [/^(\S+) did not respond in time$/, '$1 no respondió a tiempo'],
  [/^(\S+) sent an invalid response$/, '$1 envió una respuesta no válida'],
  [/^(\S+) sent more than (\d+) bytes$/, '$1 envió más de $2 bytes'],
  [/^(\S+) switched protocols$/, '$1 cambió de protocolo'],
  [/^the certificate of (\S+) is not valid: (\S+)$/, 'el certificado de $1 no es válido: $2'],
  [/^the TLS handshake with (\S+) failed: (\S+)$/, 'la negociación TLS con $1 falló: $2'],
  [
    /^(\S+) refused the connection: no program listens on this port$/,
    '$1 rechazó la conexión: ningún programa escucha en este puerto',
  ],
  [/^(\S+) closed the connection before it had answered$/, '$1 cerró la conexión antes de responder'],
  [/^the host name of (\S+) cannot be resolved$/, 'no se puede resolver el nombre de host $1'],
  [/^(\S+) cannot be reached$/, 'no se puede conectar con $1'],
  [/^Invalid session$/, 'la sesión no es válida'],
]

/** The detail of a step in the language of the page. */
export function translateDetail(lang: PageLanguage, detail: string): string {
  const found = lang === 'es' ? spanish.find(([pattern]) => pattern.test(detail)) : undefined
  return found ? detail.replace(found[0], found[1]) : detail
}
