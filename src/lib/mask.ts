/** `ada@example.com` → `a***@example.com`: enough for its owner to recognise, too little for others to use. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? '***' : `${email.match(/^./su)?.[0]}***${email.slice(at)}`
}

/** `+447700900123` → `***123`. */
export const maskPhone = (phone: string): string => `***${phone.slice(-3)}`
