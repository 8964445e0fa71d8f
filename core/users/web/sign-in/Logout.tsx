import { pathOf } from '@trainyard/platform/contract/call.ts'
import { session } from '../../contract/user.ts'
import { Brand } from './Brand.tsx'

export function Logout() {
  return (
    <main className="desk alone" data-logout={`/api${pathOf(session.logout)}`}>
      <Brand />
      <h1>Logout</h1>
      <output className="lead">Signing you out...</output>
      <p>
        <a href="/login">Go to Login</a>
      </p>
    </main>
  )
}
