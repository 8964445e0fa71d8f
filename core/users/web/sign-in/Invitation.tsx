import { useEffect, useRef, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import { MAILED_LINK, readMailedToken } from '@trainyard/platform/contract/words/mailed-link.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { storeSession } from '@trainyard/platform/web/session/session.ts'
import type { session } from '../../contract/user.ts'
import { Desk } from './Desk.tsx'
import { Banner, fieldOf, focusFirst, sentenceFor, useSubmit } from './form.tsx'
import { NewPassword } from './NewPassword.tsx'

type Invited = ReplyOf<typeof session.invitation> & { readonly token: string }

/** Page of an e-mailed link: sets a password, or confirms a change of the account. */
export default function Invitation() {
  const [invited, setInvited] = useState<Invited | null>(null)
  const [refusal, setRefusal] = useState('')
  useEffect(() => {
    const token = readMailedToken(location.hash)
    // The token signs a user in: remove it from the address bar and the history.
    history.replaceState(null, '', location.pathname)
    if (token === null) return setRefusal(MAILED_LINK.invitationIncomplete)
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    api.session.invitation({ token, timeZone }).then(
      (reply) => setInvited({ ...reply, token }),
      (error: unknown) => setRefusal(sentenceFor(error)),
    )
  }, [])
  const isChange = invited?.purpose === 'address' || invited?.purpose === 'provider'
  return (
    <Desk
      title={isChange ? 'Confirm a Change of Your Account' : 'Set Your Password'}
      purpose="set your password"
      hidesLinks={invited === null && refusal === ''}
    >
      {invited === null ? (
        <>
          <output className="lead" hidden={refusal !== ''}>
            Reading your invitation...
          </output>
          <Banner text={refusal} />
          {refusal !== '' && (
            <p>
              <a href="/forgot">Forgot Password?</a>
            </p>
          )}
        </>
      ) : isChange ? (
        <ConfirmChange invited={invited} />
      ) : (
        <SetPassword invited={invited} />
      )}
    </Desk>
  )
}

function SetPassword({ invited: { token, email, name, organization, purpose, nextClass } }: { invited: Invited }) {
  const password = useRef<HTMLInputElement>(null)
  useEffect(() => focusFirst(password.current), [])
  const { isBusy, problem, onSubmit } = useSubmit(
    async (form) => {
      const reply = await api.session.setPassword({ token, password: fieldOf(form, 'password').value })
      // If the user has a second factor, the login must ask for it.
      if (reply.uid === null) return location.assign('/login')
      storeSession(reply)
      location.assign('/')
    },
    { needsSiteData: true },
  )
  const person = `${name ? `${name} (${email})` : email}${organization ? ` of ${organization}` : ''}`
  return (
    <>
      <output className="lead">
        {purpose === 'password' ? `Set a new password for ${person}.` : `Welcome, ${person}.`}
      </output>
      <NextClass next={nextClass} />
      <Banner text={problem} />
      <form method="post" onSubmit={onSubmit}>
        <input name="email" type="email" autoComplete="username" value={email} readOnly hidden />
        <NewPassword input={password} />
        <button disabled={isBusy}>{isBusy ? 'Saving...' : 'Set password and continue'}</button>
      </form>
    </>
  )
}

/** Shows a change of the user that the organisation requested, for confirmation. */
function ConfirmChange({ invited: { token, email, organization, newEmail } }: { invited: Invited }) {
  const [done, setDone] = useState('')
  const { isBusy, problem, onSubmit } = useSubmit(async () => {
    const reply = await api.session.confirmChange({ token })
    setDone(reply.message)
  })
  const request = newEmail
    ? `The directory of ${organization} wants to change the address of your account from ${email} to ${newEmail}. Forgotten passwords are then reset with the new address.`
    : `A user of the sign-in provider of ${organization} wants to use your account ${email}. Confirm this only if you have just tried to sign in.`
  return (
    <>
      <output className="lead">{done || request}</output>
      <Banner text={problem} />
      <form method="post" onSubmit={onSubmit} hidden={done !== ''}>
        <button disabled={isBusy}>{isBusy ? 'Confirming...' : 'Confirm'}</button>
      </form>
    </>
  )
}

/** Shows the next class in the time zone of the browser. */
function NextClass({ next }: { next: Invited['nextClass'] }) {
  if (!next?.startsAt) return null
  return (
    <p>
      {next.trainingName} starts on {momentOf(next.startsAt)}.
      {next.readyAt && ` Your machine will be ready on ${momentOf(next.readyAt)}.`}
    </p>
  )
}

const momentOf = (at: string): string =>
  new Date(at).toLocaleString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  })
