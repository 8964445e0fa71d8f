import { pathOf } from '@trainyard/platform/contract/call.ts'
import { registration } from '../contract/registration.ts'
import { NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { Brand } from '@trainyard/users/web/sign-in/Brand.tsx'
import { NewPassword } from '@trainyard/users/web/sign-in/NewPassword.tsx'
import { PrivacyLink } from '@trainyard/platform/web/public/PrivacyLink.tsx'

/** Ways in which a new user can log in. */
const METHODS = [
  ['password', 'A password'],
  ['passkey', 'A passkey'],
  ['both', 'A password and a passkey'],
] as const

/** Page of a registration link. The script shows one form at a time. */
export const Join = ({ secondStep }: { secondStep: string }) => (
  <main
    className="desk alone"
    data-read={`/api${pathOf(registration.read)}`}
    data-mine={`/api${pathOf(registration.mine)}`}
    data-confirmation={`/api${pathOf(registration.confirmation)}`}
    data-passkey={`/api${pathOf(registration.beginPasskey)}`}
    data-second={secondStep}
  >
    <Brand />
    <h1>Register</h1>
    <output className="lead">Reading the registration link...</output>
    <p role="alert" className="banner" hidden />

    <form name="code" hidden>
      <label>
        Registration code
        <input name="code" autoComplete="off" autoCapitalize="none" spellCheck={false} required />
      </label>
      <button data-busy="Opening...">Open</button>
    </form>

    <form name="account" method="post" action={`/api${pathOf(registration.requestAccount)}`} hidden>
      <h2>Create an account</h2>
      <label>
        E-mail
        <input
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          aria-describedby="mailed"
          required
        />
      </label>
      <p id="mailed" className="dim">
        You receive an e-mail with a link to create the account.
      </p>
      <button data-busy="Sending...">Send the e-mail</button>
    </form>
    <ul className="ways" data-ways="" hidden>
      <li>
        <a href="/login">I have an account: log in with a password or a passkey</a>
      </li>
      <li>
        <a href="/sign-in">Sign in with your organisation</a>
      </li>
    </ul>

    <form name="confirm" method="post" action={`/api${pathOf(registration.createAccount)}`} hidden>
      <input name="email" type="email" autoComplete="username" readOnly hidden />
      <fieldset data-methods="" hidden>
        <legend>Log in with</legend>
        {METHODS.map(([value, label], index) => (
          <label key={value} className="tick">
            <input type="radio" name="method" value={value} defaultChecked={index === 0} />
            {label}
          </label>
        ))}
        <p className="dim">
          Your device or password manager stores the passkey. You confirm it with a fingerprint, your face or a PIN.
        </p>
      </fieldset>
      <div className="fields" data-password="">
        <NewPassword />
      </div>
      <button data-busy="Creating the account...">Create the account</button>
    </form>

    <form name="codes" hidden>
      <h2>Recovery codes</h2>
      <p>
        If you lose the passkey, log in with your password and one of these codes. If you have no password, set one with{' '}
        <strong>Forgot Password?</strong> first. Each code works once. Store them now: they are not shown again.
      </p>
      <ol aria-label="Recovery codes" />
      <button data-busy="Continuing...">I have saved them</button>
    </form>

    <form name="seat" method="post" action={`/api${pathOf(registration.takeSeat)}`} hidden>
      <label data-name="">
        <span>Your name</span>
        <input name="name" autoComplete="name" maxLength={NAME_LENGTH} />
      </label>
      <label className="tick" data-pseudonym="">
        <input name="pseudonym" type="checkbox" /> This is a pseudonym
      </label>
      <button data-busy="Registering...">Take a seat</button>
    </form>

    <footer hidden>
      <p data-signed-in="" hidden>
        <span /> <a href="/logout">Log out</a>
      </p>
      <p>
        <a href="/">Go to Home</a>
      </p>
      <PrivacyLink />
    </footer>
    <noscript>
      <p>Trainyard needs JavaScript to register you.</p>
    </noscript>
  </main>
)
