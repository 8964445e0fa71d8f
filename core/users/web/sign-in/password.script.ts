import { readSession } from '@trainyard/platform/web/session/session.ts'
import { fieldOf, onSubmit, post, showBanner, showPasswordOnTick } from './form.ts'

const form = document.forms[0]!
const field = fieldOf(form)
const session = readSession()

if (session === null) location.replace('/login')
field('email').value = session?.email ?? ''
field('present').focus()
showPasswordOnTick(form)
onSubmit(form, async () => {
  const body = { password: field('present').value, newPassword: field('password').value }
  const { ok, reply } = await post(form.action, body, session?.uid)
  if (ok) return location.assign('/')
  showBanner(reply['message'] ?? 'Please try again.')
  field('present').select()
})
