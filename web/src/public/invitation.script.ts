import { storeSession } from '#src/session/session.ts'
import { fieldOf, post, prefetchOnFirstKey, showBanner, showOnTick, whileBusy } from './form.ts'

const form = document.forms[0]!
const field = fieldOf(form)
const greeting = document.querySelector<HTMLElement>('[data-greeting]')!
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
// The token is worth an account: it does not stay in the address or the history.
history.replaceState(null, '', location.pathname)

async function greet(): Promise<void> {
  const { ok, reply } = await post(form.dataset['invitation']!, { token })
  if (!ok) {
    greeting.hidden = true
    showBanner(reply['message'] ?? 'This link is not valid any more.')
    return
  }
  const person = `${reply['email']}${reply['organization'] ? ` of ${reply['organization']}` : ''}`
  greeting.textContent = reply['purpose'] === 'password' ? `Another password for ${person}.` : `Welcome, ${person}.`
  field('email').value = reply['email']!
  form.hidden = false
  field('password').focus()
}

void greet()
prefetchOnFirstKey(form)
showOnTick(form)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  showBanner('')
  void whileBusy(form, async () => {
    const { ok, reply } = await post(form.action, { token, password: field('password').value })
    if (!ok) return showBanner(reply['message'] ?? reply['error'] ?? '')
    // The login asks for the second factor of a person who has one.
    if (!reply['uid']) return location.assign('/login')
    storeSession({
      uid: reply['uid'],
      email: reply['email'],
      organization: reply['organization'],
      session: reply['session']!,
    })
    location.assign('/')
  })
})
