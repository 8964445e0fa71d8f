import { decodeAddress, MAILED_LINK, readMailedToken } from '@trainyard/platform/contract/words/mailed-link.ts'
import { JOIN_PATH, normaliseCode, REGISTRATION } from '../contract/registration-words.ts'
import { readSession, storeSignOut } from '@trainyard/platform/web/session/session.ts'
import type * as SecondStep from '@trainyard/second-factor/web/second-step.ts'
import {
  fieldOf,
  onSubmit,
  post,
  prepareSignIn,
  showBanner,
  showLinks,
  showPasswordOnTick,
  storeReply,
} from '@trainyard/users/web/sign-in/form.ts'

/** Poll interval in ms while the user waits for an approval or a seat. */
const REFRESH_MS = 10_000

interface Link {
  readonly organization: string
  readonly trainingName: string
  readonly state: keyof typeof REGISTRATION | 'open' | 'revoked'
  readonly opensAt: string | null
  readonly closesAt: string | null
  readonly timeZone: string
  readonly domains: readonly string[]
  readonly needsApproval: boolean
  readonly hasMachine: boolean
  readonly pseudonymsAllowed: boolean
  readonly passwordsAllowed: boolean
}

interface Mine {
  readonly state: 'seated' | 'pending' | 'waiting' | 'declined' | null
  readonly message: string
  readonly trainingName: string
  readonly hasMachine: boolean
  readonly hasName: boolean
}

const page = document.querySelector<HTMLElement>('main')!
const lead = document.querySelector('output')!
const ways = document.querySelector<HTMLElement>('[data-ways]')!
const signedIn = document.querySelector<HTMLElement>('[data-signed-in]')!
const formNamed = (name: string) => document.forms.namedItem(name)!
const forms = {
  code: formNamed('code'),
  account: formNamed('account'),
  confirm: formNamed('confirm'),
  codes: formNamed('codes'),
  seat: formNamed('seat'),
}
const code = decodeAddress(location.pathname.slice(JOIN_PATH.length).replace(/\/$/, ''))
const isMailed = location.hash.length > 1
const token = readMailedToken(location.hash)
// The token signs a user in: remove it from the address bar and the history.
history.replaceState(null, '', location.pathname)

let link: Link

const secondStep = () => import(/* @vite-ignore */ page.dataset['second']!) as Promise<typeof SecondStep>

async function get<T>(url: string): Promise<{ status: number; reply: T & { message?: string } }> {
  try {
    const uid = readSession()?.uid
    const response = await fetch(`${url}?code=${encodeURIComponent(code)}`, {
      headers: uid === undefined ? {} : { authorization: `Bearer ${uid}` },
    })
    return { status: response.status, reply: (await response.json()) as T & { message?: string } }
  } catch {
    return {
      status: 0,
      reply: { message: 'The portal did not answer. Please reload the page.' } as T & { message?: string },
    }
  }
}

function show(form: keyof typeof forms | null): void {
  for (const [name, each] of Object.entries(forms)) each.hidden = name !== form
  ways.hidden = form !== 'account'
}

const saysWhen = (instant: string): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: link.timeZone }).format(new Date(instant))} (${link.timeZone})`

function describe(): string {
  const { organization, trainingName, state, opensAt, domains, needsApproval } = link
  const sentences = [`Register for ${trainingName} of ${organization}.`]
  if (state === 'notOpen' && opensAt !== null) sentences.push(`Registration opens on ${saysWhen(opensAt)}.`)
  else if (state === 'full' || state === 'closed' || state === 'broken') sentences.push(REGISTRATION[state])
  else if (needsApproval) sentences.push('The instructor approves each registration.')
  if (domains.length > 0) sentences.push(`Only for addresses of ${domains.join(', ')}.`)
  return sentences.join(' ')
}

const canRegister = () => ['open', 'full', 'closed'].includes(link.state)

async function start(): Promise<void> {
  if (code === '') return offerCode('Enter the code of your registration link.')
  if (normaliseCode(code) === null) {
    showBanner(REGISTRATION.incomplete)
    return offerCode('')
  }
  const read = await get<Link>(page.dataset['read']!)
  if (read.status !== 200) {
    showBanner(read.reply.message ?? REGISTRATION.notValid)
    return offerCode('')
  }
  link = read.reply
  lead.textContent = describe()
  if (token !== null) return offerPassword(token)
  if (isMailed) showBanner(MAILED_LINK.registrationIncomplete)
  await showMine()
}

function offerCode(text: string): void {
  lead.textContent = text
  show('code')
  fieldOf(forms.code)('code').focus()
}

async function offerPassword(token: string): Promise<void> {
  const { ok, reply } = await post(page.dataset['confirmation']!, { token })
  if (!ok) {
    showBanner(reply['message'] ?? '')
    return showMine()
  }
  lead.textContent = `Create the account ${reply['email']} of ${reply['organization']}.`
  fieldOf(forms.confirm)('email').value = reply['email']!
  show('confirm')
  const methods = forms.confirm.querySelector('fieldset')!
  methods.hidden = reply['passkeysAt'] !== location.origin || !('PublicKeyCredential' in window)
  fieldOf(forms.confirm)('password').focus()
}

const methodOf = () => new FormData(forms.confirm).get('method') as 'password' | 'passkey' | 'both'

async function continueToSeat(): Promise<void> {
  lead.textContent = describe()
  await showMine()
}

function offerAccount(): void {
  signedIn.hidden = true
  if (!canRegister()) return show(null)
  show('account')
  if (!link.passwordsAllowed) forms.account.hidden = true
  for (const way of ways.querySelectorAll('a')) way.search = `?next=${encodeURIComponent(location.pathname)}`
}

/** Shows what the signed-in user can do, or how to sign in. */
async function showMine(): Promise<void> {
  const session = readSession()
  if (session === null) return offerAccount()
  signedIn.hidden = false
  signedIn.querySelector('span')!.textContent = `You are logged in as ${session.email}.`
  if (session.role !== 'user') {
    show(null)
    return showBanner('Only learners can register by a link. Log out, and register with the account of a learner.')
  }
  const { status, reply } = await get<Mine>(page.dataset['mine']!)
  if (status === 401) return offerAccount()
  if (status !== 200) {
    show(null)
    return showBanner(reply.message ?? '')
  }
  return showState(reply)
}

function showState(mine: Mine): void {
  if (mine.state === null) return offerSeat(mine)
  show(null)
  lead.textContent = `${link.trainingName} of ${link.organization}: ${mine.message}`
  if (mine.state === 'seated') return openMachine(mine)
  if (mine.state !== 'declined') setTimeout(() => void showMine(), REFRESH_MS)
}

function offerSeat({ hasName }: Mine): void {
  if (!canRegister()) return show(null)
  const field = fieldOf(forms.seat)
  forms.seat.querySelector<HTMLElement>('[data-name]')!.hidden = hasName
  forms.seat.querySelector<HTMLElement>('[data-pseudonym]')!.hidden = hasName || !link.pseudonymsAllowed
  forms.seat.querySelector('[data-name] span')!.textContent = link.pseudonymsAllowed
    ? 'Your name or a pseudonym (optional)'
    : 'Your name'
  field('name').required = !hasName && !link.pseudonymsAllowed
  const button = forms.seat.querySelector('button')!
  button.textContent =
    link.state !== 'open' ? 'Join the waiting list' : link.needsApproval ? 'Request a seat' : 'Take a seat'
  show('seat')
  if (hasName) button.focus()
  else field('name').focus()
}

/** Opens the page that shows the progress of the machine and opens it. */
function openMachine({ trainingName, hasMachine }: Mine): void {
  location.replace(hasMachine ? `/vm/vmdetails?training=${encodeURIComponent(trainingName)}` : '/')
}

for (const form of Object.values(forms)) prepareSignIn(form)
showPasswordOnTick(forms.confirm)
onSubmit(forms.code, async () =>
  location.assign(`${JOIN_PATH}${encodeURIComponent(fieldOf(forms.code)('code').value.trim())}`),
)
onSubmit(forms.account, async () => {
  const { ok, reply } = await post(forms.account.action, { code, email: fieldOf(forms.account)('email').value.trim() })
  if (!ok) return showBanner(reply['message'] ?? reply['error'] ?? '')
  show(null)
  lead.textContent = reply['message'] ?? ''
})
forms.confirm.addEventListener('change', () => {
  const passwordPart = forms.confirm.querySelector<HTMLElement>('[data-password]')!
  passwordPart.hidden = methodOf() === 'passkey'
  fieldOf(forms.confirm)('password').disabled = passwordPart.hidden
})
onSubmit(forms.confirm, async () => {
  const method = methodOf()
  let passkey: object | undefined
  if (method !== 'password') {
    const created = await (await secondStep()).createFirstPasskey(page.dataset['passkey']!, token!)
    if ('sentence' in created) return showBanner(created.sentence)
    passkey = created
  }
  const password = method === 'passkey' ? undefined : fieldOf(forms.confirm)('password').value
  const { ok, reply } = await post(forms.confirm.action, { token, password, passkey })
  if (!ok) return showBanner(reply['message'] ?? reply['error'] ?? '')
  storeReply(reply)
  // This session is not linked to one at an identity provider.
  storeSignOut(null)
  const codes = reply['recoveryCodes'] as unknown as readonly string[] | null
  if (codes === null) return continueToSeat()
  lead.textContent = 'Your account was created.'
  forms.codes.querySelector('ol')!.append(
    ...codes.map((each) => {
      const item = document.createElement('li')
      item.append(Object.assign(document.createElement('code'), { textContent: each }))
      return item
    }),
  )
  show('codes')
  forms.codes.querySelector('button')!.focus()
})
onSubmit(forms.codes, continueToSeat)
onSubmit(forms.seat, async () => {
  const field = fieldOf(forms.seat)
  const name = field('name').value.trim()
  const { ok, reply } = await post(
    forms.seat.action,
    {
      code,
      ...(name !== '' && { name, isPseudonym: field('pseudonym').checked }),
      ...(link.state !== 'open' && { wait: true }),
    },
    readSession()?.uid,
  )
  if (ok) return showState(reply as unknown as Mine)
  const sentence = reply['message'] ?? reply['error'] ?? ''
  // The link may be full now: the button then offers the waiting list.
  const read = await get<Link>(page.dataset['read']!)
  if (read.status === 200) {
    link = read.reply
    lead.textContent = describe()
    await showMine()
  }
  showBanner(sentence)
})
void start().finally(showLinks)
