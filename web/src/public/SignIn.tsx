import { providerSignIn } from '@trainyard/contract/calls/identity-provider.ts'
import { Brand } from './Brand.tsx'

/** The way to an organisation's own provider, and the page that it sends browsers back to. */
export function SignIn() {
  return (
    <main className="desk alone">
      <Brand />
      <h1>Sign In With Your Organisation</h1>
      <output className="lead">The one of your company, such as Microsoft’s or Google’s.</output>
      <p role="alert" className="banner" hidden />
      <ul hidden />
      <form
        method="post"
        action={`/api${providerSignIn.start.path}`}
        data-finish={`/api${providerSignIn.finish.path}`}
        hidden
      >
        <label>
          E-mail
          <input
            name="email"
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            aria-describedby="rule"
            required
          />
        </label>
        <p id="rule" className="dim">
          Its domain says which organisation you sign in with.
        </p>
        <button data-busy="Asking your organisation...">Continue</button>
      </form>
      <p>
        <a href="/login">Log in with a password</a>
      </p>
      <noscript>
        <p>Trainyard needs JavaScript to sign you in.</p>
      </noscript>
    </main>
  )
}
