import { decodeAddress } from '@trainyard/platform/contract/words/mailed-link.ts'
import { safeNext, storeSignOut } from '@trainyard/platform/web/session/session.ts'
import { onSubmit, post, prepareSignIn, showBanner, showLinks, storeReply } from '@trainyard/users/web/sign-in/form.ts'

const NEXT = 'next'

const form = document.forms[0]!
const email = form.elements.namedItem('email') as HTMLInputElement
const doing = document.querySelector('output')!
const lead = doing.textContent
const list = document.querySelector('ul')!
const answer = location.search.slice(1)
const asked = new URLSearchParams(answer)
const typed = decodeAddress(location.hash.slice(1))
// The code grants a session: remove it from the address bar and the history.
history.replaceState(null, '', location.pathname)

function offer(): void {
  doing.textContent = lead
  form.hidden = false
  email.focus()
}

function showFound(found: readonly string[], works: boolean): void {
  list.hidden = false
  list.replaceChildren(
    ...found.map((sentence) => Object.assign(document.createElement('li'), { textContent: sentence })),
  )
  const link = document.querySelector<HTMLAnchorElement>('a[href="/login"]')!
  link.textContent = 'Back to Organisation Settings'
  link.href = safeNext(sessionStorage.getItem(NEXT), location.origin)
  if (!works) showBanner('Sign-in does not work with these settings yet.')
}

async function finish(): Promise<void> {
  doing.textContent = 'Signing you in...'
  const { ok, reply } = await post(form.dataset['finish']!, { answer })
  if (!ok || reply['outcome'] === 'unconfirmed') {
    showBanner(reply['message'] ?? '')
    return offer()
  }
  if (reply['outcome'] === 'tested') {
    const { found, works } = reply as unknown as { found: string[]; works: boolean }
    doing.textContent = works ? reply['message']! : ''
    return showFound(found, works)
  }
  storeReply(reply)
  storeSignOut(reply['signOutAddress'] ?? null)
  const next = sessionStorage.getItem(NEXT)
  sessionStorage.removeItem(NEXT)
  location.replace(safeNext(next, location.origin))
}

prepareSignIn(form)
onSubmit(form, async () => {
  const { ok, reply } = await post(form.action, { email: email.value.trim() })
  if (!ok) return showBanner(reply['message'] ?? reply['error'] ?? '')
  sessionStorage.setItem(NEXT, asked.get(NEXT) ?? '')
  location.assign(reply['address']!)
})
if (asked.has('state')) void finish().finally(showLinks)
else {
  offer()
  showLinks()
  if (typed !== '') {
    email.value = typed
    form.requestSubmit()
  }
}
