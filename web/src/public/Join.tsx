import { registration } from '@trainyard/contract/calls/registration.ts'
import { NAME_LENGTH } from '@trainyard/contract/words/limits.ts'
import { Brand } from './Brand.tsx'
import { NewPassword } from './NewPassword.tsx'
import { PrivacyLink } from './PrivacyLink.tsx'

/** Page of a registration link. The script shows one form at a time. */
export const Join = () => (
  <main
    className="desk alone"
    data-read={`/api${registration.read.path}`}
    data-mine={`/api${registration.mine.path}`}
    data-confirmation={`/api${registration.confirmation.path}`}
  >
    <Brand />
    <h1>Register</h1>
    <output className="lead">Reading the registration link...</output>
    <p role="alert" className="banner" hidden />

    <form name="code" hidden>
      <label>
        Registration code
        <input name="code" autoComplete="off" autoCapitalize="none" spellCheck={false} maxLength={40} required />
      </label>
      <button data-busy="Opening...">Open</button>
    </form>

    <form name="account" method="post" action={`/api${registration.requestAccount.path}`} hidden>
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
        You receive an e-mail with a link to choose a password.
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

    <form name="confirm" method="post" action={`/api${registration.createAccount.path}`} hidden>
      <input name="email" type="email" autoComplete="username" readOnly hidden />
      <NewPassword />
      <button data-busy="Saving...">Set password and continue</button>
    </form>

    <form name="seat" method="post" action={`/api${registration.takeSeat.path}`} hidden>
      <label data-name="">
        <span>Your name</span>
        <input name="name" autoComplete="name" maxLength={NAME_LENGTH} />
      </label>
      <label className="tick" data-pseudonym="">
        <input name="pseudonym" type="checkbox" /> This is a pseudonym
      </label>
      <button data-busy="Registering...">Take a seat</button>
    </form>

    <p data-signed-in="" hidden>
      <span /> <a href="/logout">Log out</a>
    </p>
    <p>
      <a href="/">Go to Home</a>
    </p>
    <PrivacyLink />
    <noscript>
      <p>Trainyard needs JavaScript to register you.</p>
    </noscript>
  </main>
)
