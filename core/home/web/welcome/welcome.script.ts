import { fieldOf, onSubmit, post, showBanner } from '@trainyard/users/web/sign-in/form.ts'

const dialog = document.querySelector('dialog')!
const form = document.forms[0]!
const sent = dialog.querySelector<HTMLElement>('.sent')!
const field = fieldOf(form)

function show(sentence: string): void {
  form.hidden = sentence !== ''
  sent.hidden = sentence === ''
  sent.textContent = sentence
}

for (const opener of document.querySelectorAll<HTMLElement>('[data-about]')) {
  opener.addEventListener('click', () => {
    dialog.querySelector('[data-offer]')!.textContent = opener.dataset['about']!
    show('')
    showBanner('')
    dialog.showModal()
    field('email').focus()
  })
}
dialog.querySelector('[data-close]')!.addEventListener('click', () => dialog.close())
onSubmit(form, async () => {
  const { ok, reply } = await post(form.action, {
    email: field('email').value.trim(),
    phone: field('phone').value.trim(),
    companyName: field('companyName').value.trim(),
  })
  if (!ok) return showBanner(reply['message'] ?? 'Please try again.')
  form.reset()
  show(reply['message'] ?? '')
  dialog.querySelector<HTMLElement>('[data-close]')!.focus()
})
