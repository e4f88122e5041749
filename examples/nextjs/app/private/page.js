import { requireUser } from '../../lib/wardenry.js'

// The proxy already requires a session. The page checks again in case the matcher misses a path.
export default async function Private() {
  const user = await requireUser('/private')
  return <p>Only for {user.email}</p>
}
