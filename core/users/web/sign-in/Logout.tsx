import { useEffect } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { readSignOut } from '@trainyard/platform/web/session/session.ts'
import { Brand } from './Brand.tsx'

/** Timeout of the logout call, in ms: an unreachable portal must not keep the user signed in here. */
const TIMEOUT_MS = 2000

export default function Logout() {
  useEffect(() => {
    const redirect = readSignOut() ?? '/login'
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const ended = api.session.logout(undefined, { signal, staysOnPage: true, outlivesPage: true })
    localStorage.clear()
    void ended.catch(() => undefined).then(() => location.replace(redirect))
  }, [])
  return (
    <main className="desk alone">
      <Brand />
      <h1>Logout</h1>
      <output className="lead">Signing you out...</output>
      <p>
        <a href="/login">Go to Login</a>
      </p>
    </main>
  )
}
