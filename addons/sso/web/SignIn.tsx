import { pathOf } from '@trainyard/platform/contract/call.ts'
import { providerSignIn } from '../contract/identity-provider.ts'
import { Desk } from '@trainyard/users/web/sign-in/Desk.tsx'

/** Sign-in with the organisation's identity provider, and the redirect target of the provider. */
export function SignIn() {
  return (
    <Desk
      title="Sign In With Your Organisation"
      link={{ to: '/login', text: 'Log in with a password' }}
      purpose="sign you in"
      hidesLinks
    >
      <output className="lead">Use your company account, for example Microsoft or Google.</output>
      <p role="alert" className="banner" hidden />
      <ul hidden />
      <form
        method="post"
        action={`/api${pathOf(providerSignIn.start)}`}
        data-finish={`/api${pathOf(providerSignIn.finish)}`}
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
          The domain of the e-mail selects your organisation.
        </p>
        <button data-busy="Contacting your organisation...">Continue</button>
      </form>
    </Desk>
  )
}
