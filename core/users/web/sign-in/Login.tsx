import { pathOf } from '@trainyard/platform/contract/call.ts'
import { session } from '../../contract/user.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { Brand } from './Brand.tsx'
import { Partners } from './Partners.tsx'
import { PrivacyLink } from '@trainyard/platform/web/public/PrivacyLink.tsx'
import { Testimonials } from './Testimonials.tsx'
import { TrackPlan } from './TrackPlan.tsx'

export function Login({ secondStep }: { secondStep: string }) {
  return (
    <div className="split">
      <main className="desk">
        <Brand />
        <h1>Login</h1>
        <p className="lead">Cloud training labs, on time.</p>
        <form
          method="post"
          action={`/api${pathOf(session.login)}`}
          data-failed={ALERTS.loginFailed}
          data-second={secondStep}
        >
          <p role="alert" className="banner" hidden />
          <label>
            Username
            <input
              name="email"
              type="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
          </label>
          <label>
            Password
            <input name="password" type="password" autoComplete="current-password" required />
          </label>
          <button data-busy="Logging in...">Login</button>
          <button type="button" className="plain" name="passkey">
            Sign in with a passkey
          </button>
        </form>
        <p>
          <a href="/sign-in">Sign in with your organisation</a>
        </p>
        <noscript>
          <p>Trainyard needs JavaScript to sign you in.</p>
        </noscript>
        <p>
          <a href="/forgot">Forgot Password?</a>
        </p>
        <p>
          <a href="/welcome">New here? See what Trainyard offers</a>
        </p>
        <PrivacyLink />
        <Partners />
      </main>
      <aside className="track-plan" aria-label="What others say">
        <TrackPlan />
        <Testimonials />
      </aside>
    </div>
  )
}
