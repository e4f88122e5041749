import { buffer } from 'node:stream/consumers'
import { maxSide, problemOfSize } from './image-size.ts'

/** `refused`: the picture is not acceptable. `failed`: this machine cannot encode pictures. */
export type EncodeResult = { picture: Uint8Array; thumbnail: Uint8Array } | { refused: string } | { failed: string }

/** Maximum side lengths in pixels. The parent process passes the picture's side length as an argument. */
const sides = { picture: Number(process.argv[2] ?? 1024), thumbnail: 96 }
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((kind) => `VipsForeignLoad${kind}Buffer`)

// Supervisors signal all processes of the service. This process finishes its request and is ended by its parent.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.send?.(await encode(await buffer(process.stdin)))

async function encode(bytes: Uint8Array): Promise<EncodeResult> {
  const sharp = await loadSharp().catch((error: Error) => error)
  process.send?.('begins')
  if (sharp instanceof Error) return { failed: sharp.message }
  try {
    const refused = problemOfSize(await sharp(bytes, { limitInputPixels: false }).metadata())
    if (refused) return { refused }
    const options = { limitInputPixels: maxSide * maxSide, failOn: 'error' } as const
    const within = { width: sides.picture, height: sides.picture, fit: 'inside', withoutEnlargement: true } as const
    // Applies the orientation from the metadata, and then removes the metadata.
    const picture = await sharp(bytes, options).autoOrient().resize(within).webp({ quality: 82 }).toBuffer()
    const square = { width: sides.thumbnail, height: sides.thumbnail, fit: 'cover' } as const
    return { picture, thumbnail: await sharp(picture).resize(square).webp({ quality: 82 }).toBuffer() }
  } catch {
    return { refused: 'cannot be read: the file is damaged or of another type' }
  }
}

async function loadSharp() {
  const { default: sharp } = await import('sharp').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error('STORAGE_URL needs the package "sharp", which is not installed: run npm install sharp')
  })
  sharp.concurrency(1)
  // Disables all decoders except those in `loaders`.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: loaders })
  return sharp
}
