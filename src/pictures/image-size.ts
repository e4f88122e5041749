/** The properties in the file header, which can be read without decoding the picture. */
export interface ImageHeader {
  format: string
  width: number
  height: number
  channels?: number
  /** `ushort`: 16 bits per channel. */
  depth?: string
  chromaSubsampling?: string | undefined
  /** Progressive JPEG or interlaced PNG. */
  isProgressive?: boolean
  pages?: number | undefined
}

export const maxSide = 8192
const maxMemoryBytes = 256 * 1024 * 1024

export function problemOfSize(header: ImageHeader): string | undefined {
  if (header.width > maxSide || header.height > maxSide) return `must be at most ${maxSide} × ${maxSide} pixels`
  if (memoryFor(header) > maxMemoryBytes)
    return 'is too large for this image type: save it without interlacing or animation'
  return undefined
}

/** Decoders keep progressive, interlaced and animated pictures in memory, so small files may need gigabytes. */
function memoryFor({ format, width, height, channels = 4, depth, chromaSubsampling, ...header }: ImageHeader): number {
  const pixels = width * height
  if (format === 'gif' || (header.pages ?? 1) > 1) return pixels * 4
  if (!header.isProgressive) return 0
  if (format === 'png') return pixels * channels * (depth === 'ushort' ? 2 : 1)
  return pixels * channels * (chromaSubsampling === '4:2:0' ? 1 : 2)
}
