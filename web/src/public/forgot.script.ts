import { post, showBanner, whileBusy } from './form.ts'

const form = document.forms[0]!
const field = form.elements.namedItem('email') as HTMLInputElement
const sent = document.querySelector<HTMLElement>('[data-sent]')!

field.focus()
form.addEventListener('submit', (event) => {
  event.preventDefault()
  showBanner('')
  sent.textContent = ''
  void whileBusy(form, async () => {
    const { ok, reply } = await post(form.action, { email: field.value.trim() })
    if (!ok) return showBanner(reply['message'] ?? 'Please try again.')
    form.hidden = true
    sent.textContent = reply['message'] ?? ''
  })
})
