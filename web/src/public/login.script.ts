import { safeNext, storeSession } from '#src/session/session.ts'
import { post, prefetchOnFirstKey, showBanner, whileBusy } from './form.ts'

const form = document.forms[0]!
const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement

prefetchOnFirstKey(form)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  showBanner('')
  void whileBusy(form, async () => {
    const { ok, reply } = await post(form.action, {
      email: field('email').value.trim(),
      password: field('password').value,
    })
    if (!ok) {
      showBanner(`${form.dataset['failed']} ${reply['message'] ?? reply['error'] ?? ''}`)
      field('password').select()
      return
    }
    storeSession({
      uid: reply['uid']!,
      email: reply['email'],
      organization: reply['organization'],
      session: reply['session']!,
    })
    location.assign(safeNext(new URLSearchParams(location.search).get('next'), location.origin))
  })
})
