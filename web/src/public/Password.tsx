import { account } from '@trainyard/contract/calls/account.ts'
import { PASSWORD_LENGTH_MAX } from '@trainyard/contract/words/limits.ts'
import { Brand } from './Brand.tsx'
import { NewPassword } from './NewPassword.tsx'

/** Leads who was given a password to one of their own, before anything else. */
export function Password() {
  return (
    <main className="desk alone">
      <Brand />
      <h1>Change Your Password</h1>
      <p className="lead">
        Your password was given to you. Your organisation wants you to choose one that nobody else knows.
      </p>
      <p role="alert" className="banner" hidden />
      <form method="post" action={`/api${account.changePassword.path}`}>
        <input name="email" type="email" autoComplete="username" readOnly hidden />
        <label>
          Present password
          <input
            name="present"
            type="password"
            autoComplete="current-password"
            maxLength={PASSWORD_LENGTH_MAX}
            required
          />
        </label>
        <NewPassword />
        <button data-busy="Saving...">Change password and continue</button>
      </form>
      <p>
        <a href="/logout">Logout</a>
      </p>
      <noscript>
        <p>Trainyard needs JavaScript to change your password.</p>
      </noscript>
    </main>
  )
}
