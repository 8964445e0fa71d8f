import { pathOf } from '@trainyard/platform/contract/call.ts'
import { account } from '../../contract/account.ts'
import { PASSWORD_LENGTH_MAX } from '@trainyard/platform/contract/words/limits.ts'
import { Desk } from './Desk.tsx'
import { NewPassword } from './NewPassword.tsx'

export function Password() {
  return (
    <Desk title="Change Your Password" link={{ to: '/logout', text: 'Logout' }} purpose="change your password">
      <p className="lead">
        Your password was set by someone else. Your organisation requires you to choose a new one that only you know.
      </p>
      <p role="alert" className="banner" hidden />
      <form method="post" action={`/api${pathOf(account.changePassword)}`}>
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
    </Desk>
  )
}
