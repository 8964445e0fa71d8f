import { account } from '@trainyard/contract/calls/account.ts'
import { PASSWORD_LENGTH_MAX } from '@trainyard/contract/words/limits.ts'
import { Brand } from './Brand.tsx'
import { NewPassword } from './NewPassword.tsx'

/** Page on which a user with an assigned password must choose a new one. */
export function Password() {
  return (
    <main className="desk alone">
      <Brand />
      <h1>Change Your Password</h1>
      <p className="lead">
        Your password was set by someone else. Your organisation requires you to choose a new one that only you know.
      </p>
      <p role="alert" className="banner" hidden />
      <form method="post" action={`/api${account.changePassword.path}`}>
        <input name="email" type="email" autoComplete="username" readOnly hidden />
        <label>
          Current password
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
