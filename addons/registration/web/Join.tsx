import { useCallback, useEffect, useRef, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import { NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { decodeAddress, MAILED_LINK, readMailedToken } from '@trainyard/platform/contract/words/mailed-link.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { ApiError } from '@trainyard/platform/web/api/error.ts'
import { PrivacyLink } from '@trainyard/platform/web/public/PrivacyLink.tsx'
import { readSession, storeSession, storeSignOut } from '@trainyard/platform/web/session/session.ts'
import { createPasskey } from '@trainyard/second-factor/web/browser-passkey.ts'
import { Brand } from '@trainyard/users/web/sign-in/Brand.tsx'
import { Banner, EmailField, fieldOf, focusFirst, sentenceFor, useSubmit } from '@trainyard/users/web/sign-in/form.tsx'
import { NewPassword } from '@trainyard/users/web/sign-in/NewPassword.tsx'
import type { registration } from '../contract/registration.ts'
import { JOIN_PATH, normaliseCode, REGISTRATION } from '../contract/registration-words.ts'

/** Poll interval in ms while the user waits for an approval or a seat. */
const REFRESH_MS = 10_000

const ONLY_LEARNERS = 'Only learners can register by a link. Log out, and register with the account of a learner.'
const NO_PASSKEY = 'No passkey was created. Please try again, or choose a password.'

/** Ways in which a new user can log in. */
const METHODS = [
  ['password', 'A password'],
  ['passkey', 'A passkey'],
  ['both', 'A password and a passkey'],
] as const
type Method = (typeof METHODS)[number][0]

type Link = ReplyOf<typeof registration.read>
type Mine = ReplyOf<typeof registration.mine>
type Confirmation = ReplyOf<typeof registration.confirmation>

/** Content below the lead. */
type Part =
  | { readonly name: 'nothing' | 'code' | 'account' }
  | { readonly name: 'confirm'; readonly token: string; readonly of: Confirmation }
  | { readonly name: 'codes'; readonly codes: readonly string[] }
  | { readonly name: 'seat'; readonly hasName: boolean }

interface View {
  readonly code: string
  readonly link: Link | null
  readonly lead: string
  readonly problem: string
  readonly part: Part
  /** E-mail of the signed-in user; empty for a visitor. */
  readonly signedInAs: string
  /** True while the user waits for an approval or a seat. */
  readonly waits: boolean
  /** True once the content is known: the links below it would move. */
  readonly hasLinks: boolean
}

const NOTHING: Part = { name: 'nothing' }

const FIRST_VIEW: View = {
  code: '',
  link: null,
  lead: 'Reading the registration link...',
  problem: '',
  part: NOTHING,
  signedInAs: '',
  waits: false,
  hasLinks: false,
}

/** Page of a registration link. Shows one form at a time. */
export default function Join() {
  const [view, setView] = useState(FIRST_VIEW)
  const { code, link, lead, problem, part, signedInAs, waits, hasLinks } = view
  const show = useCallback((changes: Partial<View>) => setView((now) => ({ ...now, ...changes })), [])
  const setProblem = useCallback((sentence: string) => show({ problem: sentence }), [show])
  const continueToSeat = async () => show(await viewOf(code, link!))

  useEffect(() => {
    const fragment = location.hash
    // The token signs a user in: remove it from the address bar and the history.
    history.replaceState(null, '', location.pathname)
    void firstView(fragment).then((first) => show({ ...first, hasLinks: true }))
  }, [show])

  useEffect(() => {
    if (!waits) return undefined
    const timer = setTimeout(() => void viewOf(code, link!).then(show), REFRESH_MS)
    return () => clearTimeout(timer)
  }, [view, waits, code, link, show])

  return (
    <main className="desk alone">
      <Brand />
      <h1>Register</h1>
      <output className="lead">{lead}</output>
      <Banner text={problem} />
      {part.name === 'code' && <CodeForm setProblem={setProblem} />}
      {part.name === 'account' && (
        <Account
          code={code}
          link={link!}
          setProblem={setProblem}
          sent={(message) => show({ part: NOTHING, lead: message })}
        />
      )}
      {part.name === 'confirm' && (
        <Confirm
          token={part.token}
          confirmation={part.of}
          setProblem={setProblem}
          created={async (codes) => {
            if (codes === null) await continueToSeat()
            else show({ lead: 'Your account was created.', part: { name: 'codes', codes } })
          }}
        />
      )}
      {part.name === 'codes' && <Codes codes={part.codes} saved={continueToSeat} setProblem={setProblem} />}
      {part.name === 'seat' && (
        <Seat
          code={code}
          link={link!}
          hasName={part.hasName}
          setProblem={setProblem}
          taken={(mine) => show(registeredView(link!, mine))}
          refused={async () => {
            // The link may be full now: the button then offers the waiting list.
            const now = await api.registration.read({ code }).catch(() => null)
            if (now !== null) show(await viewOf(code, now))
          }}
        />
      )}
      <footer hidden={!hasLinks}>
        {signedInAs !== '' && (
          <p>
            You are logged in as {signedInAs}. <a href="/logout">Log out</a>
          </p>
        )}
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
}

/** Returns the content of the page for its address. The fragment of a link in an e-mail has a token. */
async function firstView(fragment: string): Promise<Partial<View>> {
  const code = decodeAddress(location.pathname.slice(JOIN_PATH.length).replace(/\/$/, ''))
  const askForCode = (lead: string, problem = ''): Partial<View> => ({ lead, problem, part: { name: 'code' } })
  if (code === '') return askForCode('Enter the code of your registration link.')
  if (normaliseCode(code) === null) return askForCode('', REGISTRATION.incomplete)
  try {
    const link = await api.registration.read({ code })
    const token = readMailedToken(fragment)
    if (token !== null) return await confirmationView(code, link, token)
    return { problem: fragment.length > 1 ? MAILED_LINK.registrationIncomplete : '', ...(await viewOf(code, link)) }
  } catch (error) {
    return askForCode('', sentenceFor(error))
  }
}

async function confirmationView(code: string, link: Link, token: string): Promise<Partial<View>> {
  try {
    const of = await api.registration.confirmation({ token })
    const lead = `Create the account ${of.email} of ${of.organization}.`
    return { code, link, lead, part: { name: 'confirm', token, of } }
  } catch (error) {
    return { problem: sentenceFor(error), ...(await viewOf(code, link)) }
  }
}

/** Returns the form of the signed-in user, or the ways to sign in. */
async function viewOf(code: string, link: Link): Promise<Partial<View>> {
  const shown = { code, link, lead: leadOf(link), waits: false }
  const session = readSession()
  const forVisitor: Partial<View> = {
    ...shown,
    signedInAs: '',
    part: canRegister(link) ? { name: 'account' } : NOTHING,
  }
  if (session === null) return forVisitor
  const forUser = { ...shown, signedInAs: session.email, part: NOTHING }
  if (session.role !== 'user') return { ...forUser, problem: ONLY_LEARNERS }
  try {
    const mine = await api.registration.mine({ code }, { staysOnPage: true })
    if (mine.state !== null) return { ...forUser, ...registeredView(link, mine) }
    return { ...forUser, part: canRegister(link) ? { name: 'seat', hasName: mine.hasName } : NOTHING }
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return forVisitor
    return { ...forUser, problem: sentenceFor(error) }
  }
}

function registeredView(link: Link, mine: Omit<Mine, 'hasName'>): Partial<View> {
  if (mine.state === 'seated') {
    // The page that shows the progress of the machine and opens it.
    location.replace(mine.hasMachine ? `/vm/vmdetails?training=${encodeURIComponent(mine.trainingName)}` : '/')
  }
  const waits = mine.state === 'pending' || mine.state === 'waiting'
  return { lead: `${link.trainingName} of ${link.organization}: ${mine.message}`, part: NOTHING, waits }
}

const canRegister = ({ state }: Link): boolean => ['open', 'full', 'closed'].includes(state)

const saysWhen = (instant: string, { timeZone }: Link): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone }).format(new Date(instant))} (${timeZone})`

function leadOf(link: Link): string {
  const { organization, trainingName, state, opensAt, domains, needsApproval } = link
  const sentences = [`Register for ${trainingName} of ${organization}.`]
  if (state === 'notOpen' && opensAt !== null) sentences.push(`Registration opens on ${saysWhen(opensAt, link)}.`)
  else if (state === 'full' || state === 'closed' || state === 'broken') sentences.push(REGISTRATION[state])
  else if (needsApproval) sentences.push('The instructor approves each registration.')
  if (domains.length > 0) sentences.push(`Only for addresses of ${domains.join(', ')}.`)
  return sentences.join(' ')
}

interface PartProps {
  setProblem: (sentence: string) => void
}

function CodeForm({ setProblem }: PartProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => focusFirst(input.current), [])
  const { isBusy, onSubmit } = useSubmit(
    async (form) => location.assign(`${JOIN_PATH}${encodeURIComponent(fieldOf(form, 'code').value.trim())}`),
    { show: setProblem },
  )
  return (
    <form onSubmit={onSubmit}>
      <label>
        Registration code
        <input ref={input} name="code" autoComplete="off" autoCapitalize="none" spellCheck={false} required />
      </label>
      <button disabled={isBusy}>{isBusy ? 'Opening...' : 'Open'}</button>
    </form>
  )
}

interface AccountProps extends PartProps {
  code: string
  link: Link
  sent: (message: string) => void
}

/** Ways in for a visitor who is not logged in. */
function Account({ code, link, sent, setProblem }: AccountProps) {
  const { isBusy, onSubmit } = useSubmit(
    async (form) => {
      const reply = await api.registration.requestAccount({ code, email: fieldOf(form, 'email').value.trim() })
      sent(reply.message)
    },
    { show: setProblem },
  )
  const search = `?next=${encodeURIComponent(location.pathname)}`
  return (
    <>
      {link.passwordsAllowed && (
        <form method="post" onSubmit={onSubmit}>
          <h2>Create an account</h2>
          <EmailField label="E-mail" aria-describedby="mailed" />
          <p id="mailed" className="dim">
            You receive an e-mail with a link to create the account.
          </p>
          <button disabled={isBusy}>{isBusy ? 'Sending...' : 'Send the e-mail'}</button>
        </form>
      )}
      <ul className="ways">
        <li>
          <a href={`/login${search}`}>I have an account: log in with a password or a passkey</a>
        </li>
        <li>
          <a href={`/sign-in${search}`}>Sign in with your organisation</a>
        </li>
      </ul>
    </>
  )
}

interface ConfirmProps extends PartProps {
  token: string
  confirmation: Confirmation
  /** Continues with the recovery codes of the new user, if any. */
  created: (codes: readonly string[] | null) => Promise<void>
}

function Confirm({ token, confirmation: { email, passkeysAt }, created, setProblem }: ConfirmProps) {
  const password = useRef<HTMLInputElement>(null)
  const [method, setMethod] = useState<Method>('password')
  useEffect(() => focusFirst(password.current), [])
  const { isBusy, onSubmit } = useSubmit(
    async (form) => {
      const reply = await api.registration.createAccount({
        token,
        password: method === 'passkey' ? undefined : fieldOf(form, 'password').value,
        passkey: method === 'password' ? undefined : await firstPasskey(token),
      })
      storeSession(reply)
      // This session is not linked to one at an identity provider.
      storeSignOut(null)
      await created(reply.recoveryCodes)
    },
    { show: setProblem, needsSiteData: true },
  )
  return (
    <form method="post" onSubmit={onSubmit}>
      <input name="email" type="email" autoComplete="username" value={email} readOnly hidden />
      {passkeysAt === location.origin && 'PublicKeyCredential' in window && (
        <fieldset>
          <legend>Log in with</legend>
          {METHODS.map(([value, label]) => (
            <label key={value} className="tick">
              <input
                type="radio"
                name="method"
                value={value}
                checked={method === value}
                onChange={() => setMethod(value)}
              />
              {label}
            </label>
          ))}
          <p className="dim">
            Your device or password manager stores the passkey. You confirm it with a fingerprint, your face or a PIN.
          </p>
        </fieldset>
      )}
      <div className="fields" hidden={method === 'passkey'}>
        <NewPassword input={password} disabled={method === 'passkey'} />
      </div>
      <button disabled={isBusy}>{isBusy ? 'Creating the account...' : 'Create the account'}</button>
    </form>
  )
}

async function firstPasskey(token: string) {
  const { challenge, options } = await api.registration.beginPasskey({ token })
  return { challenge, attestation: await createPasskey(options, NO_PASSKEY) }
}

interface CodesProps extends PartProps {
  codes: readonly string[]
  saved: () => Promise<void>
}

function Codes({ codes, saved, setProblem }: CodesProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current!.focus(), [])
  const { isBusy, onSubmit } = useSubmit(saved, { show: setProblem })
  return (
    <form onSubmit={onSubmit}>
      <h2>Recovery codes</h2>
      <p>
        If you lose the passkey, log in with your password and one of these codes. If you have no password, set one with{' '}
        <strong>Forgot Password?</strong> first. Each code works once. Store them now: they are not shown again.
      </p>
      <ol aria-label="Recovery codes">
        {codes.map((each) => (
          <li key={each}>
            <code>{each}</code>
          </li>
        ))}
      </ol>
      <button ref={button} disabled={isBusy}>
        {isBusy ? 'Continuing...' : 'I have saved them'}
      </button>
    </form>
  )
}

interface SeatProps extends PartProps {
  code: string
  link: Link
  /** False if the user must give a name. */
  hasName: boolean
  taken: (mine: ReplyOf<typeof registration.takeSeat>) => void
  refused: () => Promise<void>
}

function Seat({ code, link, hasName, taken, refused, setProblem }: SeatProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (hasName) form.current!.querySelector('button')!.focus()
    else fieldOf(form.current!, 'name').focus()
  }, [hasName])
  const { isBusy, onSubmit } = useSubmit(
    async (fields) => {
      const name = hasName ? '' : fieldOf(fields, 'name').value.trim()
      const isPseudonym = !hasName && link.pseudonymsAllowed && fieldOf(fields, 'pseudonym').checked
      const body = { code, ...(name !== '' && { name, isPseudonym }), ...(link.state !== 'open' && { wait: true }) }
      try {
        taken(await api.registration.takeSeat(body, { staysOnPage: true }))
      } catch (error) {
        await refused()
        throw error
      }
    },
    { show: setProblem },
  )
  const action = link.state !== 'open' ? 'Join the waiting list' : link.needsApproval ? 'Request a seat' : 'Take a seat'
  return (
    <form ref={form} method="post" onSubmit={onSubmit}>
      {!hasName && (
        <label>
          {link.pseudonymsAllowed ? 'Your name or a pseudonym (optional)' : 'Your name'}
          <input name="name" autoComplete="name" maxLength={NAME_LENGTH} required={!link.pseudonymsAllowed} />
        </label>
      )}
      {!hasName && link.pseudonymsAllowed && (
        <label className="tick">
          <input name="pseudonym" type="checkbox" /> This is a pseudonym
        </label>
      )}
      <button disabled={isBusy}>{isBusy ? 'Registering...' : action}</button>
    </form>
  )
}
