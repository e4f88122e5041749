const certificateCodes =
  /^(CERT_|UNABLE_TO_(GET|VERIFY|DECODE|DECRYPT)_|DEPTH_ZERO_|SELF_SIGNED_CERT|ERR_TLS_CERT_|INVALID_(CA|PURPOSE)|HOSTNAME_MISMATCH)/

export const isCertificateError = (code: string): boolean => certificateCodes.test(code)

/** The sentence contains no other part of the URL than the host. */
export function failureSentence(error: unknown, host: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code.startsWith('HPE_') || isUnrepresentable(error)) return `${host} sent an invalid response`
  if (isCertificateError(code)) return `the certificate of ${host} is not valid: ${code}`
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return `the TLS handshake with ${host} failed: ${code}`
  if (code === 'ECONNREFUSED') return `${host} refused the connection: no program listens on this port`
  if (code === 'ECONNRESET' || code === 'EPIPE') return `${host} closed the connection before it had answered`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host name of ${host} cannot be resolved`
  return `${host} cannot be reached`
}

/** `Response` and `Headers` reject statuses and headers that HTTP does not permit. */
const isUnrepresentable = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof TypeError && !('code' in error))
