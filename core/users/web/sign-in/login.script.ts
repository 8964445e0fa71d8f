import { safeNext, storeSignOut } from '@trainyard/platform/web/session/session.ts'
import { fieldOf, onSubmit, post, prepareSignIn, showBanner, storeReply } from './form.ts'

/** The file that the page names: what follows a password, and the sign-in without one. */
interface SecondStep {
  askSecondStep(form: HTMLFormElement, reply: Record<string, string>, enter: typeof signIn): void
  signInWithPasskey(form: HTMLFormElement, enter: typeof signIn): Promise<void>
}

const form = document.forms[0]!
const field = fieldOf(form)

const secondStep = () => import(/* @vite-ignore */ form.dataset['second']!) as Promise<SecondStep>

function signIn(reply: Record<string, string>): void {
  storeReply(reply)
  // This session is not linked to one at an identity provider.
  storeSignOut(null)
  location.assign(safeNext(new URLSearchParams(location.search).get('next'), location.origin))
}

prepareSignIn(form)
const organisation = document.querySelector<HTMLAnchorElement>('[href="/sign-in"]')!
organisation.addEventListener('click', () => {
  organisation.search = location.search
  organisation.hash = field('email').value.trim()
})
onSubmit(form, async () => {
  const { ok, reply } = await post(form.action, {
    email: field('email').value.trim(),
    password: field('password').value,
  })
  if (reply['code'] === 'secondFactor') return (await secondStep()).askSecondStep(form, reply, signIn)
  if (!ok) {
    showBanner(`${form.dataset['failed']} ${reply['message'] ?? reply['error'] ?? ''}`)
    field('password').select()
    return
  }
  signIn(reply)
})
field('passkey').addEventListener('click', () => {
  showBanner('')
  void secondStep().then(({ signInWithPasskey }) => signInWithPasskey(form, signIn))
})
