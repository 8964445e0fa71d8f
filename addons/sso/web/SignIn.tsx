import { useEffect, useRef, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import { decodeAddress } from '@trainyard/platform/contract/words/mailed-link.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { safeNext, storeSession, storeSignOut } from '@trainyard/platform/web/session/session.ts'
import { Desk } from '@trainyard/users/web/sign-in/Desk.tsx'
import { Banner, EmailField, fieldOf, focusFirst, sentenceFor, useSubmit } from '@trainyard/users/web/sign-in/form.tsx'
import type { providerSignIn } from '../contract/identity-provider.ts'

const NEXT = 'next'
const LEAD = 'Use your company account, for example Microsoft or Google.'

type Finished = ReplyOf<typeof providerSignIn.finish>
type Tested = Extract<Finished, { outcome: 'tested' }>

/** Sign-in with the organisation's identity provider, and the redirect target of the provider. */
export default function SignIn() {
  const form = useRef<HTMLFormElement>(null)
  const next = useRef('')
  const [step, setStep] = useState<'asking' | 'finishing' | Tested>('asking')
  const { isBusy, problem, setProblem, onSubmit } = useSubmit(
    async (fields) => {
      const { address } = await api.providerSignIn.start({ email: fieldOf(fields, 'email').value.trim() })
      sessionStorage.setItem(NEXT, next.current)
      location.assign(address)
    },
    { needsSiteData: true },
  )

  useEffect(() => {
    const finish = async (answer: string) => {
      const reply = await api.providerSignIn.finish({ answer })
      if (reply.outcome === 'tested') {
        setStep(reply)
        if (!reply.works) setProblem('Sign-in does not work with these settings yet.')
      } else if (reply.outcome === 'unconfirmed') {
        setProblem(reply.message)
        setStep('asking')
      } else {
        storeSession(reply)
        storeSignOut(reply.signOutAddress)
        const target = safeNext(sessionStorage.getItem(NEXT), location.origin)
        sessionStorage.removeItem(NEXT)
        location.replace(target)
      }
    }
    const answer = location.search.slice(1)
    const asked = new URLSearchParams(answer)
    next.current = asked.get(NEXT) ?? ''
    // E-mail that the user typed on the login page.
    const typed = decodeAddress(location.hash.slice(1))
    // The code grants a session: remove it from the address bar and the history.
    history.replaceState(null, '', location.pathname)
    if (!asked.has('state')) {
      if (typed === '') return
      fieldOf(form.current!, 'email').value = typed
      form.current!.requestSubmit()
      return
    }
    setStep('finishing')
    finish(answer).catch((error: unknown) => {
      setProblem(sentenceFor(error))
      setStep('asking')
    })
  }, [setProblem])

  useEffect(() => {
    if (step === 'asking') focusFirst(fieldOf(form.current!, 'email'))
    // The page hid the form until this component did.
    else delete document.documentElement.dataset['answered']
  }, [step])

  const tested = typeof step === 'object' ? step : null
  const lead =
    tested === null ? (step === 'finishing' ? 'Signing you in...' : LEAD) : tested.works ? tested.message : ''
  return (
    <Desk
      title="Sign In With Your Organisation"
      link={
        tested === null
          ? { to: '/login', text: 'Log in with a password' }
          : { to: safeNext(sessionStorage.getItem(NEXT), location.origin), text: 'Back to Organisation Settings' }
      }
      purpose="sign you in"
      hidesLinks={step === 'finishing'}
    >
      <output className="lead">{lead}</output>
      <Banner text={problem} />
      {tested !== null && (
        <ul>
          {tested.found.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      <form ref={form} method="post" onSubmit={onSubmit} hidden={step !== 'asking'}>
        <EmailField label="E-mail" aria-describedby="rule" />
        <p id="rule" className="dim">
          The domain of the e-mail selects your organisation.
        </p>
        <button disabled={isBusy}>{isBusy ? 'Contacting your organisation...' : 'Continue'}</button>
      </form>
    </Desk>
  )
}
