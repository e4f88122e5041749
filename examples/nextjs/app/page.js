import { currentUser } from '../lib/wardenry.js'

export default async function Home() {
  const user = await currentUser()
  if (!user) return <a href="/sign-in">Sign in</a>
  return (
    <>
      <p>Hello {user.email}</p>
      <form method="post" action="/sign-out">
        <button type="submit">Sign out</button>
      </form>
    </>
  )
}
