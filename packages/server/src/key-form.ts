const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyForm = /^wk[ps]_/
const form = /^[a-z]{3}_[0-9A-Za-z]{49}$/
const checksumLength = 6

/** By form and checksum alone, so that a mistyped key causes no request to the service. */
export const isKey = (text: string): boolean => keyForm.test(text) && isCheckedText(text)

/** Whether the text is a prefix and 43 random characters that end in their checksum. */
export const isCheckedText = (text: string): boolean =>
  form.test(text) && checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength)

function checksumOf(text: string): string {
  let rest = crc32(text)
  let encoded = ''
  for (let count = 0; count < checksumLength; count++) {
    encoded = digits[rest % digits.length] + encoded
    rest = Math.floor(rest / digits.length)
  }
  return encoded
}

/** Node.js provides this function only from version 20.15. */
function crc32(text: string): number {
  let sum = ~0
  for (const byte of Buffer.from(text, 'latin1')) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return ~sum >>> 0
}
