/** `ada@example.com` becomes `a***@example.com`: recognizable for its owner only. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? '***' : `${email.match(/^./su)?.[0]}***${email.slice(at)}`
}

/** `+447700900123` becomes `***123`. */
export const maskPhone = (phone: string): string => `***${phone.slice(-3)}`
