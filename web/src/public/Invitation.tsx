import { session } from '@trainyard/contract/calls/user.ts'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '@trainyard/contract/words/limits.ts'
import { Brand } from './Brand.tsx'

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
        <label>
          New password
          <input
            name="password"
            type="password"
            autoComplete="new-password"
            minLength={PASSWORD_LENGTH_MIN}
            maxLength={PASSWORD_LENGTH_MAX}
            aria-describedby="rule"
            required
          />
        </label>
        <p id="rule" className="dim">
          At least {PASSWORD_LENGTH_MIN} characters; longer is better than stranger.
        </p>
        <label className="tick">
          <input name="show" type="checkbox" /> Show the password
        </label>
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
