export type RasterType = 'image/png' | 'image/jpeg' | 'image/webp'
export type Size = [width: number, height: number]

/** The maximum number of pixels on a side. */
export const maxSide = 8192

export const rasterSize = (type: RasterType, bytes: Buffer): Size | undefined => sizes[type](bytes)

const sizes: Record<RasterType, (bytes: Buffer) => Size | undefined> = {
  'image/png': (bytes) => (bytes.length < 24 ? undefined : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]),
  'image/jpeg': sizeOfJpeg,
  'image/webp': sizeOfWebp,
}

function sizeOfWebp(bytes: Buffer): Size | undefined {
  if (bytes.length < 30) return undefined
  const form = bytes.toString('latin1', 12, 16)
  if (form === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
  if (form === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
  const bits = bytes.readUInt32LE(21)
  return form === 'VP8L' ? [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1] : undefined
}

/** The size is in the frame header, SOF0 to SOF15. DHT, JPG and DAC have markers in the same range. */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
  }
  return undefined
}
