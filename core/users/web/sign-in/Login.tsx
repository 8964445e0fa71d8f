import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { RefusalOf } from '@trainyard/platform/contract/call.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { ApiError } from '@trainyard/platform/web/api/error.ts'
import { PrivacyLink } from '@trainyard/platform/web/public/PrivacyLink.tsx'
import { FillsOf } from '@trainyard/platform/web/shell/FillsOf.tsx'
import type { session } from '../../contract/user.ts'
import { Brand } from './Brand.tsx'
import { Banner, EmailField, fieldOf, ShowCharacters, useSubmit } from './form.tsx'
import { Partners } from './Partners.tsx'
import { enter } from './signed-in.ts'
import { loginSecondStep, loginWays } from './slots.ts'
import { Testimonials } from './Testimonials.tsx'
import { TrackPlan } from './TrackPlan.tsx'

type SecondStep = RefusalOf<typeof session.login>

export default function Login() {
  const form = useRef<HTMLFormElement>(null)
  const [secondStep, setSecondStep] = useState<SecondStep | null>(null)
  const [isShown, setShown] = useState(false)
  const selectPassword = () => fieldOf(form.current!, 'password').select()
  const { isBusy, problem, setProblem, onSubmit } = useSubmit(
    async (fields) => {
      const body = { email: fieldOf(fields, 'email').value.trim(), password: fieldOf(fields, 'password').value }
      try {
        enter(await api.session.login(body))
      } catch (error) {
        if (error instanceof ApiError && error.code === 'secondFactor') return setSecondStep(error.reply as SecondStep)
        selectPassword()
        throw error
      }
    },
    { needsSiteData: true, failed: ALERTS.loginFailed },
  )
  useEffect(() => {
    api.session.isSetUpOpen().then(
      ({ message }) => message !== null && setProblem(message),
      // The log-in says it too.
      () => {},
    )
  }, [setProblem])
  const back = (sentence: string) => {
    flushSync(() => {
      setSecondStep(null)
      setProblem(sentence)
    })
    selectPassword()
  }
  return (
    <div className="split">
      <main className="desk">
        <Brand />
        <h1>Login</h1>
        <p className="lead">Cloud training labs, on time.</p>
        <form ref={form} method="post" onSubmit={onSubmit} hidden={secondStep !== null}>
          <EmailField label="Username" />
          <label>
            Password
            <input
              name="password"
              type={isShown ? 'text' : 'password'}
              autoComplete="current-password"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
          </label>
          <ShowCharacters show={setShown} />
          <button disabled={isBusy}>{isBusy ? 'Logging in...' : 'Login'}</button>
          <Banner text={problem} />
          <FillsOf of={loginWays} props={{ entered: enter, fail: setProblem }} />
        </form>
        {secondStep !== null && <FillsOf of={loginSecondStep} props={{ step: secondStep, entered: enter, back }} />}
        <p>
          <a
            href="/sign-in"
            onClick={({ currentTarget }) => {
              currentTarget.search = location.search
              currentTarget.hash = fieldOf(form.current!, 'email').value.trim()
            }}
          >
            Sign in with your organisation
          </a>
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
