import { api } from '@trainyard/platform/web/api/client.ts'
import { messageOf } from '@trainyard/platform/web/api/error.ts'
import type { SignedIn } from '@trainyard/users/web/sign-in/signed-in.ts'
import { getPasskeyAssertion, NO_PASSKEY } from './browser-passkey.ts'

interface PasskeyLoginProps {
  entered: (reply: SignedIn) => void
  fail: (sentence: string) => void
}

export default function PasskeyLogin({ entered, fail }: PasskeyLoginProps) {
  const signIn = async () => {
    const { challenge, options } = await api.passkey.beginLogin()
    const assertion = await getPasskeyAssertion(options, NO_PASSKEY)
    entered(await api.session.loginPasskey({ challenge, assertion }))
  }
  return (
    <button
      type="button"
      className="plain"
      onClick={() => {
        fail('')
        signIn().catch((error: unknown) => fail(messageOf(error)))
      }}
    >
      Sign in with a passkey
    </button>
  )
}
