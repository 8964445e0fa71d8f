import { safeNext, storeSignOut } from '#src/session/session.ts'
import type * as SecondStep from './second-step.ts'
import { fieldOf, onSubmit, post, prepareSignIn, showBanner, storeReply } from './form.ts'

const form = document.forms[0]!
const field = fieldOf(form)

const secondStep = () => import(/* @vite-ignore */ form.dataset['second']!) as Promise<typeof SecondStep>

function enter(reply: Record<string, string>): void {
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
  if (reply['code'] === 'secondFactor') return (await secondStep()).askSecondStep(form, reply, enter)
  if (!ok) {
    showBanner(`${form.dataset['failed']} ${reply['message'] ?? reply['error'] ?? ''}`)
    field('password').select()
    return
  }
  enter(reply)
})
field('passkey').addEventListener('click', () => {
  showBanner('')
  void secondStep().then(({ signInWithPasskey }) => signInWithPasskey(form, enter))
})
