import { createWardenry } from '@wardenry/server'
import { serverComponents } from '@wardenry/server/next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'

const { APP_URL = 'http://127.0.0.1:4000', WARDENRY_URL = 'http://localhost:3000', BRIDGE_SECRET } = process.env

export const wardenry = createWardenry({ url: WARDENRY_URL, bridgeSecret: BRIDGE_SECRET, appUrl: APP_URL })

export const { currentUser, requireUser } = serverComponents(wardenry, { headers, redirect })
