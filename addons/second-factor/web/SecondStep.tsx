import { useEffect, useRef, useState } from 'react'
import type { BodyOf, RefusalOf } from '@trainyard/platform/contract/call.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { ApiError, messageOf } from '@trainyard/platform/web/api/error.ts'
import type { session } from '@trainyard/users/contract/user.ts'
import { Banner, fieldOf, useSubmit } from '@trainyard/users/web/sign-in/form.tsx'
import type { SignedIn } from '@trainyard/users/web/sign-in/signed-in.ts'
import type { secondLogin } from '../contract/second-factor.ts'
import { getPasskeyAssertion, NO_PASSKEY } from './browser-passkey.ts'

const CODES = {
  totp: {
    label: 'Code from your authenticator app',
    attributes: { inputMode: 'numeric', autoComplete: 'one-time-code' },
    other: 'Use a recovery code',
  },
  recovery: {
    label: 'Recovery code',
    attributes: { inputMode: 'text', autoComplete: 'off', placeholder: 'XXXX-XXXX-XXXX-XXXX-XXXX-XXXX' },
    other: 'Use the authenticator app',
  },
} as const

interface SecondStepProps {
  step: RefusalOf<typeof session.login>
  entered: (reply: SignedIn) => void
  back: (sentence: string) => void
}

/** Requests a code or a passkey after a correct password. */
export default function SecondStep({ step: { challenge, ways, passkey }, entered, back }: SecondStepProps) {
  const codeWays = (['totp', 'recovery'] as const).filter((way) => ways.includes(way))
  const [way, setWay] = useState<keyof typeof CODES>(codeWays[0] ?? 'recovery')
  const input = useRef<HTMLInputElement>(null)
  const send = async (answer: Omit<BodyOf<typeof secondLogin.loginSecond>, 'challenge'>) => {
    try {
      entered(await api.session.loginSecond({ challenge, ...answer }))
    } catch (error) {
      // The challenge has ended, so the user starts again with the password.
      if (error instanceof ApiError && error.code === 'signedOut') return back(error.message)
      input.current?.select()
      throw error
    }
  }
  const { isBusy, problem, setProblem, onSubmit } = useSubmit((form) => send({ code: fieldOf(form, 'code').value }))
  const askForPasskey = () => {
    setProblem('')
    getPasskeyAssertion(passkey!, NO_PASSKEY)
      .then((assertion) => send({ assertion }))
      .catch((error: unknown) => setProblem(messageOf(error)))
  }
  // The passkey is requested at once if the user has no authenticator app.
  useEffect(() => {
    if (!ways.includes('totp') && ways.includes('passkey')) askForPasskey()
    // oxlint-disable-next-line react/exhaustive-deps -- once
  }, [])
  useEffect(() => input.current?.focus(), [way])
  const { label, attributes, other } = CODES[way]
  return (
    <form onSubmit={onSubmit}>
      <h2>Confirm that it is you</h2>
      <Banner text={problem} />
      <label>
        {label}
        <input
          key={way}
          ref={input}
          name="code"
          autoCapitalize="characters"
          spellCheck={false}
          {...attributes}
          required
        />
      </label>
      <button disabled={isBusy}>{isBusy ? 'Confirming...' : 'Confirm'}</button>
      {ways.includes('passkey') && (
        <button type="button" className="plain" onClick={askForPasskey}>
          Use a passkey
        </button>
      )}
      {codeWays.length > 1 && (
        <button type="button" className="plain" onClick={() => setWay(way === 'totp' ? 'recovery' : 'totp')}>
          {other}
        </button>
      )}
      <button type="button" className="plain" onClick={() => back('')}>
        Back to the password
      </button>
    </form>
  )
}
