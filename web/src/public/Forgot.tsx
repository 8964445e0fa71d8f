import { session } from '@trainyard/contract/calls/user.ts'
import { Brand } from './Brand.tsx'

export function Forgot() {
  return (
    <main className="desk alone">
      <Brand />
      <h1>Forgot Password</h1>
      <p className="lead">Enter the e-mail that you sign in with. We will send you a link to set a new password.</p>
      <p role="alert" className="banner" hidden />
      <output className="lead" data-sent="" />
      <form method="post" action={`/api${session.forgot.path}`}>
        <label>
          Username
          <input name="email" type="email" autoComplete="username" autoCapitalize="none" spellCheck={false} required />
        </label>
        <button data-busy="Sending...">Send the link</button>
      </form>
      <p>
        <a href="/login">Go to Login</a>
      </p>
      <noscript>
        <p>Trainyard needs JavaScript to send you a link.</p>
      </noscript>
    </main>
  )
}
