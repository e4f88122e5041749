import { requireUser } from '../../lib/wardenry.js'

// The proxy keeps strangers out; the page asks again, because pages must not depend on a matcher.
export default async function Private() {
  const user = await requireUser('/private')
  return <p>Only for {user.email}</p>
}
