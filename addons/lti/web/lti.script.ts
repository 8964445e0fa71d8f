import { readSession, safeNext } from '@trainyard/platform/web/session/session.ts'
import { onSubmit, post, showBanner, showLinks, storeReply } from '@trainyard/users/web/sign-in/form.ts'
import { getProof, putProof } from './lms-storage.ts'

interface Posted {
  readonly page: 'login' | 'launch' | 'open' | 'register' | 'refused'
  readonly platform?: string
  readonly code?: string
  /** Reason why the server refused the request. */
  readonly message?: string
  readonly values: Readonly<Record<string, string>>
}

/** A completed launch, which opens a session. */
interface Launched {
  readonly ticket: string
  readonly title: string
  /** E-mail of the portal user to whom the visitor can be linked; null: none. */
  readonly email: string | null
  /** Set while the visitor signs in as that user. */
  readonly isLinking?: true
  /** Page of a session that another tab has opened with the launch. */
  readonly target?: string
}

const TICKET = 'lti'
const ASK = 'trainyard.lti.ask'

const main = document.querySelector('main')!
const doing = document.querySelector('output')!
const openButton = document.querySelector<HTMLButtonElement>('#open')!
const choice = document.querySelector('section')!
const posted = JSON.parse(document.querySelector('#posted')!.textContent || '{}') as Posted
const isFramed = self !== top

const call = (name: string, body: object, uid?: string) => post(main.dataset[name]!, body, uid)

function fail(message: string | undefined): void {
  doing.textContent = ''
  showBanner(message ?? 'Something went wrong. Open the activity in your course again.')
  showLinks()
}

/** Browsers may block storage in frames. */
function stored(work: (storage: Storage) => string | null | undefined): string | null {
  try {
    return work(sessionStorage) ?? null
  } catch {
    return null
  }
}

/** Stores a launch, so that it survives a reload. Returns null if the browser blocks storage. */
const keep = (launched: Launched): string | null =>
  stored((storage) => {
    storage.setItem(TICKET, JSON.stringify(launched))
    return TICKET
  })

/** True if the browser keeps cookies of this page, also in a frame. */
function keepsCookies(): boolean {
  const name = 'trainyard_lti_probe'
  const attributes = location.protocol === 'https:' ? '; Secure; SameSite=None; Partitioned' : '; SameSite=Lax'
  document.cookie = `${name}=1; Path=/; Max-Age=60${attributes}`
  return document.cookie.includes(`${name}=1`)
}

/** An instructor's choice of content, which the page of the LMS receives by a form. */
interface Content {
  readonly returnUrl: string
  readonly jwt: string
}

/** Opens a tab now or, if the browser blocks that, on a click. */
function openTab(address: string, text: string): void {
  const open = () => window.open(address, '_blank')
  if (open() !== null) {
    doing.textContent = `${text} has opened in a new tab.`
    openButton.textContent = 'Open again'
  } else {
    doing.textContent = 'Your browser does not allow the portal to work within this page.'
  }
  openButton.hidden = false
  showLinks()
  openButton.addEventListener('click', () => void open())
}

async function logIn(platform: string, values: Posted['values']): Promise<void> {
  const storageTarget = values['lti_storage_target'] ?? null
  const isBlocked = isFramed && !keepsCookies()
  const again = `/lti/login/${platform}?${new URLSearchParams(values).toString()}`
  // A new tab uses the portal's own cookies.
  if (isBlocked && storageTarget === null) return logInInTab(again)
  const { ok, reply } = await call('start', {
    platform,
    issuer: values['iss'] ?? '',
    loginHint: values['login_hint'] ?? '',
    messageHint: values['lti_message_hint'] ?? null,
    clientId: values['client_id'] ?? null,
    deployment: values['lti_deployment_id'] ?? null,
    storageTarget: isBlocked ? storageTarget : null,
  })
  if (!ok) return fail(reply['message'])
  const { address, state, proof } = reply as { address: string; state: string; proof: string | null }
  if (proof !== null) {
    const storage = { target: storageTarget!, origin: new URL(address).origin }
    if (!(await putProof(storage, state, proof))) return logInInTab(again)
  }
  location.replace(address)
}

/** Completes the launch in a new tab. If the user chooses content there, this frame sends the choice to the LMS. */
function logInInTab(address: string): void {
  addEventListener('message', ({ origin, data }) => {
    const content = (data as { content?: Content } | null)?.content
    if (origin === location.origin && content !== undefined) sendContent(content)
  })
  openTab(address, 'Your training')
}

async function finish(platform: string, { state = '', ...values }: Posted['values']): Promise<void> {
  const [, target] = state.split('.')
  const origin = values['storage_origin']
  const proof =
    target === undefined || origin === undefined ? null : await getProof({ target: textOf(target), origin }, state)
  const { ok, reply } = await call('finish', {
    platform,
    stateToken: state,
    idToken: values['id_token'] ?? null,
    error: values['error_description'] ?? values['error'] ?? null,
    proof,
  })
  if (!ok) return fail(reply['message'])
  if (reply['outcome'] === 'choosing') return offerContent(reply['ticket']!, reply['title']!)
  const launched = { ticket: reply['ticket']!, title: reply['title']!, email: reply['email'] ?? null }
  const isStored = keep(launched)
  // A reload must not send the token again, because the token is valid once.
  if (isStored !== null && isFramed) location.replace(location.pathname)
  else await proceed(launched)
}

/** Lets an instructor choose an activity for the course, and sends the signed choice to the LMS. */
function offerContent(ticket: string, training: string): void {
  document.querySelector('h1')!.textContent = 'Add to your course'
  doing.textContent = `Choose what ${training} adds to your course.`
  const form = document.querySelector<HTMLFormElement>('#content')!
  const title = form.elements.namedItem('title') as HTMLInputElement
  title.value = training
  form.hidden = false
  showLinks()
  onSubmit(form, async () => {
    const view = new FormData(form).get('view')
    const { ok, reply } = await post(form.dataset['choose']!, { ticket, view, title: title.value.trim() })
    if (!ok) return showBanner(reply['message'] ?? '')
    const content = { returnUrl: reply['returnUrl']!, jwt: reply['jwt']! }
    const frame = openingFrame()
    if (frame === null) return sendContent(content)
    frame.postMessage({ content }, location.origin)
    close()
  })
}

function sendContent({ returnUrl, jwt }: Content): void {
  const answer = Object.assign(document.createElement('form'), { method: 'post', action: returnUrl })
  answer.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'JWT', value: jwt }))
  answer.hidden = true
  document.body.append(answer)
  answer.submit()
}

/** Returns the frame of the portal that opened this tab; null if another page did. */
function openingFrame(): Window | null {
  const opener = window.opener as Window | null
  try {
    return opener !== null && opener !== opener.top && opener.location.origin === location.origin ? opener : null
  } catch {
    // The opener is a page of another site, such as one of the LMS.
    return null
  }
}

const textOf = (base64url: string): string => atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))

async function proceed(launched: Launched): Promise<void> {
  if (isFramed) return offerTab(launched)
  if (launched.target !== undefined) return leave(launched.target)
  if (launched.email !== null) return offerLink(launched, launched.email)
  await enter(launched)
}

/**
 * Offers to open a tab, because the portal itself is never shown in a frame. The new tab requests the launch from this
 * page, so that no address contains it. A later tab shows the page of the session that the first one opened.
 */
function offerTab(launched: Launched): void {
  let current = launched
  const change = (changes: Partial<Launched>) => {
    current = { ...current, ...changes }
    keep(current)
    return current
  }
  // A hand-over replaces the ticket, so that a tab that was closed early can be opened again.
  const handOver = async (): Promise<Launched> => {
    if (current.target !== undefined) return current
    const { ok, reply } = await call('handOver', { ticket: current.ticket })
    return ok ? change({ ticket: reply['ticket']! }) : current
  }
  let handingOver: Promise<unknown> = Promise.resolve()
  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== location.origin) return
    const target = (data as { target?: string } | null)?.target
    if (target !== undefined) change({ target })
    // Two tabs must not hand over the same ticket.
    if (data === ASK)
      handingOver = handingOver
        .then(handOver)
        .then((handedOver) => (source as Window).postMessage({ launched: handedOver }, location.origin))
        .catch(() => undefined)
  })
  openTab('/lti/open', launched.title)
  openButton.textContent = `Open ${launched.title}`
}

function offerLink(launched: Launched, email: string): void {
  doing.textContent = `You already have an account with the e-mail ${email}. Log in to it once to use it from your course as well.`
  choice.hidden = false
  showLinks()
  document.querySelector('#link')!.addEventListener('click', () => {
    keep({ ...launched, isLinking: true })
    logInToLink()
  })
  document.querySelector('#separate')!.addEventListener('click', () => {
    choice.hidden = true
    void enter(launched)
  })
}

const logInToLink = () => location.assign(`/login?next=${encodeURIComponent('/lti/open')}`)

async function enter({ ticket, title }: Launched): Promise<void> {
  doing.textContent = `Opening ${title}...`
  const { ok, reply } = await call('enter', { ticket })
  if (!ok) return fail(reply['message'])
  storeReply(reply)
  leave(reply['target']!)
}

/** Opens a page of the session, which further tabs of the frame that opened this one show too. */
function leave(target: string): void {
  ;(window.opener as Window | null)?.postMessage({ target }, location.origin)
  stored((storage) => {
    storage.removeItem(TICKET)
    return TICKET
  })
  location.replace(safeNext(target, location.origin))
}

const storedLaunch = () => JSON.parse(stored((storage) => storage.getItem(TICKET)) ?? 'null') as Launched | null

async function open(): Promise<void> {
  const launched = storedLaunch()
  const uid = readSession()?.uid
  if (launched?.isLinking && uid !== undefined) {
    const { ok, reply } = await call('link', { ticket: launched.ticket }, uid)
    if (reply['code'] === 'confirmFirst') return logInToLink()
    return ok ? leave(reply['target']!) : fail(reply['message'])
  }
  const opener = window.opener as Window | null
  if (opener === null) return fail('Open the activity in your course again.')
  addEventListener('message', ({ origin, data }) => {
    const answer = (data as { launched?: Launched } | null)?.launched
    if (origin !== location.origin || answer === undefined) return
    keep(answer)
    void proceed(answer)
  })
  opener.postMessage(ASK, location.origin)
}

async function register(code: string, values: Posted['values']): Promise<void> {
  doing.textContent = 'Connecting your LMS...'
  const { ok, reply } = await call('register', {
    code,
    configuration: values['openid_configuration'] ?? '',
    token: values['registration_token'] ?? null,
  })
  if (!ok) return fail(reply['message'])
  doing.textContent = reply['message']!
  showLinks()
  // LTI Dynamic Registration 1.0: the LMS closes the window or the frame.
  const other = (window.opener as Window | null) ?? parent
  if (other !== self) other.postMessage({ subject: 'org.imsglobal.lti.close' }, '*')
}

const { page, platform = '', code = '', message, values } = posted
if (page === 'refused') {
  document.querySelector('h1')!.textContent = 'This page cannot be opened'
  fail(message)
} else if (page === 'login') void logIn(platform, values)
else if (page === 'register') {
  document.querySelector('h1')!.textContent = 'Connect your LMS'
  void register(code, values)
} else if (page === 'open') void open()
else if (values['state'] !== undefined) void finish(platform, values)
else {
  const launched = storedLaunch()
  if (launched === null) fail('Open the activity in your course again.')
  else void proceed(launched)
}
