import { MAILED_LINK, readMailedToken } from '@trainyard/platform/contract/words/mailed-link.ts'
import {
  fieldOf,
  onSubmit,
  post,
  prepareSignIn,
  showBanner,
  showLinks,
  showPasswordOnTick,
  storeReply,
} from './form.ts'

const form = document.forms[0]!
const field = fieldOf(form)
const confirmation = document.querySelector<HTMLFormElement>('[data-confirm]')!
const greeting = document.querySelector<HTMLElement>('[data-greeting]')!
const token = readMailedToken(location.hash)
// The token signs a user in: remove it from the address bar and the history.
history.replaceState(null, '', location.pathname)

function refuse(sentence: string): void {
  greeting.hidden = true
  showBanner(sentence)
  document.querySelector<HTMLElement>('[data-forgot]')!.hidden = false
}

async function greet(): Promise<void> {
  if (token === null) return refuse(MAILED_LINK.invitationIncomplete)
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const { ok, reply } = await post(form.dataset['invitation']!, { token, timeZone })
  if (!ok) return refuse(reply['message'] ?? MAILED_LINK.invitationNotValid)
  if (reply['purpose'] === 'address' || reply['purpose'] === 'provider') return ask(reply)
  const person = `${reply['email']}${reply['organization'] ? ` of ${reply['organization']}` : ''}`
  greeting.textContent = reply['purpose'] === 'password' ? `Set a new password for ${person}.` : `Welcome, ${person}.`
  showClass(reply['nextClass'] as unknown as NextClass)
  field('email').value = reply['email']!
  form.hidden = false
  field('password').focus()
}

/** Shows a change of the user that the organisation requested, for confirmation. */
function ask(reply: Readonly<Record<string, string>>): void {
  const { email, organization, newEmail } = reply
  document.querySelector('h1')!.textContent = 'Confirm a Change of Your Account'
  greeting.textContent = newEmail
    ? `The directory of ${organization} wants to change the address of your account from ${email} to ${newEmail}. Forgotten passwords are then reset with the new address.`
    : `A user of the sign-in provider of ${organization} wants to use your account ${email}. Confirm this only if you have just tried to sign in.`
  confirmation.hidden = false
}

type NextClass = { trainingName: string; startsAt: string | null; readyAt: string | null } | null

/** Shows the next class in the time zone of the browser. */
function showClass(next: NextClass): void {
  if (!next?.startsAt) return
  const moment = (at: string) =>
    new Date(at).toLocaleString('en-GB', {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      hour: '2-digit',
      minute: '2-digit',
    })
  const line = document.querySelector<HTMLElement>('[data-class]')!
  line.textContent = `${next.trainingName} starts on ${moment(next.startsAt)}.`
  if (next.readyAt) line.textContent += ` Your machine will be ready on ${moment(next.readyAt)}.`
  line.hidden = false
}

onSubmit(confirmation, async () => {
  const { ok, reply } = await post(confirmation.action, { token })
  if (!ok) return showBanner(reply['message'] ?? '')
  confirmation.hidden = true
  greeting.textContent = reply['message']!
})
void greet().finally(showLinks)
prepareSignIn(form)
showPasswordOnTick(form)
onSubmit(form, async () => {
  const { ok, reply } = await post(form.action, { token, password: field('password').value })
  if (!ok) return showBanner(reply['message'] ?? reply['error'] ?? '')
  // If the user has a second factor, the login must ask for it.
  if (!reply['uid']) return location.assign('/login')
  storeReply(reply)
  location.assign('/')
})
