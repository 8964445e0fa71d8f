import { onSubmit, post, showBanner } from './form.ts'

const form = document.forms[0]!
const field = form.elements.namedItem('email') as HTMLInputElement
const sent = document.querySelector<HTMLElement>('[data-sent]')!

field.focus()
onSubmit(form, async () => {
  sent.textContent = ''
  const { ok, reply } = await post(form.action, { email: field.value.trim() })
  if (!ok) return showBanner(reply['message'] ?? 'Please try again.')
  form.hidden = true
  sent.textContent = reply['message'] ?? ''
})
