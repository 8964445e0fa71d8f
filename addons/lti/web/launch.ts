import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { ApiError } from '@trainyard/platform/web/api/error.ts'
import { readSession, safeNext, storeSession } from '@trainyard/platform/web/session/session.ts'
import { sentenceFor } from '@trainyard/users/web/sign-in/form.tsx'
import type { ltiLaunch } from '../contract/lms.ts'
import { getProof, putProof } from './lms-storage.ts'

/** Values that the server inserts into the page. */
export interface Posted {
  readonly page: 'login' | 'launch' | 'open' | 'register' | 'refused'
  readonly platform?: string
  readonly code?: string
  /** Reason why the server refused the request. */
  readonly message?: string
  readonly values: Readonly<Record<string, string>>
}

/** Content of the page. */
export interface View {
  readonly heading: string
  /** Progress, or what to do. */
  readonly doing: string
  readonly problem: string
  readonly button: { readonly text: string; readonly open: () => void } | null
  /** Choice between linking the account of this e-mail and a separate one. */
  readonly link: { readonly email: string; readonly accept: () => void; readonly decline: () => void } | null
  /** Training of which an instructor puts an activity into the course. */
  readonly content: { readonly training: string; readonly choose: (choice: Choice) => Promise<void> } | null
  /** True once the content is known: the links below it would move. */
  readonly hasLinks: boolean
}

export const FIRST_VIEW: View = {
  heading: 'Opening your training',
  doing: 'One moment...',
  problem: '',
  button: null,
  link: null,
  content: null,
  hasLinks: false,
}

type Choice = Pick<Parameters<typeof api.ltiLaunch.choose>[0], 'view' | 'title'>

/** An instructor's choice of content, which the page of the LMS receives by a form. */
type Content = ReplyOf<typeof ltiLaunch.choose>

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
const OPEN_AGAIN = 'Open the activity in your course again.'

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

const storedLaunch = () => JSON.parse(stored((storage) => storage.getItem(TICKET)) ?? 'null') as Launched | null

/** Returns true if the browser keeps cookies of this page, also in a frame. */
function keepsCookies(): boolean {
  const name = 'trainyard_lti_probe'
  const attributes = location.protocol === 'https:' ? '; Secure; SameSite=None; Partitioned' : '; SameSite=Lax'
  document.cookie = `${name}=1; Path=/; Max-Age=60${attributes}`
  return document.cookie.includes(`${name}=1`)
}

const textOf = (base64url: string): string => atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))

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

const logInToLink = () => location.assign(`/login?next=${encodeURIComponent('/lti/open')}`)

/** Opens a page of the session, which further tabs of the frame that opened this one show too. */
function leave(target: string): void {
  ;(window.opener as Window | null)?.postMessage({ target }, location.origin)
  stored((storage) => {
    storage.removeItem(TICKET)
    return TICKET
  })
  location.replace(safeNext(target, location.origin))
}

/** Processes the request of the LMS, and shows the progress. */
export async function launch(posted: Posted, show: (changes: Partial<View>) => void): Promise<void> {
  const isFramed = self !== top
  const fail = (problem: string) => show({ doing: '', problem, hasLinks: true })

  /** Opens a tab now or, if the browser blocks that, on a click. */
  function openTab(address: string, title: string, label?: string): void {
    const open = () => window.open(address, '_blank')
    const isOpen = open() !== null
    show({
      doing: isOpen
        ? `${title} has opened in a new tab.`
        : 'Your browser does not allow the portal to work within this page.',
      button: { text: label ?? (isOpen ? 'Open again' : 'Open in a new tab'), open: () => void open() },
      hasLinks: true,
    })
  }

  async function logIn(platform: string, values: Posted['values']): Promise<void> {
    const storageTarget = values['lti_storage_target'] ?? null
    const isBlocked = isFramed && !keepsCookies()
    const again = `/lti/login/${platform}?${new URLSearchParams(values).toString()}`
    // A new tab uses the portal's own cookies.
    if (isBlocked && storageTarget === null) return logInInTab(again)
    const { address, state, proof } = await api.ltiLaunch.start({
      platform,
      issuer: values['iss'] ?? '',
      loginHint: values['login_hint'] ?? '',
      messageHint: values['lti_message_hint'] ?? null,
      clientId: values['client_id'] ?? null,
      deployment: values['lti_deployment_id'] ?? null,
      storageTarget: isBlocked ? storageTarget : null,
    })
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
    const reply = await api.ltiLaunch.finish({
      platform,
      stateToken: state,
      idToken: values['id_token'] ?? null,
      error: values['error_description'] ?? values['error'] ?? null,
      proof,
    })
    if (reply.outcome === 'choosing') return offerContent(reply.ticket, reply.title)
    const { ticket, title } = reply
    const launched = { ticket, title, email: reply.outcome === 'linkable' ? reply.email : null }
    const isStored = keep(launched)
    // A reload must not send the token again, because the token is valid once.
    if (isStored !== null && isFramed) location.replace(location.pathname)
    else await proceed(launched)
  }

  /** Lets an instructor choose an activity for the course, and sends the signed choice to the LMS. */
  function offerContent(ticket: string, training: string): void {
    const choose = async (choice: Choice) => {
      const content = await api.ltiLaunch.choose({ ticket, ...choice })
      const frame = openingFrame()
      if (frame === null) return sendContent(content)
      frame.postMessage({ content }, location.origin)
      close()
    }
    show({
      heading: 'Add to your course',
      doing: `Choose what ${training} adds to your course.`,
      content: { training, choose },
      hasLinks: true,
    })
  }

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
      return api.ltiLaunch.handOver({ ticket: current.ticket }).then(change, () => current)
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
    openTab('/lti/open', launched.title, `Open ${launched.title}`)
  }

  function offerLink(launched: Launched, email: string): void {
    show({
      doing: `You already have an account with the e-mail ${email}. Log in to it once to use it from your course as well.`,
      link: {
        email,
        accept: () => {
          keep({ ...launched, isLinking: true })
          logInToLink()
        },
        decline: () => {
          show({ link: null })
          void reporting(enter(launched))
        },
      },
      hasLinks: true,
    })
  }

  async function enter({ ticket, title }: Launched): Promise<void> {
    show({ doing: `Opening ${title}...` })
    const reply = await api.ltiLaunch.enter({ ticket })
    storeSession(reply)
    leave(reply.target)
  }

  async function open(): Promise<void> {
    const launched = storedLaunch()
    if (launched?.isLinking && readSession() !== null) {
      try {
        return leave((await api.ltiLaunch.link({ ticket: launched.ticket }, { staysOnPage: true })).target)
      } catch (error) {
        if (error instanceof ApiError && error.code === 'confirmFirst') return logInToLink()
        throw error
      }
    }
    const opener = window.opener as Window | null
    if (opener === null) return fail(OPEN_AGAIN)
    addEventListener('message', ({ origin, data }) => {
      const answer = (data as { launched?: Launched } | null)?.launched
      if (origin !== location.origin || answer === undefined) return
      keep(answer)
      void reporting(proceed(answer))
    })
    opener.postMessage(ASK, location.origin)
  }

  async function register(code: string, values: Posted['values']): Promise<void> {
    show({ heading: 'Connect your LMS', doing: 'Connecting your LMS...' })
    const { message } = await api.ltiLaunch.register({
      code,
      configuration: values['openid_configuration'] ?? '',
      token: values['registration_token'] ?? null,
    })
    show({ doing: message, hasLinks: true })
    // LTI Dynamic Registration 1.0: the LMS closes the window or the frame.
    const other = (window.opener as Window | null) ?? parent
    if (other !== self) other.postMessage({ subject: 'org.imsglobal.lti.close' }, '*')
  }

  const reporting = (work: Promise<void>) => work.catch((error: unknown) => fail(sentenceFor(error)))

  async function start({ page, platform = '', code = '', message, values }: Posted): Promise<void> {
    if (page === 'refused') {
      show({ heading: 'This page cannot be opened' })
      return fail(message ?? 'Something went wrong. Open the activity in your course again.')
    }
    if (page === 'login') return logIn(platform, values)
    if (page === 'register') return register(code, values)
    if (page === 'open') return open()
    if (values['state'] !== undefined) return finish(platform, values)
    const launched = storedLaunch()
    return launched === null ? fail(OPEN_AGAIN) : proceed(launched)
  }
  await reporting(start(posted))
}
