/** What the header of a picture says, before anything of it is decoded. */
export interface ImageHeader {
  format: string
  width: number
  height: number
  channels?: number | undefined
  /** `ushort` for 16 bits a channel. */
  depth?: string | undefined
  chromaSubsampling?: string | undefined
  /** A progressive JPEG or an interlaced PNG. */
  isProgressive?: boolean | undefined
  pages?: number | undefined
}

export const maxSide = 8192
const maxMemoryBytes = 256 * 1024 * 1024

/** A sentence when a picture would cost too much to decode. */
export function problemOfSize(header: ImageHeader): string | undefined {
  if (header.width > maxSide || header.height > maxSide) return `must be at most ${maxSide} × ${maxSide} pixels`
  if (memoryFor(header) > maxMemoryBytes) return 'is too large for its kind: save it without interlacing or animation'
  return undefined
}

/**
 * Most pictures are decoded a few lines at a time. Progressive, interlaced and animated ones are held whole, and a few
 * hundred bytes can ask for half a gigabyte.
 */
function memoryFor({ format, width, height, channels = 4, depth, chromaSubsampling, ...header }: ImageHeader): number {
  const pixels = width * height
  if (format === 'gif' || (header.pages ?? 1) > 1) return pixels * 4
  if (!header.isProgressive) return 0
  if (format === 'png') return pixels * channels * (depth === 'ushort' ? 2 : 1)
  return pixels * channels * (chromaSubsampling === '4:2:0' ? 1 : 2)
}
