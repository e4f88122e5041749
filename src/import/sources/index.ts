import type { Source } from './source.ts'
import { wardenry } from './wardenry.ts'

export const sources: readonly Source[] = [wardenry]
