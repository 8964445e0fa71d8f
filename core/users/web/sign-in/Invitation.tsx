import { pathOf } from '@trainyard/platform/contract/call.ts'
import { session } from '../../contract/user.ts'
import { Desk } from './Desk.tsx'
import { NewPassword } from './NewPassword.tsx'

export function Invitation() {
  return (
    <Desk title="Set Your Password" purpose="set your password" hidesLinks>
      <output className="lead" data-greeting="">
        Reading your invitation...
      </output>
      <p data-class="" hidden />
      <p role="alert" className="banner" hidden />
      <form
        method="post"
        action={`/api${pathOf(session.setPassword)}`}
        data-invitation={`/api${pathOf(session.invitation)}`}
        hidden
      >
        <input name="email" type="email" autoComplete="username" readOnly hidden />
        <NewPassword />
        <button data-busy="Saving...">Set password and continue</button>
      </form>
      <form method="post" action={`/api${pathOf(session.confirmChange)}`} data-confirm="" hidden>
        <button data-busy="Confirming...">Confirm</button>
      </form>
      <p data-forgot="" hidden>
        <a href="/forgot">Forgot Password?</a>
      </p>
    </Desk>
  )
}
