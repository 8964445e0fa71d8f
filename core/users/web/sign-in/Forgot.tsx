import { pathOf } from '@trainyard/platform/contract/call.ts'
import { session } from '../../contract/user.ts'
import { Desk } from './Desk.tsx'

export function Forgot() {
  return (
    <Desk title="Forgot Password" purpose="send you a link">
      <p className="lead">Enter the e-mail that you sign in with. We will send you a link to set a new password.</p>
      <p role="alert" className="banner" hidden />
      <output className="lead" data-sent="" />
      <form method="post" action={`/api${pathOf(session.forgot)}`}>
        <label>
          Username
          <input name="email" type="email" autoComplete="username" autoCapitalize="none" spellCheck={false} required />
        </label>
        <button data-busy="Sending...">Send the link</button>
      </form>
    </Desk>
  )
}
