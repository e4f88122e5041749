import { protect } from '@wardenry/server/next'
import { wardenry } from './lib/wardenry.js'

// Handles /sign-in, /sign-in/callback and /sign-out, and requires a session for /private.
export const proxy = protect(wardenry)

export const config = { matcher: ['/sign-in/:path*', '/sign-out', '/private/:path*'] }
