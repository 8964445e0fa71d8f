import { session } from '@trainyard/contract/calls/user.ts'
import { Brand } from './Brand.tsx'
import { NewPassword } from './NewPassword.tsx'

export function Invitation() {
  return (
    <main className="desk alone">
      <Brand />
      <h1>Set Your Password</h1>
      <output className="lead" data-greeting="">
        Reading your invitation...
      </output>
      <p role="alert" className="banner" hidden />
      <form
        method="post"
        action={`/api${session.setPassword.path}`}
        data-invitation={`/api${session.invitation.path}`}
        hidden
      >
        <input name="email" type="email" autoComplete="username" readOnly hidden />
        <NewPassword />
        <button data-busy="Saving...">Set password and continue</button>
      </form>
      <p>
        <a href="/login">Go to Login</a>
      </p>
      <noscript>
        <p>Trainyard needs JavaScript to set your password.</p>
      </noscript>
    </main>
  )
}
